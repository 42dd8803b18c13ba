/** The list of what can have happened: every report that the vocabulary knows, in groups, found by any of its words. */

import { rove, settle } from "./roving.js";
import { el, sentence } from "./site.js";

// By the words of its meaning, since kinds come and go with the law; what fits nowhere stands at the end of the cards.
const GROUPS = [
  ["What the Director finds", (kind) => /^(whether|the director)\b/iu.test(kind.means)],
  ["Before the play", (kind) => /\bauction\b|before the play/iu.test(first(kind.means))],
  ["Declarer and dummy", (kind) => /^(what )?declarer\b|\bdummy\b|\bdeclarer (is said|named|put)\b/iu.test(first(kind.means))],
  ["Information", (kind) => /\binformation\b|\bexplain|\bexplanation/iu.test(first(kind.means))],
  ["Cards", () => true],
];
const ORDER = ["Cards", "Declarer and dummy", "Before the play", "Information", "What the Director finds"];

/** The first sentence of a text. */
export function first(text) {
  return /^.*?[.;:](?=\s|$)/su.exec(text)?.[0].replace(/[;:]$/u, ".") ?? text;
}

/** `Card exposed` for `card_exposed`. */
export function titleOf(name) {
  return sentence(name.replaceAll("_", " "));
}

/** A text with the names of kinds in it as the list has them: `“Card handled”` for `card_handled`. */
export function readable(text) {
  return text.replace(/\b[a-z]+(?:_[a-z]+)+\b/gu, (name) => `“${titleOf(name)}”`);
}

/**
 * @param {Object[]} kinds those of the vocabulary with source `report`
 * @param {(kind: Object) => void} add
 * @returns {HTMLElement}
 */
export function incidentPicker(kinds, add) {
  const items = kinds.map((kind) => ({
    kind,
    group: GROUPS.find(([, fits]) => fits(kind))[0],
    words: wordsOf(kind),
    button: el("button", { type: "button", class: "incident", "data-kind": kind.name, onclick: () => add(kind) },
      el("b", {}, titleOf(kind.name)), el("span", {}, readable(first(kind.means)))),
  }));
  const none = el("p", { class: "faint", hidden: true }, "Nothing has these words. Try another, such as dropped, revoke or dummy.");
  const groups = ORDER.map((name) => {
    const own = items.filter((item) => item.group === name);
    return { own, element: el("section", { hidden: !own.length }, el("h4", {}, name), own.map((item) => item.button)) };
  });
  const search = el("input", {
    type: "search", id: "incident-search", placeholder: "Type what happened: dropped, out of turn, dummy …", autocomplete: "off",
    oninput: filter, onkeydown: down,
  });
  const list = el("div", { class: "incidents", role: "group", "aria-label": "Incidents" }, groups.map((each) => each.element), none);
  const shown = () => groups.flatMap((each) => each.own).filter((item) => !item.button.hidden).map((item) => [item.button]);
  rove(list, shown);
  settle(shown());

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/u).filter(Boolean);
    for (const item of items) item.button.hidden = !words.every((word) => item.words.includes(word));
    for (const { own, element } of groups) element.hidden = own.every((item) => item.button.hidden);
    none.hidden = shown().length > 0;
    settle(shown());
  }
  function down(event) {
    const found = shown()[0]?.[0];
    if (event.key === "ArrowDown" && found) {
      event.preventDefault();
      found.focus();
    } else if (event.key === "Enter" && found && search.value.trim()) {
      event.preventDefault();
      found.click();
    }
  }
  return el("div", { class: "picker" },
    el("label", { for: "incident-search" }, "What happened?"), search, list);
}

function wordsOf(kind) {
  const said = kind.fields.flatMap((field) => [field.ask, field.means, ...Object.values(field.values)]);
  return [kind.name.replaceAll("_", " "), kind.name, kind.means, ...said].join(" ").toLowerCase();
}
