/** A case as a case file: YAML that the commands read, and that other YAML tools read alike. */

// What some YAML tools take for yes, no or nothing.
const OTHER_THAN_TEXT = /^(?:y|n|yes|no|on|off|true|false|null)$/iu;
const PLAIN = /^[A-Za-z_][A-Za-z0-9_]*$/u;

/** @returns {string} the case in YAML */
export function yamlOf(value) {
  const lines = [];
  for (const [key, part] of Object.entries(value)) lines.push(...entry(key, part, ""));
  return `${lines.join("\n")}\n`;
}

function entry(key, part, indent) {
  if (Array.isArray(part)) return [`${indent}${scalar(key)}:`, ...part.map((each) => `${indent}  - ${item(each)}`)];
  if (part !== null && typeof part === "object") {
    return [`${indent}${scalar(key)}:`, ...Object.entries(part).flatMap(([name, each]) => entry(name, each, `${indent}  `))];
  }
  return [`${indent}${scalar(key)}: ${scalar(part)}`];
}

function item(value) {
  if (value === null || typeof value !== "object") return scalar(value);
  return Object.entries(value).map(([key, part]) => `${scalar(key)}: ${flow(part)}`).join("");
}

function flow(value) {
  if (value === null || typeof value !== "object") return scalar(value);
  return `{${Object.entries(value).map(([key, part]) => `${scalar(key)}: ${flow(part)}`).join(", ")}}`;
}

function scalar(value) {
  if (typeof value !== "string") return String(value);
  if (PLAIN.test(value) && !OTHER_THAN_TEXT.test(value)) return value;
  // A JSON text is a YAML text, once everything that YAML does not print is escaped.
  return JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/gu,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
