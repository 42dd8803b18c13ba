/** The ruling as it stands: sentences with their clauses, options and questions as buttons. */

import { SEAT_NAMES, SIDE_NAMES, SUIT_NAMES, symbol } from "./cards.js";
import { titleOf } from "./incidents.js";
import { compared, linesOf } from "./lines.js";
import { clauseLink, el, sentence, suited } from "./site.js";

const MOST_ANSWERS = 14;

const chips = (clauses, edition) => el("span", { class: "chips" }, clauses.map((each) => [clauseLink(each, edition), " "]));

/** The lines of a ruling; compared with another edition's, each marked with where it holds. */
export function rulingLines(ruling, other) {
  if (other) return comparison(ruling, other);
  const lines = linesOf(ruling);
  if (!lines.length && !ruling.options.length && !ruling.questions.length) {
    return el("p", { class: "faint" }, "No law encoded here says anything about this case.");
  }
  return el("ul", { class: "lines" }, lines.map((line) =>
    el("li", { class: line.part }, el("span", { class: "said" }, suited(line.text)), chips(line.clauses, ruling.edition))));
}

function comparison(ruling, other) {
  const lines = compared(ruling, other);
  const only = { here: ["come", `only ${ruling.edition}`, ruling.edition], there: ["gone", `only ${other.edition}`, other.edition], both: ["", "", ruling.edition] };
  return el("ul", { class: "lines compared" }, lines.map((line) => {
    const [mark, label, edition] = only[line.where];
    const renumbered = line.other && line.other.join() !== line.clauses.join() && line.other.length > 0;
    return el("li", { class: `${line.part} ${mark}` },
      el("span", { class: "said" }, label && el("b", { class: "only" }, label, " "), suited(line.text)),
      el("span", { class: "chips" }, chips(line.clauses, edition), renumbered && el("small", { class: "faint" }, `${other.edition}: `, chips(line.other, other.edition))));
  }));
}

/** What someone may choose now; `take` gets the option. */
export function optionButtons(ruling, take) {
  return ruling.options.map((group) => el("section", { class: "options", "data-chooser": group.chooser },
    el("h3", {}, `${sentence(group.chooser)} chooses`),
    group.options.map((option) => el("button", { type: "button", class: "option", "data-option": option.id, "data-key": `option-${option.id}`, onclick: () => take(option) },
      el("span", {}, suited(sentence(option.text))), el("small", {}, option.clauses.join(", "))))));
}

/** What was chosen, as steps that can be taken back. */
export function choiceSteps(choices, textOf, remove) {
  if (!choices.length) return null;
  return el("section", { class: "steps" }, el("h3", {}, "Chosen so far"),
    el("ol", {}, choices.map((choice, place) => el("li", {}, el("span", {}, suited(sentence(textOf(choice)))),
      el("button", { type: "button", class: "quiet", "data-key": `step-${place}`, "aria-label": `Take back: ${textOf(choice)}`, onclick: () => remove(place) }, "Take back"),
      el("p", { class: "wrong", "data-errors": `choices[${place}]`, hidden: true })))));
}

/** A choice in words, where the ruling that offered it is not known. */
export function plainChoice(choice) {
  const [kind, fields] = Object.entries(choice)[0];
  const words = Object.entries(fields).map(([name, value]) => (name === "trick" ? `trick ${value}` : valueText(value)));
  return `${titleOf(kind)}: ${words.join(", ")}`;
}

function valueText(value) {
  if (typeof value !== "string") return value === true ? "yes" : value === false ? "no" : String(value);
  if (/^[CDHS][2-9TJQKA]$/u.test(value)) return symbol(value);
  return SEAT_NAMES[value] ?? SIDE_NAMES[value] ?? SUIT_NAMES[value] ?? value.replaceAll("_", " ");
}

/** What must still be asked, with what follows from each answer; `answer` gets the question and the report to give. */
export function questionButtons(ruling, answer) {
  return ruling.questions.map((question) => {
    const about = Object.entries(question.about).filter(([name]) => name !== "trick").map(([, value]) => value);
    const concerning = about.filter((value) => typeof value === "string" && (SEAT_NAMES[value] || /^[CDHS][2-9TJQKA]$/u.test(value))).map(valueText);
    const answers = Object.entries(question.answers);
    return el("section", { class: "question", "data-question": `${question.kind}.${question.field}` },
      el("h3", {}, suited(question.ask), concerning.length > 0 && el("small", { class: "faint" }, " (", suited(concerning.join(", ")), ")")),
      question.judgement && el("p", { class: "judgement" }, "This is the Director's judgement."),
      answers.length === 0 || answers.length > MOST_ANSWERS
        ? el("p", { class: "faint" }, "Say so in the report.")
        : grouped(answers).map(([findings, group]) => el("div", { class: "answers" },
          el("div", { class: "row" }, group.map(([value, each]) =>
            el("button", { type: "button", "data-answer": value, "data-key": `${question.kind}-${question.field}-${value}`, onclick: () => answer(question, each.report) }, suited(sentence(each.means))))),
          el("ul", { class: "follows" }, (findings.length ? findings : ["nothing more is sure then"]).map((text) => el("li", {}, suited(sentence(text))))))));
  });
}

/** Answers from which the same follows stand together. */
function grouped(answers) {
  const groups = new Map();
  for (const each of answers) {
    const key = JSON.stringify(each[1].findings);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups].map(([key, group]) => [JSON.parse(key), group]);
}

/** Advice that goes with the clauses used; not law. */
export function adviceLines(ruling) {
  return ruling.advice.map((each) => el("p", { class: "advice" }, el("b", {}, "Advice: "), suited(each.text), " ", clauseLink(each.clause, ruling.edition)));
}
