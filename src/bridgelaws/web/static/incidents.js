/** The list of what can have happened: the reports of the vocabulary by their Laws, found by any of their words. */

import { rove, settle } from "./roving.js";
import { el, sentence } from "./site.js";

// Words that say nothing of what happened.
const SMALL = new Set(`a an and as at be before by did for from had has he her his i in is it its of on one or she that the
  their then they this to was were when which who with`.split(/\s+/u));
// Words that change within.
const OTHER_FORMS = { concession: "concede", forgot: "forget", lead: "led", leads: "led", leading: "led", made: "make", said: "say",
  saw: "see", seen: "see", shown: "show", taken: "take", told: "tell", took: "take", won: "win" };
const ENDING = /(?:ations?|ating|ated|ates?|ions?|ing|ed|es|ous|e|s|y)$/u;

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
    group: kind.law,
    name: wordsIn(kind.name).filter((word) => !SMALL.has(word)),
    words: wordsOf(kind),
    button: el("button", { type: "button", class: "incident", "data-kind": kind.name, onclick: () => add(kind) },
      el("b", {}, titleOf(kind.name)), el("span", {}, readable(first(kind.means)))),
  }));
  const none = el("p", { class: "faint", hidden: true }, "Nothing has these words. Try another, such as dropped, revoke or dummy.");
  const number = (name) => Number(/\d+/u.exec(name)?.[0] ?? 0);
  // What only answers a question is there for whoever looks for it.
  const groups = [...new Set(items.filter((item) => item.kind.incident).map((item) => item.group))].sort((one, other) => number(one) - number(other)).map((name) => {
    const own = items.filter((item) => item.group === name);
    return { own, element: el("section", {}, el("h4", {}, name)) };
  });
  const found = el("section", {}, el("h4", {}, "Found"));
  let inOrder = [];
  const search = el("input", {
    type: "search", id: "incident-search", placeholder: "Type what happened: dropped, out of turn, dummy …", autocomplete: "off",
    oninput: filter, onkeydown: down,
  });
  const list = el("div", { class: "incidents", role: "group", "aria-label": "Incidents" }, found, groups.map((each) => each.element), none);
  const shown = () => inOrder.map((item) => [item.button]);
  rove(list, shown);
  filter();

  /** Nothing typed: what can have happened, by Law. Else whatever has the most of the words, the names that have them first. */
  function filter() {
    const words = wordsIn(search.value).filter((word) => !SMALL.has(word));
    const said = (known) => words.filter((word) => known.some((each) => alike(word, each))).length;
    const most = Math.max(...items.map((item) => said(item.words)));
    inOrder = words.length
      ? items.filter((item) => most > 0 && said(item.words) === most).map((item) => [said(item.name) / item.name.length, item])
        .sort(([one], [other]) => other - one).map(([, item]) => item)
      : groups.flatMap((each) => each.own).filter((item) => item.kind.incident);
    for (const { own, element } of groups) {
      element.hidden = words.length > 0 || !own.some((item) => item.kind.incident);
      if (!words.length) element.append(...own.filter((item) => item.kind.incident).map((item) => item.button));
    }
    found.hidden = !words.length || !inOrder.length;
    found.replaceChildren(found.firstChild, ...(words.length ? inOrder.map((item) => item.button) : []));
    none.hidden = inOrder.length > 0;
    settle(shown());
  }
  function down(event) {
    const best = shown()[0]?.[0];
    if (event.key === "ArrowDown" && best) {
      event.preventDefault();
      best.focus();
    } else if (event.key === "Enter" && best && search.value.trim()) {
      event.preventDefault();
      best.click();
    }
  }
  return el("div", { class: "picker" },
    el("label", { for: "incident-search" }, "What happened?"), search, list);
}

function wordsOf(kind) {
  const said = kind.fields.flatMap((field) => [field.ask, field.means, ...Object.values(field.values)]);
  return [...new Set(wordsIn([kind.name, kind.means, kind.law, ...said].join(" ")))];
}

function wordsIn(text) {
  return text.replaceAll("_", " ").toLowerCase().match(/[\p{L}\d']+/gu) ?? [];
}

/** Whether two words differ only in their ending, or the known one goes on where the typed one stops. */
function alike(typed, known) {
  return known.startsWith(typed) || stem(typed) === stem(known);
}

function stem(word) {
  const form = OTHER_FORMS[word] ?? word;
  const short = form.replace(ENDING, "");
  if (short === form || short.length < 3) return form;
  return short.at(-1) === short.at(-2) ? short.slice(0, -1) : short;
}
