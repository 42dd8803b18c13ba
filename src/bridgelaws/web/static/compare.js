/** Editions side by side: the clauses that changed first, what came and went in each, and a table that shows it. */

import { scene, sideBySide } from "./scene.js";
import { api, clauseLink, debounce, el, fill, nav, sentence, suited } from "./site.js";

nav("compare");
const main = document.getElementById("main");
const summary = el("div", { class: "summary", "aria-live": "polite" });
const result = el("div", { class: "result" });
const filter = el("input", { type: "search", id: "filter", autocomplete: "off", spellcheck: "false",
  placeholder: "A number or words", oninput: debounce(narrow, 80) });
const MOST_WORDS = 400;

let editions = [];
let choices = [];
let asked = 0;

async function begin() {
  try {
    editions = (await api("/v1/editions")).editions.map((each) => each.name);
  } catch (error) {
    fill(main, el("p", { class: "notice bad" }, `The editions cannot be shown: ${error.message}`));
    return;
  }
  const given = (new URLSearchParams(location.search).get("editions") ?? "").split(",").filter((each) => editions.includes(each));
  const wanted = given.length > 1 ? given.slice(0, 3) : editions.slice(-2);
  choices = ["First edition", "Second edition", "Third edition"].map((label, place) => choice(label, place, wanted[place] ?? ""));
  fill(main, el("h1", {}, "What changed between editions"),
    el("div", { class: "row choices" }, choices.map(([made]) => made),
      el("div", { class: "grow" }, el("label", { for: "filter" }, "Only clauses with"), filter)),
    summary, result);
  await show();
}

function choice(label, place, value) {
  const select = el("select", { id: `edition-${place}`, onchange: chosen },
    place === 2 && el("option", { value: "" }, "none"), editions.map((name) => el("option", { value: name }, name)));
  select.value = value;
  return [el("div", {}, el("label", { for: `edition-${place}` }, label), select), select];
}

function chosen() {
  history.replaceState(null, "", `?editions=${names().map(encodeURIComponent).join(",")}${location.hash}`);
  show();
}

function names() {
  return choices.map(([, select]) => select.value).filter(Boolean);
}

async function show() {
  const turn = (asked += 1);
  const wanted = names();
  if (new Set(wanted).size < wanted.length) {
    fill(summary);
    fill(result, el("p", { class: "notice" }, "Choose editions that differ from each other."));
    return;
  }
  result.setAttribute("aria-busy", "true");
  if (!result.firstChild) fill(result, el("p", { class: "faint" }, "Comparing …"));
  const steps = wanted.slice(1).map((to, place) => [wanted[place], to]);
  let told, found;
  try {
    [told, ...found] = await Promise.all([api(`/v1/diff/${wanted.map(encodeURIComponent).join("/")}`),
      ...steps.map((step) => api(`/v1/witnesses/${step.map(encodeURIComponent).join("/")}`))]);
  } catch (error) {
    if (turn === asked) fill(result, el("p", { class: "notice bad" }, `These cannot be compared: ${error.message}`));
    return;
  } finally {
    if (turn === asked) result.removeAttribute("aria-busy");
  }
  if (turn !== asked) return;
  const witnesses = found.map((each) => new Map(each.witnesses.map((one) => [one.clause, one])));
  fill(summary, told.summary.map((step) => el("p", {}, el("b", {}, `${step.from} → ${step.to}: `),
    Object.entries(step.clauses).filter(([, count]) => count).map(([what, count]) => `${count} ${what}`).join(", ") || "no clause")),
  [...new Set(found.map((each) => each.note).filter(Boolean))].map((note) => el("p", { class: "faint small" }, note)));
  const groups = [...new Set(told.clauses.map((clause) => clause.group))];
  fill(result, groups.map((group) => el("section", { class: "group" }, el("h2", {}, sentence(group)),
    told.clauses.filter((clause) => clause.group === group).map((clause) => difference(clause, told.editions, witnesses)))),
  !groups.length && el("p", {}, "No clause differs."));
  narrow();
  arrive();
}

/** The clause that the address names, by its file or its number, comes into view. */
function arrive() {
  let wanted = location.hash.slice(1);
  try { wanted = decodeURIComponent(wanted); } catch { /* it is looked for as it stands */ }
  const place = wanted && [...result.querySelectorAll("article")].find((each) =>
    each.dataset.clause === wanted || each.dataset.numbers.split("\n").includes(wanted));
  if (place) {
    place.classList.add("wanted");
    place.scrollIntoView();
  } else if (wanted) {
    summary.append(el("p", { class: "notice" }, `The clause “${wanted}” does not differ between these editions.`));
  }
}

function narrow() {
  const words = filter.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  for (const each of result.querySelectorAll("article")) {
    each.hidden = !words.every((word) => each.dataset.words.includes(word));
  }
  for (const group of result.querySelectorAll(".group")) {
    group.hidden = ![...group.querySelectorAll("article")].some((each) => !each.hidden);
  }
}

function difference(clause, labels, witnesses) {
  const numbers = [...new Set(clause.numbers.filter(Boolean))];
  const steps = clause.steps.map((step) => [step, labels.indexOf(step.from)]);
  const heading = numbers.some((each) => each.toLowerCase().includes(clause.title.toLowerCase())) ? "" : clause.title;
  return el("article", { class: "difference panel", "data-clause": clause.id, "data-numbers": numbers.join("\n"),
    "data-words": [...numbers, clause.title, ...clause.gists].join(" ").toLowerCase() },
  el("h3", {}, el("span", { class: "number" }, numbers.join(" → ")), " ", heading,
    labels.length === 2 && el("small", { class: "what" }, steps[0]?.[0].label)),
  el("div", { class: `columns of-${labels.length}` }, gists(clause, labels)),
  steps.map(([step, place]) => stepTold(step, labels, witnesses[place]?.get(clause.id))));
}

function gists(clause, labels) {
  const both = clause.gists.length === 2 && clause.gists.every(Boolean);
  const texts = both ? marked(clause.gists[0], clause.gists[1]) : clause.gists.map((each) => each && suited(each));
  return labels.map((label, place) => el("div", {},
    el("p", { class: "label" }, label, " ", clause.numbers[place] && clauseLink(clause.numbers[place], label)),
    el("p", { class: "serif" }, texts[place] ?? el("span", { class: "faint" }, "There is no such clause."))));
}

function stepTold(step, labels, witness) {
  const pair = [step.from, step.to];
  return el("section", { class: "step" },
    labels.length > 2 && el("h4", {}, `${step.from} → ${step.to}`, " ", el("small", { class: "what" }, step.label)),
    step.moved.map((moved) => el("p", { class: "faint small" }, movedText(moved))),
    step.rules.map((rule) => el("div", { class: "rule" },
      el("h4", {}, rule.name, " ", el("small", { class: "faint" }, rule.what)),
      rule.parts.map((part) => change(part, pair)))),
    step.words.length > 0 && el("details", {}, el("summary", {}, "Notes and references that differ"),
      step.words.map((part) => [el("p", { class: "label" }, part.part), change({ ...part, part: "" }, pair)])),
    witness && shown(witness, pair));
}

function movedText({ names: moved, to, from }) {
  const which = `${moved.length === 1 ? "The rule" : "The rules"} ${moved.map((each) => `“${each}”`).join(", ")}`;
  return `${which} ${to ? `stand${moved.length === 1 ? "s" : ""} in ${to} now` : `stood in ${from} before`}.`;
}

/** How it was and how it is, beside each other; on a phone below each other. */
function change({ part, before, after }, pair) {
  const lead = ["when", "unless", "then"].includes(part) && el("b", { class: "word" }, part, " ");
  const [old, now] = before && after ? marked(before, after) : [before && suited(before), after && suited(after)];
  const cell = (text, name, sign, label) => (text
    ? el("div", { class: name }, el("span", { class: "sign", title: `in ${label}`, "aria-label": `in ${label}:` }, sign), lead && lead.cloneNode(true), text)
    : el("div", { class: "empty" }));
  return el("div", { class: "columns of-2" }, cell(old, "gone", "−", pair[0]), cell(now, "come", "+", pair[1]));
}

/** Both texts, with the words that only one of them has marked. */
function marked(before, after) {
  const [old, now] = [before.split(" "), after.split(" ")];
  if (old.length * now.length > MOST_WORDS * MOST_WORDS) return [suited(before), suited(after)];
  const kept = common(old, now);
  return [runs(old, kept.map(([place]) => place), "del"), runs(now, kept.map(([, place]) => place), "ins")];
}

/** The places of the words that a longest common part of two lists of words has. */
function common(old, now) {
  const longest = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      longest[i][j] = old[i] === now[j] ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
    }
  }
  const found = [];
  for (let i = 0, j = 0; i < old.length && j < now.length;) {
    if (old[i] === now[j]) found.push([i++, j++]);
    else if (longest[i + 1][j] >= longest[i][j + 1]) i += 1;
    else j += 1;
  }
  return found;
}

function runs(words, kept, name) {
  const same = new Set(kept);
  const made = document.createDocumentFragment();
  for (let place = 0; place < words.length;) {
    const differs = !same.has(place);
    let end = place;
    while (end < words.length && same.has(end) !== differs) end += 1;
    const text = suited(words.slice(place, end).join(" "));
    made.append(place ? " " : "", differs ? el(name, {}, text) : text);
    place = end;
  }
  return made;
}

/** A table on which the two rule differently, drawn when it is opened; or the word that none was found. */
function shown(witness, pair) {
  if (!witness.scene) {
    const why = witness.proven ? `Searched: ${witness.none}. In effect, only the wording differs.` : `Searched: ${witness.none}.`;
    return el("p", { class: "faint small" }, why);
  }
  const inside = el("div", {});
  return el("details", { class: "witness", ontoggle: (event) => {
    if (event.target.open && !inside.hasChildNodes()) {
      fill(inside, scene(witness.scene), sideBySide(pair, [witness.before, witness.after], pair));
    }
  } }, el("summary", {}, "A table on which they rule differently because of this clause"), inside);
}

begin();
