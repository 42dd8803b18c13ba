/** What every page needs: elements, suits in their colours, the API, the navigation. */

const PAGES = [
  ["desk", "/", "Ruling desk"],
  ["law", "/law", "Law book"],
  ["compare", "/compare", "Compare"],
  ["workshop", "/workshop", "Workshop"],
];
const SUIT_CLASS = { "♠": "spades", "♥": "hearts", "♦": "diamonds", "♣": "clubs" };

/**
 * An element. INVARIANT: a text becomes a text node and never markup, so no word of a case or of the law can break a page.
 *
 * @param {string} tag
 * @param {Object} [attributes] `onclick` and other functions are listeners; `true` is an attribute alone; null, undefined
 *   and false leave it out; `value`, `checked` and the like are set as properties
 * @param {...(Node|string|number|null|undefined|false|Array)} children
 * @returns {HTMLElement}
 */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener(name.replace(/^on/, ""), value);
    else if (name === "class") made.className = value;
    else if (["value", "checked", "disabled", "open", "hidden"].includes(name)) made[name] = value;
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...inside(children));
  return made;
}

function inside(children) {
  const kept = children.flat(Infinity).filter((each) => each !== null && each !== undefined && each !== false);
  return kept.map((each) => (each instanceof Node ? each : document.createTextNode(String(each))));
}

/** Put these children in place of those that the element has. */
export function fill(element, ...children) {
  element.replaceChildren(...inside(children));
  return element;
}

/** The text with its cards in the colours of their suits. */
export function suited(text) {
  const made = document.createDocumentFragment();
  for (const piece of String(text).split(/([♠♥♦♣][2-9TJQKA]*)/u)) {
    const suit = SUIT_CLASS[piece[0]];
    if (piece) made.append(suit ? el("span", { class: suit }, piece) : piece);
  }
  return made;
}

/** The first letter as a capital, as a sentence begins. */
export function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A clause as a link to its place in the law book. */
export function clauseLink(number, edition = "") {
  const query = edition ? `?edition=${encodeURIComponent(edition)}` : "";
  return el("a", { class: "chip", href: `/law${query}#${encodeURIComponent(number)}`, title: `Law ${number}` }, number);
}

/**
 * Ask the API. With a `body`, it is posted as JSON; every other option becomes a parameter of the query.
 *
 * @returns {Promise<any>} what was answered
 * @throws {Error} with `.problem`, the problem document, if the answer is one or there is none (then its status is 0)
 */
export async function api(path, { method, body, signal, ...query } = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const address = given.length ? `${path}?${new URLSearchParams(given)}` : path;
  const posted = body !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let answer, text;
  try {
    answer = await fetch(address, { method: method ?? (posted ? "POST" : "GET"), signal, ...posted });
    text = await answer.text();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw refused({ title: "No answer", status: 0, detail: "the server does not answer", errors: [] });
  }
  let read = null;
  try {
    read = JSON.parse(text);
  } catch {
    throw refused({ title: "No answer", status: answer.status, detail: "the answer cannot be read", errors: [] });
  }
  if (!answer.ok) throw refused(read);
  return read;
}

function refused(problem) {
  const error = new Error(problem.detail ?? problem.title ?? "something went wrong");
  error.problem = { errors: [], ...problem };
  return error;
}

/** A function that waits until nobody has called it for a while, and then does its work once. */
export function debounce(work, milliseconds = 150) {
  let waiting = 0;
  return (...given) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => work(...given), milliseconds);
  };
}

/**
 * Put the navigation at the top of the page.
 *
 * @param {"desk"|"law"|"compare"|"workshop"} current the page that this is
 */
export function nav(current) {
  const links = PAGES.map(([name, href, title]) =>
    el("a", { href, "aria-current": name === current ? "page" : null }, title));
  const bar = el("header", { class: "bar" },
    el("a", { class: "skip", href: "#main", onclick: skip }, "Skip to the page"),
    el("a", { class: "home", href: "/" }, "bridgelaws"),
    el("nav", { "aria-label": "Pages" }, links),
    themeToggle());
  document.body.prepend(bar);
  return bar;
}

/** Go to the page itself. A fragment means something else here: what a page shows. */
function skip(event) {
  event.preventDefault();
  const main = document.getElementById("main");
  main.tabIndex = -1;
  main.focus();
}

function themeToggle() {
  const root = document.documentElement;
  const button = el("button", { type: "button", class: "theme quiet", onclick: turn });
  function show() {
    const dark = root.dataset.theme === "dark";
    fill(button, dark ? "☀" : "☾");
    button.setAttribute("aria-label", dark ? "Light colours" : "Dark colours");
    button.title = button.getAttribute("aria-label");
  }
  function turn() {
    const theme = root.dataset.theme === "dark" ? "light" : "dark";
    const own = window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    root.dataset.theme = theme;
    try {
      if (theme === own) localStorage.removeItem("theme");
      else localStorage.setItem("theme", theme);
    } catch { /* nothing may be stored here; the choice lasts as long as the page */ }
  }
  new MutationObserver(show).observe(root, { attributes: true, attributeFilter: ["data-theme"] });
  show();
  return button;
}
