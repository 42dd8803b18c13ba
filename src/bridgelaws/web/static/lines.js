/** A ruling as the lines that a Director reads out, for the page, for the players and for comparing editions. */

import { SEAT_NAMES, SEATS, symbol } from "./cards.js";
import { sentence } from "./site.js";

/** What can be said of several players in the words that are said of one: ruling/text.py has the same. */
const FITS_SEVERAL = /^(may|must|should|shall|cannot)\b(?!.*\b(he|his|him|himself)\b)/;

/**
 * @typedef {{text: string, clauses: string[], part: string}} Line
 * @returns {Line[]} what is so and who may play what; options and questions are not among them
 */
export function linesOf(ruling) {
  return [
    ...ruling.conflicts.map((each) => ({ text: sentence(each.text), clauses: each.clauses, part: "conflict" })),
    ...merged(ruling.findings),
    ...SEATS.filter((seat) => ruling.plays[seat]).map((seat) => playsLine(seat, ruling.plays[seat])),
  ];
}

/** Findings that begin with a player and differ only in him become one: "East and West may not …". */
function merged(findings) {
  const groups = new Map();
  for (const finding of findings) {
    const { player, text, ...others } = finding;
    const name = `${SEAT_NAMES[player]} `;
    const begins = text.startsWith(name) && FITS_SEVERAL.test(text.slice(name.length));
    const key = JSON.stringify(begins ? others : [others, player, text]);
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()].map((group) => {
    const names = group.map((each) => SEAT_NAMES[each.player]);
    const joined = names.length === 4 ? "everyone" : names.join(" and ");
    const text = group.length > 1 ? group[0].text.replace(names[0], joined) : group[0].text;
    return { text: sentence(text), clauses: group[0].clauses, part: "finding" };
  });
}

function playsLine(seat, plays) {
  const name = SEAT_NAMES[seat];
  const clauses = [...new Set(plays.may_not.flatMap((each) => each.clauses))];
  const shown = (cards) => cards.map(symbol).join(" ");
  if (!plays.may_not.length && !plays.undecided.length) {
    const which = plays.complete ? "any card" : `any of the cards known: ${shown(plays.may)}`;
    return { text: `${name} may play ${which}`, clauses, part: "plays" };
  }
  const groups = new Map();
  for (const { card, because } of plays.may_not) groups.set(because[0] ?? "", [...(groups.get(because[0] ?? "") ?? []), card]);
  const nots = [...groups].map(([reason, cards]) => `, not ${[shown(cards), reason].filter(Boolean).join(" ")}`).join("");
  const open = plays.undecided.length ? `; ${shown(plays.undecided)} ${plays.undecided.length === 1 ? "depends" : "depend"} on the answers below` : "";
  return { text: `${name} may play ${shown(plays.may) || "none of the cards known"}${nots}${open}`, clauses, part: "plays" };
}

/** Everything that can differ between two rulings, options and questions too. */
export function allLines(ruling) {
  return [
    ...linesOf(ruling),
    ...ruling.options.flatMap((group) => group.options.map((option) =>
      ({ text: `${sentence(group.chooser)} may choose: ${option.text}`, clauses: option.clauses, part: "option" }))),
    ...ruling.questions.map((each) => ({ text: `Question: ${each.ask}`, clauses: [], part: "question" })),
  ];
}

/** Whether two rulings come to the same, whatever the clauses are numbered. */
export function sameRuling(one, other) {
  const texts = (ruling) => JSON.stringify(allLines(ruling).map((line) => line.text).sort());
  return texts(one) === texts(other);
}

/** The lines of both, each with where it stands: in `both`, only `here` or only `there`. */
export function compared(here, there) {
  const ours = allLines(here);
  const theirs = allLines(there);
  const has = (lines, line) => lines.find((each) => each.text === line.text);
  return [
    ...ours.map((line) => ({ ...line, where: has(theirs, line) ? "both" : "here", other: has(theirs, line)?.clauses })),
    ...theirs.filter((line) => !has(ours, line)).map((line) => ({ ...line, where: "there" })),
  ];
}

/** The ruling for the players, as plain text. */
export function textFor(ruling, title) {
  const cited = (line) => `${line.text}${line.clauses.length ? `  (${line.clauses.join(", ")})` : ""}`;
  const options = ruling.options.flatMap((group) => [`${sentence(group.chooser)} chooses:`,
    ...group.options.map((option, place) => `  ${place + 1}. ${cited(option)}`)]);
  const questions = ruling.questions.map((each) =>
    `Still to be settled: ${each.ask}${each.judgement ? " It is the Director's judgement." : ""}`);
  const lines = [...linesOf(ruling).map(cited), ...options, ...questions, ...ruling.advice.map((each) => `Advice: ${each.text}  (${each.clause})`)];
  return [title, title && "", ...lines, "", `Laws of Duplicate Bridge, edition ${ruling.edition}`].filter((each, place) => each || place).join("\n") + "\n";
}
