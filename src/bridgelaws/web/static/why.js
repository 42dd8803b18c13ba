/** The reasons for a ruling as a tree: what follows, from which clause and rule, from what, and what did not hold. */

import { clauseLink, el, sentence, suited } from "./site.js";

/** @param {Object[]} reasons as the API gives them under `why` */
export function whyTree(reasons) {
  if (!reasons.length) return el("p", { class: "faint" }, "Nothing was found, so there are no reasons.");
  return el("ul", { class: "why" }, reasons.map((each) => el("li", {}, branch(each, true))));
}

function branch(reason, top = false) {
  if (!reason.clause) return el("span", { class: "given" }, suited(sentence(reason.text)));
  return el("details", { "data-kind": reason.kind },
    el("summary", {}, el("span", { class: top ? "serif" : "" }, suited(sentence(reason.text))), " ", clauseLink(reason.clause)),
    el("p", { class: "small faint" }, "Rule: ", reason.rule),
    el("ul", {}, reason.because.map((each) => el("li", {}, branch(each))),
      reason.not_so.map((text) => el("li", { class: "not-so" }, el("b", {}, "not so: "), suited(text)))));
}
