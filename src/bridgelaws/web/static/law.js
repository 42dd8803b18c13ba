/** The law book: every clause, what each edition says, its rules as sentences, its cases, and a search. */

import { ruling, scene } from "./scene.js";
import { api, clauseLink, el, fill, nav, suited } from "./site.js";

nav("law");
const main = document.getElementById("main");
const found = el("div", { class: "found" });
const count = el("p", { class: "count faint small", role: "status" });
const search = el("input", { type: "search", id: "search", autocomplete: "off", spellcheck: "false",
  placeholder: "50D2, or words", oninput: list, onkeydown: keyInSearch });
const page = el("article", { class: "clause", tabindex: "-1" });
const layout = el("div", { class: "two" },
  el("aside", { "aria-label": "Clauses" }, el("label", { for: "search" }, "Search the law"), search, count, found), page);

let book = [];
let clauses = [];
let editions = [];
let edition = "";
let asked = 0;

const plain = (text) => text.replace(/\s+/g, "").toLowerCase();

async function begin() {
  fill(main, el("h1", { class: "unseen" }, "The law book"), layout);
  try {
    const [told, contents] = await Promise.all([api("/v1/editions"), api("/v1/book")]);
    editions = told.editions.map((each) => each.name);
    edition = told.latest;
    book = contents.laws;
  } catch (error) {
    fill(main, el("p", { class: "notice bad" }, `The law cannot be shown: ${error.message}`));
    return;
  }
  clauses = book.flatMap((law) => law.clauses.map((clause) => ({
    ...clause, law: law.title, numbers: clause.editions.map((each) => each.number),
    words: `${clause.title} ${clause.text}`.toLowerCase(),
  })));
  list();
  follow();
  window.addEventListener("hashchange", follow);
  window.addEventListener("popstate", follow);
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      search.focus();
    }
  });
}

/** Show what the address names. */
function follow() {
  const wanted = new URLSearchParams(location.search).get("edition");
  if (editions.includes(wanted)) edition = wanted;
  let name = location.hash.slice(1);
  try { name = decodeURIComponent(name); } catch { /* it is looked for as it stands */ }
  if (!name) {
    layout.classList.remove("reading");
    welcome();
    return;
  }
  const clause = named(name);
  layout.classList.add("reading");
  if (clause) show(clause);
  else missing(name);
  list();
  reveal();
}

/** Bring the clause that is shown into view in the list beside it. */
function reveal() {
  const [beside, current] = [found.parentElement, found.querySelector("[aria-current]")];
  if (!current) return;
  const [room, own] = [beside.getBoundingClientRect(), current.getBoundingClientRect()];
  if (own.top < room.top || own.bottom > room.bottom) beside.scrollTop += own.top - room.top - room.height / 2;
}

/** The clause of this number: in the edition shown, or else in another, which is then shown; or of this file. */
function named(name) {
  const wanted = plain(name);
  const within = (chosen) => clauses.find((clause) =>
    clause.editions.some((each) => each.edition === chosen && plain(each.number) === wanted));
  if (within(edition)) return within(edition);
  for (const other of [...editions].reverse()) {
    if (within(other)) {
      edition = other;
      return within(other);
    }
  }
  return clauses.find((clause) => plain(clause.id) === wanted || plain(clause.number) === wanted);
}

function address(clause) {
  const own = clause.editions.find((each) => each.edition === edition) ?? clause.editions.at(-1);
  const query = own && own.edition !== editions.at(-1) ? `?edition=${encodeURIComponent(own.edition)}` : "";
  return `/law${query}#${encodeURIComponent(own ? own.number : clause.id)}`;
}

function welcome() {
  document.title = "Law book: bridgelaws";
  asked += 1;
  fill(page, el("h2", {}, "The Laws, clause by clause"),
    el("p", {}, `${clauses.length} clauses in the editions ${editions.join(", ")}, each with what every edition says in our own words, `
      + "its rules as sentences, and cases with their rulings. A law that is not listed is not encoded, and nothing is said about it."),
    el("p", { class: "faint" }, "The published Laws are the authority; have them beside you."));
}

function missing(name) {
  document.title = "No such clause: bridgelaws";
  asked += 1;
  const near = clauses.filter((clause) => clause.numbers.some((each) => plain(each).startsWith(plain(name).slice(0, 2)))).slice(0, 8);
  fill(page, el("p", { class: "notice bad" }, `There is no clause “${name}” here.`),
    near.length > 0 && el("p", {}, "Near it: ", near.map((clause) => [link(clause, clause.number), " "])));
}

function link(clause, text, name = "") {
  return el("a", { href: address(clause), title: clause.title, class: name || null }, text);
}

async function show(clause) {
  const turn = (asked += 1);
  document.title = `${clause.number} ${clause.title}: bridgelaws`;
  let told, rest;
  try {
    [told, rest] = await Promise.all([api(`/v1/clauses/${clause.id}`), api(`/v1/book/${clause.id}`)]);
  } catch (error) {
    if (turn === asked) fill(page, el("p", { class: "notice bad" }, `This clause cannot be shown: ${error.message}`));
    return;
  }
  if (turn !== asked) return;
  const versions = told.clauses.find((each) => each.id === clause.id).versions;
  const panel = el("div", { role: "tabpanel", id: "edition-panel", tabindex: "0" });
  const tabs = tablist(clause, (chosen) => {
    edition = chosen;
    const own = clause.editions.find((each) => each.edition === chosen);
    history.replaceState(null, "", `?edition=${encodeURIComponent(chosen)}#${encodeURIComponent(own ? own.number : clause.id)}`);
    panel.setAttribute("aria-labelledby", `tab-${editions.indexOf(chosen)}`);
    fill(panel, version(clause, versions, chosen));
    list();
  });
  fill(page,
    el("p", { class: "trail small" }, el("a", { href: "/law", class: "back", onclick: back }, "All clauses"), el("span", {}, clause.law)),
    el("h2", { class: "title" }, el("span", { class: "number" }, clause.number), " ", heading(clause)),
    tabs, panel,
    references(rest), cases(rest),
    el("p", { class: "row small" },
      el("a", { href: `/workshop#${encodeURIComponent(clause.id)}` }, "Try a change of it in the workshop"),
      el("a", { href: `/compare#${encodeURIComponent(clause.id)}` }, "Compare the editions")),
    neighbours(clause));
  panel.setAttribute("aria-labelledby", `tab-${editions.indexOf(edition)}`);
  fill(panel, version(clause, versions, edition));
  window.scrollTo(0, 0);
  // On a phone the list goes away, and with it the link that had the focus.
  if (document.activeElement === document.body || !document.activeElement.checkVisibility()) page.focus({ preventScroll: true });
}

function back(event) {
  event.preventDefault();
  history.pushState(null, "", "/law");
  follow();
  search.focus();
}

function heading(clause) {
  return clause.number.toLowerCase().includes(clause.title.toLowerCase()) ? "" : clause.title;
}

/** The editions as tabs: arrows move between them. */
function tablist(clause, choose) {
  const buttons = editions.map((name, place) => {
    const own = clause.editions.find((each) => each.edition === name);
    return el("button", { type: "button", role: "tab", id: `tab-${place}`, "aria-controls": "edition-panel",
      onclick: () => select(place) }, name, " ", el("small", {}, own ? own.number : "–"));
  });
  const bar = el("div", { role: "tablist", class: "tabs", "aria-label": "Editions", onkeydown: move }, buttons);
  function mark(place) {
    buttons.forEach((button, each) => {
      button.setAttribute("aria-selected", each === place);
      button.tabIndex = each === place ? 0 : -1;
    });
  }
  function select(place) {
    mark(place);
    choose(editions[place]);
  }
  function move(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const last = editions.length - 1;
    const now = editions.indexOf(edition);
    const place = event.key === "Home" ? 0 : event.key === "End" ? last : step ? (now + step + last + 1) % (last + 1) : -1;
    if (place < 0) return;
    event.preventDefault();
    select(place);
    buttons[place].focus();
  }
  mark(editions.indexOf(edition));
  return bar;
}

/** What an edition says. A rule that the edition before did not have in these words is marked. */
function version(clause, versions, chosen) {
  const of = (name) => {
    const own = clause.editions.find((each) => each.edition === name);
    return own && versions.find((each) => each.since === own.since);
  };
  const now = of(chosen);
  if (!now) return el("p", { class: "faint" }, `The ${chosen} edition has no such clause.`);
  const before = of(editions[editions.indexOf(chosen) - 1]);
  const old = before && new Set(before.rules.map((rule) => rule.sentence));
  return [
    el("p", { class: "gist serif" }, suited(now.gist)),
    now.no_rules && note("No rules.", now.no_rules),
    now.confidence === "reading" && note("Reading.", "The best reading of a text that was not seen or leaves doubt."),
    now.note && note("Note.", now.note),
    now.advice && note("Advice.", now.advice),
    now.rules.length > 0 && el("ol", { class: "rules" }, now.rules.map((rule) => el("li", {},
      el("h3", {}, rule.name, old && !old.has(rule.sentence) && el("small", { class: "new" }, "new or changed")),
      ruleText(rule.sentence),
      el("details", { class: "exact" }, el("summary", {}, "exact conditions"), el("pre", { tabindex: "0" }, rule.exact.slice(1).join("\n")))))),
    now.see.length > 0 && el("p", { class: "refers" }, el("b", {}, "Refers to "), now.see.map((number) => [pointer(number, chosen), " "])),
  ];
}

/** The sentence of a rule, each of its exceptions on a line of its own. */
function ruleText(sentence) {
  const [main, ...exceptions] = sentence.split(/, (?=(?:or )?unless )/);
  if (!exceptions.length) return el("p", { class: "serif" }, suited(sentence));
  return [el("p", { class: "serif" }, suited(`${main},`)), el("ul", { class: "unless serif" }, exceptions.map((each, place) => {
    const [, lead, text] = each.match(/^((?:or )?unless )(.*)$/s);
    return el("li", {}, el("b", { class: "word" }, lead), suited(place < exceptions.length - 1 ? `${text},` : text));
  }))];
}

function note(lead, text) {
  return el("p", { class: "faint" }, el("b", {}, lead), " ", suited(text));
}

/** A number as a link where the edition has it, else as plain text. */
function pointer(number, chosen) {
  const known = clauses.some((clause) => clause.editions.some((each) => each.edition === chosen && plain(each.number) === plain(number)));
  return known ? clauseLink(number, chosen === editions.at(-1) ? "" : chosen) : el("span", { class: "chip" }, number);
}

function references(rest) {
  const rows = [["Referred to by", rest.referred_to_by], ["Rests on what is concluded in", rest.rests_on], ["What it concludes is used in", rest.used_by]];
  const shown = rows.filter(([, named]) => named.length).map(([label, named]) => el("p", { class: "refers" }, el("b", {}, label, " "),
    named.map((each) => [el("a", { class: "chip", href: `/law#${encodeURIComponent(each.number)}`, title: each.title }, each.number), " "])));
  return shown.length > 0 && el("section", { class: "references" }, shown);
}

function cases(rest) {
  if (rest.cases === null) {
    return el("section", { class: "cases" }, el("h2", {}, "Cases"), el("p", { class: "faint" },
      "This server has no cases. Start it with ", el("code", {}, "bridgelaws serve --cases FOLDER"), " to see them here."));
  }
  const also = rest.also.length > 0 && el("details", {}, el("summary", {}, `It also bears on ${counted(rest.also.length, "other case")}`),
    el("ul", {}, rest.also.map((each) => el("li", {}, suited(each.title), " ",
      el("a", { class: "chip", href: `/law#${encodeURIComponent(each.number)}` }, each.number)))));
  return el("section", { class: "cases" },
    el("h2", {}, rest.cases.length ? counted(rest.cases.length, "case") : "Cases"),
    rest.cases.map((each, place) => example(each, place === 0)),
    !rest.cases.length && el("p", { class: "faint" }, "No case is about this clause alone."), also);
}

function counted(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** A case, drawn when it is opened. */
function example(told, open) {
  const inside = el("div", {});
  const draw = () => {
    if (inside.hasChildNodes() || !made.open) return;
    fill(inside, told.source && el("p", { class: "faint small" }, told.source), told.scene && scene(told.scene),
      told.note && el("p", { class: "faint" }, suited(told.note)),
      told.rulings.map(({ editions: held, lines }, place) => {
        const title = held.length === editions.length ? "The ruling, in every edition" : `The ruling in ${held.join(" and ")}`;
        const shown = ruling(lines, held.at(-1) === editions.at(-1) ? "" : held.at(-1));
        return place ? el("details", {}, el("summary", {}, title), shown) : [el("p", { class: "label" }, title), shown];
      }));
  };
  const made = el("details", { class: "example", ontoggle: draw }, el("summary", {}, suited(told.title)), inside);
  made.open = open;
  return made;
}

function neighbours(clause) {
  const place = clauses.findIndex((each) => each.id === clause.id);
  const [previous, next] = [clauses[place - 1], clauses[place + 1]];
  return el("nav", { class: "neighbours small", "aria-label": "Neighbours" },
    previous && link(previous, `← ${previous.number} ${heading(previous)}`), next && link(next, `${next.number} ${heading(next)} →`, "next"));
}

/** The clauses that the words in the search are about; all of them, law by law, if there are none. */
function list() {
  const words = search.value.trim().toLowerCase();
  const current = location.hash ? named(decoded(location.hash.slice(1))) : null;
  if (!words) {
    fill(count);
    fill(found, book.map((law) => {
      const own = clauses.filter((clause) => clause.law === law.title);
      return el("details", { open: own.some((clause) => clause.id === current?.id) }, el("summary", {}, law.title), entries(own, current));
    }));
    return;
  }
  const ranked = clauses.map((clause) => [rank(clause, words), clause]).filter(([value]) => value > 0);
  ranked.sort((first, second) => second[0] - first[0]);
  const best = ranked.map(([, clause]) => clause);
  fill(count, best.length ? counted(best.length, "clause") : "No clause has these words.");
  fill(found, entries(best, current));
}

function decoded(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

/** The number itself first, then numbers that begin so, then titles, then everything that has all the words. */
function rank(clause, words) {
  const number = plain(words).replace(/^law/, "");
  if (clause.numbers.some((each) => plain(each) === number)) return 4;
  if (number && clause.numbers.some((each) => plain(each).startsWith(number))) return 3;
  const each = words.split(/\s+/);
  if (each.every((word) => clause.title.toLowerCase().includes(word))) return 2;
  return each.every((word) => clause.words.includes(word)) ? 1 : 0;
}

function entries(shown, current) {
  return el("ul", { class: "entries", onkeydown: keyInList }, shown.map((clause) => el("li", {},
    el("a", { href: address(clause), "aria-current": clause.id === current?.id ? "true" : null },
      el("span", { class: "number" }, clause.editions.find((each) => each.edition === edition)?.number ?? clause.number), " ", heading(clause)))));
}

function keyInSearch(event) {
  const first = found.querySelector(".entries a");
  if (event.key === "ArrowDown" && first) {
    event.preventDefault();
    first.focus();
  } else if (event.key === "Enter" && search.value.trim()) {
    first?.click();
  }
}

function keyInList(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const links = [...found.querySelectorAll(".entries a")].filter((each) => each.checkVisibility());
  const next = links[links.indexOf(document.activeElement) + step];
  (next ?? (step < 0 ? search : document.activeElement)).focus();
}

begin();
