/** The ruling desk: what happened at the table on one side, the ruling on the other. */

import { caseOf, draftOf, emptyDraft, isEmpty, NotACase } from "./draft.js";
import { clearErrors } from "./errors.js";
import { fieldFor } from "./fields.js";
import { reportForm } from "./form.js";
import { incidentPicker } from "./incidents.js";
import { Judge, ready } from "./judging.js";
import { refill } from "./keeping.js";
import { caseIn, fragmentOf } from "./link.js";
import { rulingPanel } from "./panel.js";
import { api, debounce, el, nav } from "./site.js";
import { tablePanel } from "./table.js";

const EXAMPLE = {
  title: "East drops the eight of diamonds",
  table: { contract: "4S by S", hands: { E: "♦KT862" } },
  reports: [{ card_exposed: { player: "E", card: "D8", manner: "dropped" } }],
};

nav("desk");
const main = document.getElementById("main");
try {
  const [{ kinds }, { editions, latest }] = await Promise.all([api("/v1/vocabulary"), api("/v1/editions")]);
  await open(kinds, editions.map((each) => each.name), latest);
} catch (error) {
  main.append(el("p", { class: "notice bad", role: "alert" }, `The desk cannot open: ${error.message}`));
  throw error;
}

/** Lay the desk out, and put on it what the link holds. */
async function open(kinds, editions, latest) {
  const known = new Map(kinds.filter((kind) => kind.source === "report").map((kind) => [kind.name, kind]));
  const regulating = kinds.filter((kind) => kind.source === "regulation");
  const judge = new Judge();
  const desk = {
    draft: emptyDraft(latest), editions, latest, known, judge,
    changed, load, link: linkNow, startOver: () => load(emptyDraft(desk.draft.edition)), example: () => load(draftOf({ ...EXAMPLE, edition: desk.draft.edition })),
  };
  const title = el("input", { type: "text", id: "title", placeholder: "What happened, in a line", maxlength: 200,
    oninput: () => { desk.draft.title = title.value; changed(); } });
  const notice = el("p", { class: "notice bad", role: "alert", hidden: true });
  const table = tablePanel(desk);
  const reports = el("div", { class: "reports" });
  const picker = incidentPicker([...known.values()], add);
  const adding = el("details", { class: "adding", open: true }, el("summary", {}, "Add what happened"), picker);
  const regulations = el("div");
  const panel = rulingPanel(desk);
  main.append(el("div", { class: "title-row" }, el("h1", {}, "Ruling desk"),
    el("button", { type: "button", class: "quiet", id: "start-over", onclick: desk.startOver }, "Start over")), notice, el("div", { class: "desk" },
    el("div", { class: "told-side" },
      el("div", { class: "field" }, el("label", { for: "title" }, "Title"), title, el("p", { class: "wrong", "data-errors": "title", hidden: true })),
      table.element,
      el("section", { class: "panel", id: "incident", "aria-labelledby": "incident-title" }, el("h2", { id: "incident-title" }, "The incident"), reports, adding,
        regulating.length > 0 && el("details", { class: "more" }, el("summary", {}, "Regulations"), regulations))),
    panel.element), panel.peek);
  const rule = debounce(ruleNow, 120);
  const linked = debounce(linkNow, 200);

  function add(kind) {
    desk.draft.reports.push({ kind: kind.name, fields: {} });
    adding.open = false;
    changed();
    const form = reports.lastElementChild;
    form.querySelector(".field button, .field input, .field summary")?.focus({ preventScroll: true });
    form.scrollIntoView({ block: "nearest" });
  }
  function drawReports() {
    refill(reports, desk.draft.reports.map((report, place) => reportForm(report, place, known.get(report.kind), {
      hands: desk.draft.hands, changed,
      remove: () => {
        desk.draft.reports.splice(place, 1);
        adding.open = desk.draft.reports.length === 0;
        changed();
      },
    })));
  }
  function drawRegulations() {
    refill(regulations, regulating.map(({ name, means, fields: [field] }) => {
      const given = desk.draft.regulations[name];
      const value = given !== null && typeof given === "object" ? given[field.name] : given;
      return fieldFor({ ...field, ask: means }, value, (chosen) => {
        if (chosen === undefined) delete desk.draft.regulations[name];
        else desk.draft.regulations[name] = chosen;
        changed();
      }, { key: `regulations.${name}`, path: `regulations.${name}`, hands: {}, fields: {} });
    }));
  }
  /** Something on the desk is different; `forms` is false if the forms show it already. */
  function changed({ forms = true } = {}) {
    // An answer that is still under way is to an older question.
    judge.cancel();
    if (forms) drawReports();
    drawRegulations();
    table.show(panel.ruling);
    panel.waiting();
    linked();
    rule();
  }
  function load(draft) {
    desk.draft = { ...draft, edition: editions.includes(draft.edition) ? draft.edition : latest };
    title.value = desk.draft.title;
    notice.hidden = true;
    adding.open = desk.draft.reports.length === 0;
    panel.forget();
    table.load();
    changed();
    learnChoices();
    if (draft.edition && draft.edition !== desk.draft.edition) warn(`There is no edition ${draft.edition} here. This is the ruling under ${latest}.`);
  }
  function warn(text) {
    notice.textContent = text;
    notice.hidden = false;
  }
  /** Choices that came with a link: the rulings that offered them have the words for them. */
  async function learnChoices() {
    const { draft } = desk;
    for (const place of draft.choices.keys()) {
      const before = ready({ ...draft, choices: draft.choices.slice(0, place) }, known).body;
      const ruling = await api("/v1/rulings", { body: before, edition: draft.edition }).catch(() => null);
      if (ruling) panel.learn(ruling);
    }
    if (draft.choices.length && draft === desk.draft) rule();
  }
  function ruleNow() {
    clearErrors(main);
    const { body, places } = ready(desk.draft, known);
    if (isEmpty(desk.draft)) {
      judge.cancel();
      panel.empty();
      table.show(null);
      return;
    }
    judge.rule({ body, edition: desk.draft.edition, editions }, {
      ruled: (ruling) => { panel.ruled(ruling, body); table.show(ruling); },
      compared: panel.compared,
      refused: (error) => { panel.refused(error, places, main); table.show(null); },
    });
  }
  async function linkNow() {
    const draft = desk.draft;
    const fragment = isEmpty(draft) ? "" : `#${await fragmentOf(caseOf(draft))}`;
    if (draft === desk.draft) history.replaceState(null, "", location.pathname + location.search + fragment);
    return location.href;
  }
  /** Put on the desk what the address holds; if it holds no case, what is there stays. */
  async function restore() {
    try {
      const held = await caseIn(location.hash);
      if (held === null) changed();
      else load(draftOf(held));
    } catch (error) {
      if (!(error instanceof NotACase)) throw error;
      load(emptyDraft(latest));
      warn(`This link cannot be opened: ${error.message}. The desk is empty instead.`);
    }
  }
  window.addEventListener("hashchange", restore);
  await restore();
}
