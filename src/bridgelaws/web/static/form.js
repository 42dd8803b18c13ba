/** The reports on the desk: a form for each, made from the vocabulary. */

import { asks, fieldFor } from "./fields.js";
import { readable, titleOf } from "./incidents.js";
import { el } from "./site.js";

const WAITED_FOR = ["seat", "card"];

/** The fields without which a report says nothing: who it was, and which card. */
export function missing(report, kind) {
  return kind.fields.filter((field) =>
    WAITED_FOR.includes(field.type) && !field.optional && field.default === null && report.fields[field.name] === undefined);
}

/** Whether a field stands in the form at once; one that seldom matters waits until the ruling asks for it. */
function atOnce(field, report) {
  if (report.fields[field.name] !== undefined) return true;
  return !field.optional && field.default === null && field.type !== "yes_no";
}

/**
 * @param {{kind: string, fields: Object}} report
 * @param {number} place among the reports
 * @param {Object|undefined} kind its description, if the vocabulary has one
 * @param {{hands: Object<string, string>, changed: Function, remove: () => void}} desk
 */
export function reportForm(report, place, kind, desk) {
  const path = `reports[${place}]`;
  const head = el("div", { class: "report-head" }, el("h3", {}, titleOf(report.kind)),
    el("button", { type: "button", class: "quiet", "aria-label": `Remove ${titleOf(report.kind)}`, "data-key": `${path}-remove`, onclick: desk.remove }, "Remove"));
  const wrong = el("p", { class: "wrong", "data-errors": path, hidden: true });
  if (!kind) return el("article", { class: "report", "data-kind": report.kind }, head, wrong);
  const drawn = (field) => fieldFor(field, report.fields[field.name], (value, typed = false) => {
    if (value === undefined) delete report.fields[field.name];
    else report.fields[field.name] = value;
    desk.changed({ forms: !typed });
  }, { key: `${path}.${field.name}`, path: `${path}.${report.kind}.${field.name}`, hands: desk.hands, fields: report.fields });
  const shown = kind.fields.filter((field) => atOnce(field, report));
  const others = kind.fields.filter((field) => !shown.includes(field));
  return el("article", { class: "report", "data-kind": report.kind }, head,
    el("p", { class: "faint small" }, readable(kind.means)), shown.map(drawn),
    others.length > 0 && el("details", { class: "more", "data-key": `${path}-more` }, el("summary", {}, "More, if it matters"), others.map(drawn)), wrong);
}

/** What a report still has to say before it can be ruled on. */
export function waitingFor(report, kind) {
  return missing(report, kind).map((field) => `${titleOf(report.kind)}: ${asks(field)}`);
}
