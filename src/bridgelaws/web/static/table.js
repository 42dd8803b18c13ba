/** The table: contract, four hands, the deal, the tricks; typed, pasted or clicked. */

import { cardBoard } from "./board.js";
import { readHand, readPbn, SEAT_NAMES, SEATS, symbol, writeHand } from "./cards.js";
import { handCards } from "./diagram.js";
import { buttonRow } from "./fields.js";
import { refill } from "./keeping.js";
import { declarerOf, readContract, readPlay, roleOf, withCard } from "./play.js";
import { el, fill, suited } from "./site.js";

const PLACES = { N: "north", E: "east", S: "south", W: "west" };
const SEAT_WORDS = SEATS.map((seat) => [seat, seat, SEAT_NAMES[seat]]);

/**
 * @param {{draft: import("./draft.js").Draft, changed: () => void}} desk
 * @returns {{element: HTMLElement, show: (ruling: Object|null) => void, load: () => void}} `show` draws what follows from
 *   the fields; `load` puts the draft into the fields themselves
 */
export function tablePanel(desk) {
  let selected = "N";
  let plays = {};
  const wrong = (path) => el("p", { class: "wrong", "data-errors": path, hidden: true });
  const box = (name, attributes) => el("input", {
    type: "text", id: name, autocomplete: "off", spellcheck: "false", ...attributes,
    oninput: (event) => { desk.draft[name] = event.target.value; desk.changed(); },
  });
  const contract = box("contract", { placeholder: "4S by S" });
  const trick = box("trick", { inputmode: "numeric", class: "number", placeholder: "1" });
  const claim = box("claim", { placeholder: "S: draw trumps, DA" });
  const declarer = el("div");
  const onLead = el("div");
  const stage = el("select", { id: "stage", onchange: () => { desk.draft.stage = stage.value; desk.changed(); } },
    [["", "as it follows"], ["auction", "the auction"], ["play", "the play"], ["over", "after the play"]].map(([value, shown]) => el("option", { value }, shown)));
  const tricks = el("textarea", { id: "tricks", rows: 3, placeholder: "W: S4 S2 SK SA", spellcheck: "false",
    oninput: () => { desk.draft.tricks = tricks.value; desk.changed(); } });
  const deal = el("textarea", { id: "deal", rows: 2, placeholder: "N:AKQ..KT862.J3 - - -", spellcheck: "false", oninput: dealt });
  const dealWrong = el("p", { class: "wrong", role: "status", hidden: true });
  const middle = el("div", { class: "middle" });
  const hands = Object.fromEntries(SEATS.map((seat) => [seat, handOf(seat)]));
  const board = cardBoard("Cards of the hand", pick);
  const boardFor = el("div");

  function handOf(seat) {
    const cards = handCards(seat, (card) => { desk.draft.tricks = withCard(desk.draft, card) ?? desk.draft.tricks; tricks.value = desk.draft.tricks; desk.changed(); });
    const role = el("small", { class: "faint" });
    const name = el("button", { type: "button", class: "quiet seat", onclick: () => select(seat) }, SEAT_NAMES[seat]);
    const input = el("input", {
      type: "text", id: `hand-${seat}`, "aria-label": `${SEAT_NAMES[seat]}'s cards`, placeholder: "♠ ♥ ♦ ♣", autocomplete: "off", spellcheck: "false",
      onpaste: pastedDeal,
      oninput: () => { desk.draft.hands[seat] = input.value; desk.changed(); },
    });
    return { cards, role, name, input, element: el("section", { class: `hand ${PLACES[seat]}`, "data-seat": seat },
      el("h3", {}, name, role), cards.element, input, wrong(`table.hands.${seat}`)) };
  }
  function select(seat) {
    selected = seat;
    boardDetails.open = true;
    showBoard();
  }
  function pick(card) {
    for (const seat of SEATS) {
      const held = readHand(desk.draft.hands[seat]);
      if (!held) continue;
      if (seat === selected) setHand(seat, held.includes(card) ? held.filter((each) => each !== card) : [...held, card]);
      else if (held.includes(card)) setHand(seat, held.filter((each) => each !== card));
    }
    desk.changed();
  }
  function setHand(seat, cards) {
    desk.draft.hands[seat] = writeHand(cards);
    hands[seat].input.value = desk.draft.hands[seat];
  }
  function dealt() {
    const read = deal.value.trim() ? readPbn(deal.value) : null;
    dealWrong.hidden = Boolean(read) || !deal.value.trim();
    fill(dealWrong, "this is not a whole deal yet; write it as in PBN, with '-' for a hand that is not known");
    if (read) take(read);
  }
  function pastedDeal(event) {
    const read = readPbn(event.clipboardData?.getData("text") ?? "");
    if (!read) return;
    event.preventDefault();
    take(read);
  }
  function take(read) {
    Object.assign(desk.draft.hands, read.hands);
    if (read.contract) Object.assign(desk.draft, { contract: read.contract, declarer: read.declarer });
    deal.value = "";
    load();
    desk.changed();
  }
  function choose(name) {
    return (seat) => {
      desk.draft[name] = seat ?? "";
      // The contract names the declarer as well: it must not go on to say something else.
      if (name === "declarer" && readContract(desk.draft.contract)?.declarer) {
        const { level, strain, doubled } = readContract(desk.draft.contract);
        contract.value = desk.draft.contract = `${level}${strain === "N" ? "NT" : strain}${doubled}${seat ? ` by ${seat}` : ""}`;
      }
      desk.changed();
    };
  }
  function showBoard() {
    const elsewhere = {};
    for (const seat of SEATS) for (const card of readHand(desk.draft.hands[seat]) ?? []) elsewhere[card] = seat;
    board.show(readHand(desk.draft.hands[selected]) ?? [], elsewhere);
    board.element.setAttribute("aria-label", `Cards of ${SEAT_NAMES[selected]}`);
    refill(boardFor, buttonRow("Whose cards", SEATS.map((seat) => [seat, SEAT_NAMES[seat]]), selected, (seat) => seat && select(seat), "board-for"));
    for (const seat of SEATS) hands[seat].element.classList.toggle("selected", seat === selected && boardDetails.open);
  }
  const boardDetails = el("details", { class: "board-details", ontoggle: showBoard }, el("summary", {}, "Click the cards"), boardFor, board.element);

  function show(ruling) {
    plays = ruling?.plays ?? {};
    const play = readPlay(desk.draft);
    const played = new Set(play?.tricks.flatMap((each) => each.cards) ?? []);
    for (const seat of SEATS) {
      hands[seat].cards.show(desk.draft.hands[seat], plays[seat], { played, turn: play?.turn === seat });
      fill(hands[seat].role, roleOf(seat, desk.draft), play?.turn === seat && play.tricks.length > 0 && " · to play");
    }
    refill(declarer, buttonRow("Declarer", SEAT_WORDS, declarerOf(desk.draft) ?? undefined, choose("declarer"), "declarer"));
    refill(onLead, buttonRow("On lead", SEAT_WORDS, desk.draft.on_lead || undefined, choose("on_lead"), "on_lead"));
    fill(middle, el("b", {}, suited(shownContract(desk.draft))), lastTrick(play));
    showBoard();
  }
  function load() {
    for (const each of [contract, trick, tricks, stage, claim]) each.value = desk.draft[each.id];
    for (const seat of SEATS) hands[seat].input.value = desk.draft.hands[seat];
    // What is filled in should be seen.
    if (desk.draft.tricks || desk.draft.trick || desk.draft.on_lead || desk.draft.stage || desk.draft.claim) more.open = true;
  }
  const more = el("details", { class: "more" }, el("summary", {}, "Tricks, whose lead, a claim to try, a deal to paste"),
    el("div", { class: "field" }, el("label", { for: "tricks" }, "Tricks so far, one a line, the leader first"), tricks, wrong("table.tricks")),
    el("div", { class: "fields" },
      el("div", { class: "field" }, el("div", { class: "label" }, "On lead"), onLead, wrong("table.on_lead")),
      el("div", { class: "field" }, el("label", { for: "trick" }, "Trick number now"), trick, wrong("table.trick")),
      el("div", { class: "field" }, el("label", { for: "stage" }, "Stage"), stage, wrong("table.stage"))),
    el("div", { class: "field" }, el("label", { for: "claim" }, "Whose claim to try on the cards, and the line that he stated"), claim,
      wrong("table.claim"), wrong("table.claim.by"), wrong("table.claim.line")),
    el("div", { class: "field" }, el("label", { for: "deal" }, "Paste a PBN deal"), deal, dealWrong));
  const element = el("section", { class: "panel", id: "table", "aria-labelledby": "table-title" }, el("h2", { id: "table-title" }, "The table"),
    el("div", { class: "fields" },
      el("div", { class: "field" }, el("label", { for: "contract" }, "Contract"), contract, wrong("table.contract")),
      el("div", { class: "field" }, el("div", { class: "label" }, "Declarer"), declarer, wrong("table.declarer"))),
    el("div", { class: "diagram" }, SEATS.map((seat) => hands[seat].element), middle), boardDetails, more, wrong("table"));
  return { element, show, load };
}

function shownContract(draft) {
  const contract = readContract(draft.contract);
  if (!contract) return "";
  const strain = contract.strain === "N" ? "NT" : symbol(contract.strain + " ").trim();
  return `${contract.level}${strain}${contract.doubled}${declarerOf(draft) ? ` by ${SEAT_NAMES[declarerOf(draft)]}` : ""}`;
}

function lastTrick(play) {
  const last = play?.tricks.at(-1);
  if (!last) return null;
  return el("div", { class: "small" }, el("div", { class: "faint" }, `trick ${play.number - (last.size < 4 ? 0 : 1)}, led by ${SEAT_NAMES[last.leader]}`),
    suited(last.cards.map(symbol).join(" ")));
}
