/** Take the ruling away: to the clipboard, or as a file. */

import { el } from "./site.js";

/** Copy a text; tells whether it could be done. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // A page that came over plain HTTP from another machine has no clipboard of that kind.
    const box = el("textarea", { value: text, class: "unseen", "aria-hidden": "true" });
    const before = document.activeElement;
    document.body.append(box);
    box.select();
    const done = document.execCommand("copy");
    box.remove();
    before?.focus();
    return done;
  }
}

/** Save a text as a file. */
export function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/yaml" }));
  const link = el("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A name for a file: the letters and digits of the title. */
export function fileName(title) {
  const plain = title.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/gu, "-").replace(/^-+|-+$/gu, "").slice(0, 60);
  return `${plain || "case"}.yaml`;
}
