/** The four hands as cards: those that may be played lit, the others dimmed, each with its reason. */

import { inOrder, readHand, SEAT_NAMES, spoken, SUITS, SUIT_NAMES, SYMBOLS, symbol } from "./cards.js";
import { refill } from "./keeping.js";
import { rove, settle } from "./roving.js";
import { clauseLink, el, fill, suited } from "./site.js";

const WHOLE_HAND = 13;

/** What the ruling says of each card of a seat. */
function verdicts(plays) {
  const found = new Map();
  for (const card of plays?.may ?? []) found.set(card, { state: "lit", text: "may be played", clauses: [] });
  for (const each of plays?.undecided ?? []) {
    found.set(each, { state: "open", text: "depends on the question that is open", clauses: [] });
  }
  for (const { card, clauses, because } of plays?.may_not ?? []) {
    found.set(card, { state: "dim", text: ["may not be played", ...because].join(" "), clauses });
  }
  return found;
}

/**
 * The cards of one hand.
 *
 * @param {string} seat
 * @param {(card: string) => void} play takes a card that is played from this hand
 * @returns {{element: HTMLElement, show: Function}}
 */
export function handCards(seat, play) {
  const cards = el("div", { class: "cards", role: "group", "aria-label": `Cards of ${SEAT_NAMES[seat]}` });
  const told = el("div", { class: "told", role: "status", hidden: true });
  const rows = () => [...cards.querySelectorAll(".suit-row")].map((row) => [...row.querySelectorAll("button")]);
  rove(cards, rows);
  let about = null;

  function tell(card, verdict, mayPlay) {
    about = about === card ? null : card;
    told.hidden = !about;
    if (!about) return;
    fill(told, el("p", {}, suited(`${symbol(card)} ${verdict?.text ?? "is in this hand"} `), verdict?.clauses.map((each) => [clauseLink(each), " "])),
      mayPlay && el("button", { type: "button", class: "small", onclick: () => { about = null; told.hidden = true; play(card); } }, "Play it"));
  }

  /**
   * @param {string} text the hand as typed
   * @param {Object} [plays] what the ruling says of it
   * @param {{played: Set<string>, turn: boolean}} at the cards that are gone, and whether it is this hand's turn
   */
  function show(text, plays, at) {
    const held = readHand(text);
    const found = verdicts(plays);
    if (!held?.includes(about)) {
      about = null;
      told.hidden = true;
    }
    // Of a hand that is not listed in full nobody knows which suit is a void.
    const suits = SUITS.filter((suit) => held?.length === WHOLE_HAND || held?.some((card) => card[0] === suit));
    refill(cards, suits.map((suit) => {
      const own = inOrder(held).filter((card) => card[0] === suit);
      return el("div", { class: `suit-row ${SUIT_NAMES[suit]}` }, el("span", { class: "suit-sign", "aria-hidden": "true" }, SYMBOLS[suit]),
        el("span", { class: "ranks" }, own.length ? own.map((card) => button(card, found.get(card), at)) : el("span", { class: "faint" }, "–")));
    }));
    settle(rows());
  }

  function button(card, verdict, at) {
    const gone = at.played.has(card);
    const text = gone ? "has been played" : verdict?.text;
    const title = text && [`${symbol(card)} ${text}`, ...(verdict?.clauses.length ? [`(${verdict.clauses.join(", ")})`] : [])].join(" ");
    return el("button", {
      type: "button", class: `held-card ${gone ? "gone-card" : verdict?.state ?? ""}`, title, "data-card": card, "data-key": `${seat}-${card}`,
      "aria-label": text ? `${spoken(card)} ${text}` : spoken(card),
      onclick: () => tell(card, gone ? { text: "has been played", clauses: [] } : verdict, at.turn && !gone),
    }, card[1]);
  }
  return { element: el("div", {}, cards, told), show };
}
