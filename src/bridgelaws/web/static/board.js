/** All 52 cards, to be picked with a click, a tap, or the arrow keys and the space bar. */

import { RANKS, spoken, SUIT_NAMES, SUITS, SYMBOLS } from "./cards.js";
import { rove, settle } from "./roving.js";
import { el, fill } from "./site.js";

/**
 * @param {string} label what the cards are picked for
 * @param {(card: string) => void} pick
 * @returns {{element: HTMLElement, show: (chosen: string[], elsewhere?: Object<string, string>) => void}}
 *   `show` marks the cards that are chosen, and by card the seat that has it instead
 */
export function cardBoard(label, pick) {
  const buttons = new Map();
  const rows = SUITS.map((suit) => RANKS.map((rank) => {
    const card = suit + rank;
    const button = el("button", { type: "button", class: "pick", "data-card": card, onclick: () => pick(card) });
    buttons.set(card, button);
    return button;
  }));
  const element = el("div", { class: "board", role: "group", "aria-label": label },
    SUITS.map((suit, place) => el("div", { class: `rank-row ${SUIT_NAMES[suit]}` },
      el("span", { class: "suit-sign", "aria-hidden": "true" }, SYMBOLS[suit]), rows[place])));
  rove(element, () => rows);
  settle(rows);

  function show(chosen, elsewhere = {}) {
    for (const [card, button] of buttons) {
      const other = chosen.includes(card) ? "" : elsewhere[card] ?? "";
      fill(button, card[1], other && el("sub", {}, other));
      button.setAttribute("aria-pressed", String(chosen.includes(card)));
      button.setAttribute("aria-label", spoken(card) + (other ? `, with ${other}` : ""));
      button.classList.toggle("elsewhere", Boolean(other));
    }
  }
  show([]);
  return { element, show };
}
