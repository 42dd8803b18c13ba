/** Cards, hands and deals: read as a case file may write them, written in one way. The server has the last word. */

export const SEATS = ["N", "E", "S", "W"];
export const SEAT_NAMES = { N: "North", E: "East", S: "South", W: "West" };
export const SIDE_NAMES = { NS: "North-South", EW: "East-West" };
export const SUITS = ["S", "H", "D", "C"];
export const SUIT_NAMES = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
export const SYMBOLS = { S: "♠", H: "♥", D: "♦", C: "♣" };
export const RANKS = [..."AKQJT98765432"];
export const RANK_NAMES = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten" };

const SUIT_OF = { "♠": "S", "♤": "S", "♥": "H", "♡": "H", "♦": "D", "♢": "D", "♣": "C", "♧": "C" };
const SUIT = "(?:SPADES?|HEARTS?|DIAMONDS?|CLUBS?|[CDHS♣♦♥♠♧♢♡♤])";
const RANK = "(?:10|[2-9TJQKA])";
const SUIT_FIRST = new RegExp(`^(?:${SUIT}:?(?:-|${RANK}*))+$`, "u");
const SUIT_AND_RANKS = new RegExp(`(${SUIT}):?(-|${RANK}*)`, "gu");
const RANK_FIRST = new RegExp(`^(?:${RANK}${SUIT})+$`, "u");
const RANK_AND_SUIT = new RegExp(`(${RANK})(${SUIT})`, "gu");
const ONLY_RANKS = new RegExp(`^${RANK}+$`, "u");
const EACH_RANK = new RegExp(RANK, "gu");

/** `E` for `East`, `e` or `E`; null for anything else. */
export function readSeat(text) {
  const given = String(text).trim().toUpperCase();
  return SEATS.find((seat) => given === seat || given === SEAT_NAMES[seat].toUpperCase()) ?? null;
}

/** `D8` for `♦8`, `8d` or `D8`; null for anything else. */
export function readCard(text) {
  const read = readHand(text);
  return read?.length === 1 ? read[0] : null;
}

/** The cards of a hand in any of the ways to write one; null if a part of it cannot be read. */
export function readHand(text) {
  const plain = String(text).replace(/[\ufe0e\ufe0f]/gu, "").toUpperCase().trim();
  if (!plain || plain === "-") return [];
  if (plain.includes(".")) return readDotted(plain);
  const cards = [];
  let suit = null;
  for (const word of plain.split(/[\s,;]+/u).filter(Boolean)) {
    if (SUIT_FIRST.test(word)) {
      for (const [, name, ranks] of word.matchAll(SUIT_AND_RANKS)) {
        suit = ranks === "-" ? null : suitOf(name);
        if (suit) cards.push(...ofSuit(suit, ranks));
      }
    } else if (RANK_FIRST.test(word)) {
      for (const [, rank, name] of word.matchAll(RANK_AND_SUIT)) cards.push(...ofSuit(suitOf(name), rank));
      suit = null;
    } else if (suit && ONLY_RANKS.test(word)) cards.push(...ofSuit(suit, word));
    else if (suit && word === "-") suit = null;
    else return null;
  }
  return [...new Set(cards)];
}

function readDotted(text) {
  const suits = text.split(".").map((ranks) => ranks.replace(/[\s,;-]+/gu, ""));
  if (suits.length !== 4 || !suits.every((ranks) => !ranks || ONLY_RANKS.test(ranks))) return null;
  return [...new Set(suits.flatMap((ranks, place) => ofSuit(SUITS[place], ranks)))];
}

function suitOf(name) {
  return SUIT_OF[name] ?? name[0];
}

function ofSuit(suit, ranks) {
  return (ranks.match(EACH_RANK) ?? []).map((rank) => suit + (rank === "10" ? "T" : rank));
}

/** The cards as a hand is held: spades first, high cards first. */
export function inOrder(cards) {
  return [...cards].sort((a, b) =>
    SUITS.indexOf(a[0]) - SUITS.indexOf(b[0]) || RANKS.indexOf(a[1]) - RANKS.indexOf(b[1]));
}

/** `♠AK ♦KT862` */
export function writeHand(cards) {
  const held = SUITS.map((suit) => [suit, inOrder(cards).filter((card) => card[0] === suit).map((card) => card[1])]);
  return held.filter(([, ranks]) => ranks.length).map(([suit, ranks]) => SYMBOLS[suit] + ranks.join("")).join(" ");
}

/** `♦8` */
export function symbol(card) {
  return SYMBOLS[card[0]] + card[1];
}

/** `eight of diamonds`, for those who hear the page. */
export function spoken(card) {
  return `${RANK_NAMES[card[1]] ?? card[1]} of ${SUIT_NAMES[card[0]]}`;
}

/**
 * What a pasted PBN text tells: the hands of its Deal tag, or of a bare deal, and its contract and declarer.
 *
 * @returns {{hands: Object<string, string>, contract: string, declarer: string}|null} null if there is no deal in it
 */
export function readPbn(text) {
  const tag = (name) => new RegExp(`\\[\\s*${name}\\s+"([^"]*)"\\s*\\]`, "iu").exec(text)?.[1] ?? "";
  const deal = tag("Deal") || text.trim();
  const found = /^([NESW]):\s*(\S+)\s+(\S+)\s+(\S+)\s+(\S+)$/iu.exec(deal.trim());
  if (!found) return null;
  const hands = { N: "", E: "", S: "", W: "" };
  const first = SEATS.indexOf(found[1].toUpperCase());
  for (let place = 0; place < 4; place += 1) {
    const cards = found[2 + place] === "-" ? [] : readDotted(found[2 + place].toUpperCase());
    if (!cards) return null;
    hands[SEATS[(first + place) % 4]] = writeHand(cards);
  }
  const contract = /^[1-7]/u.test(tag("Contract")) ? tag("Contract") : "";
  return { hands, contract, declarer: readSeat(tag("Declarer").replace("^", "")) ?? "" };
}
