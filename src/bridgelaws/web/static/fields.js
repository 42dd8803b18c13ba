/** One field of a form, drawn for its type; every one of them tells its value to `give`, or undefined for none. */

import { cardBoard } from "./board.js";
import { inOrder, RANKS, readCard, readHand, SEAT_NAMES, SEATS, SIDE_NAMES, spoken, SUIT_NAMES, SUITS, SYMBOLS, symbol } from "./cards.js";
import { el, sentence, suited } from "./site.js";

const WORDS = {
  seat: SEATS.map((seat) => [seat, SEAT_NAMES[seat]]),
  side: Object.entries(SIDE_NAMES),
  suit: SUITS.map((suit) => [suit, SYMBOLS[suit], SUIT_NAMES[suit]]),
  rank: RANKS.map((rank) => [rank, rank]),
};

/** What a field asks, in words. */
export function asks(field) {
  return field.ask || field.means || sentence(field.name.replaceAll("_", " "));
}

/**
 * @param {Object} field as the vocabulary describes it
 * @param {any} value
 * @param {(value: any, typed?: boolean) => void} give `typed` tells that the field shows the value already
 * @param {{key: string, path: string, hands: Object<string, string>, fields: Object}} about `key` is different for each
 *   field on the page; `path` is where errors find it
 */
export function fieldFor(field, value, give, about) {
  const id = `field-${about.key}`;
  const inner = field.type === "card" ? cardField(field, value, give, about, id)
    : field.type === "one_of" ? radios(Object.entries(field.values), field, value, give, about)
      : field.type === "yes_no" ? radios([[true, "yes"], [false, "no"]], field, value, give, about)
        : WORDS[field.type] ? [buttonRow(asks(field), WORDS[field.type], value, give, about.key)]
          : [numberBox(field, value, give, about, id)];
  const own = field.type === "card" || !["one_of", "yes_no"].includes(field.type) && !WORDS[field.type];
  const label = own ? el("label", { for: id }, asks(field)) : el("div", { class: "label" }, asks(field));
  const judged = field.judgement && el("span", { class: "judgement" }, "the Director's judgement");
  return el("div", { class: `field ${field.type}`, "data-field": field.name }, el("div", { class: "row asked" }, label, judged),
    inner, el("p", { class: "wrong", "data-errors": about.path, hidden: true }));
}

/** Buttons of which one at most is pressed; pressed again, it is let go. */
export function buttonRow(label, words, value, give, key) {
  return el("div", { class: "choices", role: "group", "aria-label": label }, words.map(([each, shown, said]) =>
    el("button", {
      type: "button", "aria-pressed": String(value === each), "aria-label": said, "data-key": `${key}-${each}`, "data-value": each,
      onclick: () => give(value === each ? undefined : each),
    }, suited(shown))));
}

function radios(words, field, value, give, about) {
  const one = (each, shown) => el("label", { class: "radio" },
    el("input", {
      type: "radio", name: about.key, value: String(each), checked: value === each, "data-key": `${about.key}-${each}`,
      onchange: () => give(each),
    }), el("span", {}, sentence(shown)));
  return [el("div", { class: field.type === "yes_no" ? "radios inline" : "radios", role: "radiogroup", "aria-label": asks(field) },
    words.map(([each, shown]) => one(each, shown)), one(undefined, "not told"))];
}

function cardField(field, value, give, about, id) {
  const box = el("input", {
    id, type: "text", value: value ? shownCard(value) : "", placeholder: "♦8 or D8", autocomplete: "off", spellcheck: "false",
    class: "card-box", "data-key": about.key,
    // A card that cannot be read goes to the server as it stands, which says what is wrong with it.
    oninput: () => give(box.value.trim() ? readCard(box.value) ?? box.value.trim() : undefined, true),
  });
  const board = cardBoard(asks(field), (card) => give(card === value ? undefined : card));
  // When a card is picked the board folds up: the box beside it has the keyboard then.
  board.element.dataset.key = about.key;
  board.show(value ? [value] : []);
  const held = likely(field, about);
  return [
    el("div", { class: "row" }, box, held.length > 0 && el("div", { class: "held", role: "group", "aria-label": "Cards listed" }, held.map((card) =>
      el("button", {
        type: "button", class: "pick", "aria-pressed": String(card === value), "aria-label": spoken(card), "data-card": card,
        "data-key": `${about.key}-${card}`, onclick: () => give(card === value ? undefined : card),
      }, suited(symbol(card)))))),
    el("details", { class: "all-cards", open: !value && !held.length }, el("summary", {}, "All cards"), board.element),
  ];
}

/** The cards that are listed for the player of this report, or if that is still open, for everyone, if they are few. */
function likely(field, about) {
  const seat = about.fields.player;
  const texts = SEATS.includes(seat) ? [about.hands[seat]] : Object.values(about.hands);
  const cards = texts.flatMap((text) => readHand(text) ?? []);
  return cards.length <= 13 ? inOrder(cards) : [];
}

function shownCard(value) {
  const read = typeof value === "string" && readCard(value);
  return read ? symbol(read) : String(value);
}

function numberBox(field, value, give, about, id) {
  const box = el("input", {
    id, type: "text", inputmode: "numeric", class: "number", value: value ?? "", "data-key": about.key, autocomplete: "off",
    placeholder: field.default === "now" ? "this one" : "",
    oninput: () => give(!box.value.trim() ? undefined : /^\d+$/u.test(box.value.trim()) ? Number(box.value) : box.value.trim(), true),
  });
  return box;
}
