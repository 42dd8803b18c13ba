/** The panel of the ruling: editions, what is wrong or missing, the ruling itself, its reasons, and ways to take it away. */

import { caseOf } from "./draft.js";
import { messageOf, placeErrors } from "./errors.js";
import { buttonRow } from "./fields.js";
import { waitingFor } from "./form.js";
import { refill } from "./keeping.js";
import { linesOf, textFor } from "./lines.js";
import { adviceLines, choiceSteps, optionButtons, plainChoice, questionButtons, rulingLines } from "./ruling.js";
import { el, fill, suited } from "./site.js";
import { copy, download, fileName } from "./taking.js";
import { whyTree } from "./why.js";
import { yamlOf } from "./yaml.js";

const RULED_AT_LEAST_ONCE = "ready";

/** @param {Object} desk what `desk.js` opens */
export function rulingPanel(desk) {
  let ruling = null;
  let ruledOn = null;
  let others = [];
  let beside = null;
  const offered = new Map();
  const editions = el("div", { class: "editions" });
  const difference = el("div", { class: "difference" });
  const body = el("div", { class: "ruling-body" });
  const status = el("p", { class: "unseen", role: "status" });
  const done = el("span", { class: "done", role: "status" });
  const tree = el("div");
  const why = el("details", { class: "why-details", hidden: true, ontoggle: showWhy }, el("summary", {}, "Why?"), tree);
  const action = (name, work, attributes) => el("button", { type: "button", onclick: work, ...attributes }, name);
  const taking = el("div", { class: "row taking" },
    action("Copy for the players", async () => told(await copy(textFor(ruling, desk.draft.title.trim())), "Copied"), { id: "copy-text" }),
    action("Copy the link", async () => told(await copy(await desk.link()), "Link copied"), { id: "copy-link" }),
    action("Case file", () => download(fileName(desk.draft.title), yamlOf(caseOf(desk.draft))), { id: "download" }));
  const element = el("section", { class: "ruling panel", id: "ruling", "aria-labelledby": "ruling-title", "data-state": "empty" },
    el("div", { class: "ruling-head" }, el("h2", { id: "ruling-title" }, "The ruling"), editions),
    status, difference, body, why, taking, done);
  // On a phone the ruling is far below: a line of it stays in sight.
  const peek = action("", () => element.scrollIntoView({ block: "start" }), { class: "peek", hidden: true });
  new IntersectionObserver((seen) => peek.classList.toggle("there", seen.at(-1).isIntersecting), { rootMargin: "0px 0px -30% 0px" }).observe(element);

  function told(worked, what) {
    fill(done, worked ? what : "It could not be copied");
    setTimeout(() => fill(done), 3000);
  }
  function showEditions() {
    const words = desk.editions.map((name) => [name, name, `Edition ${name}`]);
    refill(editions, buttonRow("Edition", words, desk.draft.edition, (name) => {
      // Pressed again, it stays: there is always an edition.
      if (!name) return;
      if (beside === name) beside = desk.draft.edition;
      desk.draft.edition = name;
      desk.changed();
    }, "edition"));
  }
  function showDifference() {
    const different = others.filter((each) => !each.same).map((each) => each.other.edition);
    const same = others.filter((each) => each.same).map((each) => each.other.edition);
    if (!others.length) return fill(difference);
    return refill(difference,
      el("p", { class: "small faint" }, [same.length && `The same under ${same.join(" and ")}.`, different.length && `Not the same under ${different.join(" and ")}.`].filter(Boolean).join(" ")),
      different.length > 0 && el("div", { class: "row" }, different.map((name) =>
        el("button", { type: "button", class: "small", "aria-pressed": String(beside === name), "data-key": `beside-${name}`, "data-beside": name,
          onclick: () => { beside = beside === name ? null : name; showDifference(); showRuling(); } }, `Compare with ${name}`))));
  }
  function showRuling() {
    const other = others.find((each) => each.other.edition === beside && !each.same)?.other;
    const waits = desk.draft.reports.flatMap((report) => (desk.known.has(report.kind) ? waitingFor(report, desk.known.get(report.kind)) : []));
    refill(body,
      waits.length > 0 && el("div", { class: "notice" }, "Still to be said:", el("ul", {}, waits.map((text) => el("li", {}, text)))),
      (waits.length === 0 || ruling.findings.length > 0) && rulingLines(ruling, other),
      choiceSteps(desk.draft.choices, (choice) => offered.get(JSON.stringify(choice)) ?? plainChoice(choice), (place) => { desk.draft.choices.splice(place, 1); desk.changed(); }),
      optionButtons(ruling, (option) => { desk.draft.choices.push(option.choice); desk.changed(); }),
      questionButtons(ruling, answer), adviceLines(ruling));
  }
  function answer(question, report) {
    const leftOpen = ({ kind, fields }) => kind === question.kind
      && Object.entries(question.about).every(([name, value]) => (fields[name] ?? value) === value);
    const [kind, fields] = Object.entries(report)[0];
    const place = desk.draft.reports.findIndex(leftOpen);
    if (place < 0) desk.draft.reports.push({ kind, fields: { ...fields } });
    else desk.draft.reports[place] = { kind, fields: { ...fields } };
    desk.changed();
  }
  async function showWhy() {
    if (!why.open || !ruling) return;
    const asked = ruledOn;
    try {
      const { why: reasons } = await desk.judge.why({ body: asked, edition: ruling.edition });
      if (asked === ruledOn) fill(tree, whyTree(reasons));
    } catch (error) {
      if (error.name !== "AbortError") fill(tree, el("p", { class: "wrong" }, error.message));
    }
  }
  function state(name) {
    element.dataset.state = name;
    element.setAttribute("aria-busy", String(name === "waiting"));
    why.hidden = name !== RULED_AT_LEAST_ONCE;
    taking.hidden = name === "empty";
    for (const button of taking.querySelectorAll("button")) button.disabled = name !== RULED_AT_LEAST_ONCE;
    peek.hidden = name === "empty";
  }
  state("empty");

  return {
    element,
    peek,
    /** Remember the words of what can be chosen. */
    learn(given) {
      for (const group of given.options) for (const option of group.options) offered.set(JSON.stringify(option.choice), option.text);
    },
    get ruling() { return ruling; },
    forget() {
      [ruling, ruledOn, others] = [null, null, []];
      why.open = false;
      fill(tree);
    },
    waiting() {
      showEditions();
      delete element.dataset.compared;
      state("waiting");
    },
    empty() {
      [ruling, others] = [null, []];
      showDifference();
      refill(body, el("p", { class: "welcome" }, "Say who is declarer, list the cards that matter, and pick what happened. The ruling appears here as you go, with the clause for each line."),
        el("button", { type: "button", id: "example", onclick: desk.example }, suited("An example: the dropped ♦8")));
      fill(status);
      state("empty");
    },
    ruled(given, on) {
      [ruling, ruledOn] = [given, on];
      this.learn(given);
      showRuling();
      fill(peek, suited(linesOf(given)[0]?.text ?? given.questions[0]?.ask ?? "The ruling"), " ↓");
      const count = given.findings.length;
      fill(status, `Ruling under ${given.edition}: ${count} ${count === 1 ? "finding" : "findings"}, ${given.questions.length} open questions`);
      state(RULED_AT_LEAST_ONCE);
      showWhy();
    },
    compared(given) {
      others = given;
      showDifference();
      if (beside) showRuling();
      element.dataset.compared = ruling.edition;
    },
    refused(error, places, root) {
      [ruling, others] = [null, []];
      showDifference();
      // The case that was sent lacks the reports that were not ready.
      const errors = error.problem.errors.map((each) => ({ ...each, path: each.path.replace(/^reports\[(\d+)\]/u, (_, place) => `reports[${places[place] ?? place}]`) }));
      refill(body, el("div", { class: "notice bad", role: "alert" }, el("b", {}, "No ruling yet."),
        errors.length ? el("ul", {}, errors.map((each) => el("li", {}, messageOf(each)))) : el("p", {}, error.message)),
        choiceSteps(desk.draft.choices, (choice) => offered.get(JSON.stringify(choice)) ?? plainChoice(choice), (place) => { desk.draft.choices.splice(place, 1); desk.changed(); }));
      placeErrors(root, errors);
      fill(peek, "No ruling yet ↓");
      fill(status);
      state("refused");
    },
  };
}
