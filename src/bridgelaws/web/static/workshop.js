/** The workshop: a clause's rules to edit, what is wrong with them, and which rulings would change. */

import { sideBySide } from "./scene.js";
import { editor } from "./editor.js";
import { api, debounce, el, fill, nav, suited } from "./site.js";
import { zipped } from "./zip.js";

nav("workshop");
const main = document.getElementById("main");
const OWN = `table:
  contract: 4S by S
  hands: {E: ♦KT862}
reports:
  - card_exposed: {player: E, card: DT, manner: dropped}
`;

const clauses = el("select", { id: "clause", onchange: () => open(clauses.value, true) });
const editions = el("select", { id: "edition", onchange: forget });
const status = el("p", { class: "small", id: "status", role: "status" });
const problems = el("ul", { class: "problems" });
const results = el("section", { class: "results", "aria-label": "What changes" });
const own = el("textarea", { id: "own", spellcheck: "false", autocapitalize: "off", value: OWN });
const ruled = el("div", { class: "ruled", "aria-live": "polite" });
const run = el("button", { type: "button", class: "first", onclick: runCases }, "Run the cases");
const reset = el("button", { type: "button", onclick: putBack }, "Undo all changes");
const download = el("button", { type: "button", onclick: save }, "Download the draft");
const field = editor({ label: "The clause as YAML", changed: edited, complete: ask });

let clause = "";
let saved = "";
let running = null;
let checking = false;
let again = false;

async function begin() {
  let book, told;
  try {
    [book, told] = await Promise.all([api("/v1/book"), api("/v1/editions")]);
  } catch (error) {
    fill(main, el("p", { class: "notice bad" }, `The law cannot be shown: ${error.message}`));
    return;
  }
  fill(clauses, book.laws.map((law) => el("optgroup", { label: law.title }, law.clauses.map((each) =>
    el("option", { value: each.id }, each.number.toLowerCase().includes(each.title.toLowerCase()) ? each.number : `${each.number} ${each.title}`)))));
  fill(editions, told.editions.map((each) => el("option", { value: each.name }, each.name)));
  editions.value = told.latest;
  fill(main, el("h1", {}, "Workshop"),
    el("p", { class: "faint" }, "Change a clause and see which rulings change. Nothing is kept on the server; download the draft to keep it."),
    el("div", { class: "workshop" },
      el("div", { class: "edit" },
        el("div", { class: "choose" },
          el("div", {}, el("label", { for: "clause" }, "Clause"), clauses),
          el("div", {}, el("label", { for: "edition" }, "Rule under"), editions)),
        field.element, status, problems,
        el("div", { class: "row tools" }, run, reset, download)),
      results,
      el("section", { class: "own" }, el("label", { for: "own" }, "A case of your own"), own,
        el("p", {}, el("button", { type: "button", onclick: ruleOwn }, "Rule on this case")), ruled)));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (document.activeElement === own) ruleOwn();
      else runCases();
    }
  });
  window.addEventListener("hashchange", () => open(wanted()));
  await open(wanted());
}

function wanted() {
  let name = location.hash.slice(1);
  try { name = decodeURIComponent(name); } catch { /* it is looked for as it stands */ }
  const known = [...clauses.options].map((each) => each.value);
  return known.includes(name) ? name : clauses.value;
}

async function open(name, chosen = false) {
  if (chosen) history.replaceState(null, "", `#${encodeURIComponent(name)}`);
  stop();
  let told;
  try {
    told = await api(`/v1/texts/${name}`);
  } catch (error) {
    fill(status, `This clause cannot be opened: ${error.message}`);
    return;
  }
  clause = clauses.value = name;
  saved = told.text;
  field.text = kept(name) ?? saved;
  fill(problems);
  forget();
  check();
}

/** What was changed here before the page was loaded again. */
function kept(name) {
  try { return sessionStorage.getItem(`draft:${name}`); } catch { return null; }
}

function keep(text) {
  try {
    if (text === saved) sessionStorage.removeItem(`draft:${clause}`);
    else sessionStorage.setItem(`draft:${clause}`, text);
  } catch { /* nothing may be stored here; the text lasts as long as the page */ }
}

const checkSoon = debounce(check, 400);

function edited(text) {
  keep(text);
  forget();
  fill(status, "Checking…");
  checkSoon();
}

function putBack() {
  field.text = saved;
  edited(saved);
}

/** One check at a time; if the text has changed meanwhile, one more. */
async function check() {
  if (checking) {
    again = true;
    return;
  }
  checking = true;
  reset.disabled = field.text === saved;
  const [name, text] = [clause, field.text];
  try {
    const told = await api("/v1/workshop/check", { body: { clause: name, text } });
    if (name === clause && text === field.text) tell(told.diagnostics);
  } catch (error) {
    if (name === clause && text === field.text) {
      fill(problems);
      fill(status, `It cannot be checked: ${error.message}`);
    }
  } finally {
    checking = false;
    if (again) {
      again = false;
      check();
    }
  }
}

function tell(found) {
  const file = `${clause}.yaml`;
  const here = found.filter((each) => each.file === file);
  field.mark(here);
  const warnings = found.filter((each) => each.severity === "warning").length;
  const said = [counted(found.length - warnings, "problem"), counted(warnings, "warning")].filter(Boolean).join(", ");
  fill(status, said || `No problem (${field.text === saved ? "as it is" : "changed"})`);
  fill(problems, found.map((each) => el("li", { class: each.severity }, el("button", { type: "button", onclick: () => {
    if (each.file === file && each.line) field.go(each.line, each.column);
  } }, where(each, file), suited(each.message), each.hint && `; ${each.hint}`))));
}

function counted(number, noun) {
  return number && `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function where(problem, file) {
  const place = problem.line ? `Line ${problem.line}, column ${problem.column}: ` : "";
  return problem.file && problem.file !== file ? `${problem.file}, ${place.toLowerCase()}` : place;
}

async function ask(line, column) {
  try {
    return await api("/v1/workshop/complete", { body: { clause, text: field.text, line, column } });
  } catch {
    return null;
  }
}

/** The results are those of another text, or of another edition. */
function forget() {
  stop();
  reset.disabled = field.text === saved;
  fill(results, el("h2", {}, "What changes"), el("p", { class: "faint" }, "Run the cases to see which rulings would be different (Ctrl-Enter)."));
  fill(ruled);
}

function stop() {
  running?.abort();
  running = null;
  fill(run, "Run the cases");
}

async function runCases() {
  if (running) {
    stop();
    return;
  }
  const { signal } = (running = new AbortController());
  fill(run, "Stop");
  const said = el("p", { role: "status" }, "Reading the law with your changes…");
  const bar = el("progress", { max: "1", "aria-label": "Cases ruled on" });
  const found = el("div", {});
  fill(results, el("h2", {}, "What changes"), said, bar, found);
  results.scrollIntoView({ block: "nearest" });
  const body = { clause, text: field.text, edition: editions.value };
  let count = 0;
  try {
    for (let from = 0; from !== null;) {
      const told = await api("/v1/workshop/try", { body: { ...body, from }, signal });
      if (signal.aborted) return;
      count += told.changed.length;
      found.append(...told.changed.map(changed));
      from = told.next;
      bar.max = told.cases || 1;
      bar.value = from ?? told.cases ?? 1;
      fill(said, summary(count, from, told));
    }
  } catch (error) {
    if (signal.aborted) return;
    fill(said, error.problem?.status === 422 ? "The text is not sound yet: " : "", error.message);
    said.className = "notice bad";
  }
  bar.remove();
  stop();
}

function summary(count, next, told) {
  if (told.cases === null) {
    return ["The text is sound. This server has no cases to rule on; start it with ", el("code", {}, "bridgelaws serve --cases FOLDER"), "."];
  }
  const rulings = count === 1 ? "1 ruling changes" : count ? `${count} rulings change` : "No ruling changes";
  return next === null ? `${rulings}, in ${told.cases} cases, under ${told.edition}.` : `${count ? `${rulings} so far` : "No ruling changes so far"}: ${next} of ${told.cases} cases.`;
}

function changed(told) {
  const lines = (texts, name, sign, label) => texts.map((text) =>
    el("li", { class: name }, el("span", { class: "sign", "aria-label": label }, sign), suited(text)));
  return el("article", { class: "changed" }, el("h3", {}, suited(told.title)), el("p", { class: "faint small" }, told.case),
    el("ul", { class: "lines-of" }, lines(told.before, "gone", "−", "before:"), lines(told.after, "come", "+", "after:")));
}

async function ruleOwn() {
  fill(ruled, el("p", { class: "faint" }, "Ruling…"));
  const text = field.text;
  let told;
  try {
    told = await api("/v1/workshop/try", { body: { clause, text, edition: editions.value, case: own.value } });
  } catch (error) {
    const found = error.problem?.errors ?? [];
    fill(ruled, el("div", { class: "notice bad" }, found.length
      ? found.map((each) => el("p", {}, each.file === "case" ? "In the case, " : "In the clause, ", each.line ? `line ${each.line}: ` : "", each.message, each.hint && `; ${each.hint}`))
      : error.message));
    return;
  }
  if (text !== field.text) return;
  const same = JSON.stringify(told.own.before) === JSON.stringify(told.own.after);
  fill(ruled, el("p", {}, same ? "Your changes make no difference to this case." : "The ruling changes."),
    sideBySide(["As the law is", "With your changes"], [told.own.before, told.own.after], [told.edition, told.edition]));
}

/** The clause laid out as a folder that `bridgelaws --laws` takes. */
function save() {
  const address = URL.createObjectURL(zipped({ [`draft/${clause}.yaml`]: field.text }));
  const link = el("a", { href: address, download: "draft.zip" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

begin();
