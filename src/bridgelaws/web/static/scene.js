/** A case drawn: the hands as they sit, what the Director was told, and a ruling line by line. */

import { clauseLink, el, sentence, suited } from "./site.js";

const SEATS = { N: "North", E: "East", S: "South", W: "West" };
const SUITS = [["S", "♠"], ["H", "♥"], ["D", "♦"], ["C", "♣"]];
const SYMBOL = Object.fromEntries(SUITS);

/** The table and the reports of a scene, as the API tells it. */
export function scene({ table, marked, told }) {
  return [
    el("div", { class: "board" }, board(table, new Set(marked)), tricks(table.tricks)),
    told.length > 0 && el("div", { class: "told" },
      el("p", { class: "label" }, "The Director was told"),
      el("ul", {}, told.map((each) => el("li", {}, suited(`${sentence(each)}.`))))),
  ];
}

function board(table, marked) {
  const hands = Object.entries(table.hands);
  if (!hands.length) return el("p", { class: "contract" }, suited(table.contract));
  return el("div", { class: "hands" },
    hands.map(([seat, held]) => hand(seat, held, marked)),
    el("div", { class: "middle" }, el("div", {}, suited(table.contract)),
      table.now !== null && el("small", { class: "faint" }, `trick ${table.now}`)));
}

function hand(seat, held, marked) {
  const words = [held.role === "defender" ? "" : held.role, held.to_play ? "to play" : ""].filter(Boolean);
  return el("div", { class: `hand ${SEATS[seat].toLowerCase()}` },
    el("div", {}, el("b", {}, SEATS[seat]), words.length > 0 && el("small", { class: "faint" }, ` ${words.join(", ")}`)),
    suits(held, marked));
}

function suits(held, marked) {
  if (!held.cards.length) return el("div", { class: "faint small" }, held.complete ? "no cards left" : "not known");
  const rows = SUITS.map(([suit, symbol]) => {
    const cards = held.cards.filter((card) => card[0] === suit);
    if (!cards.length && !held.complete) return null;
    const ranks = cards.map((card) => [marked.has(card) ? el("mark", {}, card[1]) : card[1], " "]);
    return el("div", { class: "cards" }, suited(symbol), " ", cards.length ? ranks : "–");
  });
  return [rows, !held.complete && el("div", { class: "faint small" }, "others not known")];
}

function tricks(played) {
  if (!played.length) return null;
  return el("div", { class: "tricks" }, el("p", { class: "label" }, "Tricks"),
    el("ol", {}, played.map((trick) => el("li", { value: trick.number }, trick.played.map(({ seat, card }) =>
      el("span", { class: seat === trick.winner ? "won" : null, title: seat === trick.winner ? `won by ${SEATS[seat]}` : null },
        el("small", { class: "faint" }, seat), " ", suited(SYMBOL[card[0]] + card[1])))))));
}

/**
 * A ruling. Lines of `marks.lines` that are not in the other ruling have the class `marks.as`.
 *
 * @param {Array} lines as the API tells them
 * @param {string} edition the one to which the clauses lead
 */
export function ruling(lines, edition, marked = null) {
  return el("ul", { class: "ruling" }, lines.map((line) =>
    el("li", { class: [line.part.replaceAll(" ", "-"), line.indent ? "inner" : "", marked?.(line) ?? ""].join(" ").trim() },
      el("span", {}, suited(line.text)),
      line.clauses.length > 0 && el("span", { class: "cites" }, line.clauses.map((each) => [clauseLink(each, edition), " "])))));
}

/** Two rulings beside each other, with the lines that only one of them has marked. */
export function sideBySide(labels, rulings, editions) {
  const known = rulings.map((lines) => new Set(lines.map((line) => line.text + line.clauses)));
  return el("div", { class: "sides" }, rulings.map((lines, side) =>
    el("div", {}, el("p", { class: "label" }, labels[side]),
      ruling(lines, editions[side], (line) =>
        known[1 - side].has(line.text + line.clauses) ? "" : side ? "come" : "gone"))));
}
