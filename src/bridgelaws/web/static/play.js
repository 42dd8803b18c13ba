/** The contract, the tricks and whose turn it is, as far as a diagram needs them. The server has the last word. */

import { RANKS, readHand, readSeat, SEATS } from "./cards.js";

const CONTRACT = new RegExp(
  "^\\s*([1-7])\\s*(NT|NO ?TRUMPS?|SPADES?|HEARTS?|DIAMONDS?|CLUBS?|[SHDCN♠♥♦♣])\\s*(X{0,2})" +
  "\\s*(?:BY\\s+)?(NORTH|EAST|SOUTH|WEST|[NESW])?\\s*(X{0,2})\\s*$", "iu");
const STRAIN = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };

/** The contract in a text: its strain (`N` is notrump) and its declarer, null if it names none; null if it is none. */
export function readContract(text) {
  const found = CONTRACT.exec(String(text).replace(/[\ufe0e\ufe0f]/gu, ""));
  if (!found) return null;
  const strain = STRAIN[found[2]] ?? found[2][0].toUpperCase();
  return { level: found[1], strain, doubled: (found[3] || found[5] || "").toUpperCase(), declarer: found[4] ? readSeat(found[4]) : null };
}

/** The declarer's seat, from the contract or from the field beside it. */
export function declarerOf(draft) {
  return readContract(draft.contract)?.declarer ?? (draft.declarer || null);
}

/** `declarer`, `dummy` or `defender`; empty while nobody is declarer. */
export function roleOf(seat, draft) {
  const declarer = declarerOf(draft);
  if (!declarer) return "";
  if (seat === declarer) return "declarer";
  return seat === after(declarer, 2) ? "dummy" : "defender";
}

/** The seat so many places to the left. */
export function after(seat, places = 1) {
  return SEATS[(SEATS.indexOf(seat) + places) % 4];
}

/**
 * The tricks of a text, one a line, and who is to play next.
 *
 * @returns {{tricks: {leader: string, cards: string[], size: number, winner: string|null}[], turn: string|null,
 *   number: number}|null}
 *   null if a line cannot be read
 */
export function readPlay(draft) {
  const contract = readContract(draft.contract);
  const declarer = declarerOf(draft);
  const lines = draft.tricks.split("\n").map((line) => line.trim()).filter(Boolean);
  const now = Number(draft.trick) || 0;
  let leader = declarer && !now ? after(declarer) : null;
  const tricks = [];
  for (const line of lines) {
    const found = /^([^:\s]+)\s*:(.*)$/u.exec(line);
    const named = found && seatNamed(found[1], declarer);
    const trick = readTrick(named ? found[2] : line);
    if (!trick || trick.size > 4 || !trick.cards.length) return null;
    const { cards, places, size } = trick;
    leader = named ?? leader ?? (readSeat(draft.on_lead) || null);
    if (!leader) return null;
    const winner = size === 4 ? winnerOf(leader, cards, places, contract) : null;
    tricks.push({ leader, cards, size, winner });
    leader = winner;
  }
  const last = tricks.at(-1);
  const open = last && last.size < 4;
  const turn = open ? after(last.leader, last.size) : leader ?? (readSeat(draft.on_lead) || null);
  const complete = tricks.length - (open ? 1 : 0);
  return { tricks, turn, number: now || complete + 1 };
}

/** The cards of a trick and the place of each; a dash stands for the card of a hand that played none. */
function readTrick(text) {
  const words = text.trim().split(/[\s,;]+/u);
  const isGap = (word) => /^[-–—−]$/u.test(word);
  if (!words.some(isGap)) {
    const cards = readHand(text);
    return cards && { cards, places: cards.map((_, place) => place), size: cards.length };
  }
  const places = [...words.keys()].filter((place) => !isGap(words[place]));
  const read = places.map((place) => readHand(words[place]));
  return read.every((cards) => cards?.length === 1) ? { cards: read.flat(), places, size: words.length } : null;
}

function seatNamed(text, declarer) {
  const role = text.toLowerCase();
  if (declarer && role === "declarer") return declarer;
  if (declarer && role === "dummy") return after(declarer, 2);
  return readSeat(text);
}

function winnerOf(leader, cards, places, contract) {
  const led = cards[0][0];
  if (!contract && cards.some((card) => card[0] !== led)) return null;
  const worth = (card) => (card[0] === contract?.strain ? 200 : card[0] === led ? 100 : 0) - RANKS.indexOf(card[1]);
  const best = cards.reduce((high, card) => (worth(card) > worth(high) ? card : high));
  return after(leader, places[cards.indexOf(best)]);
}

/** The text of the tricks after one more card, or null if it is not known whose turn it is. */
export function withCard(draft, card) {
  const play = readPlay(draft);
  if (!play?.turn) return null;
  const lines = draft.tricks.split("\n").map((line) => line.trim()).filter(Boolean);
  const last = play.tricks.at(-1);
  if (last && last.size < 4) lines[lines.length - 1] += ` ${card}`;
  else lines.push(`${play.turn}: ${card}`);
  return lines.join("\n");
}
