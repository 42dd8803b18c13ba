/** What stands on the desk: a draft with a text for each field, and the case that it makes. */

import { readPbn, readSeat, SEATS } from "./cards.js";
import { after, readContract } from "./play.js";

/**
 * @typedef {Object} Draft
 * @property {string} title
 * @property {string} edition
 * @property {string} contract
 * @property {string} declarer a seat, or nothing
 * @property {Object<string, string>} hands by seat
 * @property {string} tricks a line each
 * @property {string} trick the number of the trick now, or nothing
 * @property {string} on_lead
 * @property {string} claim who claims, and after a colon the line that he stated
 * @property {string} stage
 * @property {{kind: string, fields: Object}[]} reports
 * @property {Object[]} choices each as the API gives it
 * @property {Object} regulations
 */

const TABLE_TEXTS = ["contract", "declarer", "on_lead", "stage"];
const CASE_KEYS = ["title", "source", "note", "edition", "table", "reports", "choices", "regulations", "expect"];
const TABLE_KEYS = ["contract", "declarer", "deal", "hands", "tricks", "trick", "on_lead", "stage", "claim"];
const MOST_TEXT = 2000;
const MOST_ENTRIES = 60;

/** @returns {Draft} */
export function emptyDraft(edition = "") {
  return {
    title: "", edition, contract: "", declarer: "", hands: { N: "", E: "", S: "", W: "" }, tricks: "", trick: "",
    on_lead: "", stage: "", claim: "", reports: [], choices: [], regulations: {},
  };
}

/** Whether nothing has been put on the desk. */
export function isEmpty(draft) {
  return JSON.stringify({ ...draft, edition: "" }) === JSON.stringify(emptyDraft());
}

/**
 * The case as the API and the commands read it.
 *
 * @param {Draft} draft
 * @param {(report: Object) => boolean} [kept] which reports belong to it; all, unless told
 */
export function caseOf(draft, kept = () => true) {
  const table = {};
  if (draft.contract.trim()) table.contract = draft.contract.trim();
  if (draft.declarer && !readContract(draft.contract)?.declarer) table.declarer = draft.declarer;
  const hands = SEATS.filter((seat) => draft.hands[seat].trim()).map((seat) => [seat, draft.hands[seat].trim()]);
  if (hands.length) table.hands = Object.fromEntries(hands);
  const tricks = draft.tricks.split("\n").map((line) => line.trim()).filter(Boolean);
  if (tricks.length) table.tricks = tricks;
  if (draft.trick.trim()) table.trick = /^\d+$/u.test(draft.trick.trim()) ? Number(draft.trick) : draft.trick.trim();
  if (draft.on_lead) table.on_lead = draft.on_lead;
  if (draft.stage) table.stage = draft.stage;
  if (draft.claim.trim()) table.claim = claimIn(draft.claim);
  const made = {};
  if (draft.title.trim()) made.title = draft.title.trim();
  if (draft.edition) made.edition = draft.edition;
  if (Object.keys(table).length) made.table = table;
  const reports = draft.reports.filter(kept).map(({ kind, fields }) => ({ [kind]: { ...fields } }));
  if (reports.length) made.reports = reports;
  if (draft.choices.length) made.choices = draft.choices;
  if (Object.keys(draft.regulations).length) made.regulations = draft.regulations;
  return made;
}

/** A case, from a link or a file, does not have the shape of one. */
export class NotACase extends Error {}

/**
 * The draft for a case that comes from elsewhere. Nothing of it is believed: what has not the right shape is refused.
 *
 * @returns {Draft}
 */
export function draftOf(given) {
  const data = map(given, "the case");
  known(data, CASE_KEYS, "a case");
  const table = map(data.table ?? {}, "the table");
  known(table, TABLE_KEYS, "a table");
  const draft = emptyDraft(text(data.edition ?? "", "the edition"));
  draft.title = text(data.title ?? "", "the title");
  for (const name of TABLE_TEXTS) draft[name] = text(table[name] ?? "", `'${name}'`);
  draft.declarer = readSeat(draft.declarer) ?? "";
  draft.on_lead = seatOf(draft.on_lead, draft) ?? "";
  draft.trick = String(scalar(table.trick ?? "", "the number of the trick"));
  draft.tricks = list(table.tricks ?? [], "the tricks").map(trickText).join("\n");
  if (table.deal !== undefined) {
    const dealt = readPbn(text(table.deal, "the deal"));
    if (!dealt) throw new NotACase("the deal cannot be read");
    Object.assign(draft.hands, dealt.hands);
  }
  for (const [key, hand] of Object.entries(map(table.hands ?? {}, "the hands"))) {
    const seat = seatOf(key, draft);
    if (!seat) throw new NotACase("a hand belongs to nobody");
    draft.hands[seat] = Array.isArray(hand) ? list(hand, "a hand").map((each) => text(each, "a card")).join(" ") : text(hand, "a hand");
  }
  draft.claim = claimText(table.claim ?? "");
  draft.reports = list(data.reports ?? [], "the reports").map((each) => {
    const [kind, fields] = single(each, "a report");
    return { kind, fields };
  });
  draft.choices = list(data.choices ?? [], "the choices").map((each) => Object.fromEntries([single(each, "a choice")]));
  const regulations = Object.entries(map(data.regulations ?? {}, "the regulations"));
  draft.regulations = Object.fromEntries(regulations.map(([name, value]) =>
    [name, value !== null && typeof value === "object" ? fieldsOf(value) : scalar(value, "a regulation")]));
  return draft;
}

/** The claim as a case has it: `S`, or for `S: draw trumps, DA` who claims and the steps that he stated. */
function claimIn(typed) {
  const [by, ...rest] = typed.split(":").map((each) => each.trim());
  const line = rest.join(":").split(",").map((each) => each.trim()).filter(Boolean);
  return line.length ? { by, line } : by;
}

/** The claim as it is typed. */
function claimText(given) {
  if (typeof given === "string") return text(given, "the claim");
  const claim = map(given, "the claim");
  known(claim, ["by", "line"], "a claim");
  const steps = typeof claim.line === "string" ? [claim.line] : list(claim.line ?? [], "the line");
  return [text(claim.by ?? "", "the claimer"), steps.map((each) => text(each, "a step")).join(", ")].filter(Boolean).join(": ");
}

function seatOf(name, draft) {
  const declarer = readContract(draft.contract)?.declarer ?? draft.declarer;
  if (declarer && name === "declarer") return declarer;
  if (declarer && name === "dummy") return after(declarer, 2);
  return readSeat(name);
}

function trickText(trick) {
  if (typeof trick === "string") return text(trick, "a trick").replace(/\s+/gu, " ");
  const [leader, cards] = Object.entries(map(trick, "a trick"))[0] ?? ["", ""];
  return `${leader}: ${text(cards, "a trick")}`.replace(/\s+/gu, " ");
}

function single(value, what) {
  const entries = Object.entries(map(value, what));
  if (entries.length !== 1) throw new NotACase(`${what} names one kind`);
  return [entries[0][0].slice(0, 100), fieldsOf(entries[0][1] ?? {})];
}

function fieldsOf(value) {
  const entries = Object.entries(map(value, "the fields of a report"));
  return Object.fromEntries(entries.filter(([, each]) => each !== null).map(([name, each]) => [name, scalar(each, `'${name}'`)]));
}

function map(value, what) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw new NotACase(`${what} cannot be read`);
  if (Object.keys(value).length > MOST_ENTRIES) throw new NotACase(`${what} has too many parts`);
  return value;
}

function known(value, keys, what) {
  const other = Object.keys(value).find((key) => !keys.includes(key));
  if (other !== undefined) throw new NotACase(`${what} has no '${other.slice(0, 40)}'`);
}

function list(value, what) {
  if (!Array.isArray(value)) throw new NotACase(`${what} are not a list`);
  if (value.length > MOST_ENTRIES) throw new NotACase(`${what} are too many`);
  return value;
}

function text(value, what) {
  if (typeof value !== "string" || value.length > MOST_TEXT) throw new NotACase(`${what} is not a text, or too long a one`);
  return value;
}

function scalar(value, what) {
  if (typeof value === "string") return text(value, what);
  if (typeof value === "boolean" || Number.isInteger(value)) return value;
  throw new NotACase(`${what} is not a value`);
}
