/**
 * A field for a text with line numbers, marks under what is wrong, and a list of what may stand at the cursor.
 *
 * Tab indents. Esc and then Tab leaves, so that nobody is caught in it.
 */

import { el, fill } from "./site.js";

const INDENT = "  ";
const WORD_ENDS = /[\s,:{}[\]"']/;

/**
 * @param {{label: string, changed: Function, complete: Function}} given `complete(line, column)` promises what may stand
 *   there, both counted from one and in whole characters
 */
export function editor({ label, changed, complete }) {
  const lines = el("pre", { class: "lines", "aria-hidden": "true" });
  const under = el("pre", { class: "under", "aria-hidden": "true" });
  const popup = el("ul", { class: "popup", role: "listbox", id: "completions", "aria-label": "What may stand here", hidden: true });
  const field = el("textarea", { id: "editor", "aria-label": label, "aria-describedby": "editor-hint", spellcheck: "false", autocapitalize: "off",
    autocomplete: "off", wrap: "off", "aria-controls": "completions", "aria-expanded": "false", "aria-autocomplete": "list",
    oninput: typed, onkeydown: pressed, onscroll: follow, onblur: () => { leaving = false; close(); } });
  const element = el("div", {},
    el("div", { class: "editor" }, lines, el("div", { class: "field" }, under, field, popup)),
    el("p", { class: "hint", id: "editor-hint" }, "Ctrl-Space shows what may stand at the cursor. Tab indents; to leave, press Esc, then Tab."));
  let problems = [];
  let items = [];
  let chosen = 0;
  let from = 0;
  let word = { line: 1, column: 0 };
  let leaving = false;
  let turn = 0;

  function typed() {
    leaving = false;
    problems = [];
    draw();
    if (!popup.hidden) offer();
    changed(field.value);
  }

  function follow() {
    lines.scrollTop = under.scrollTop = field.scrollTop;
    under.scrollLeft = field.scrollLeft;
    if (!popup.hidden) put();
  }

  function draw() {
    const texts = field.value.split("\n");
    const wrong = new Map();
    for (const each of problems) wrong.set(each.line, [...(wrong.get(each.line) ?? []), each]);
    fill(lines, texts.map((_, place) => [place ? "\n" : "", wrong.has(place + 1) ? el("b", {}, place + 1) : place + 1]), "\n ");
    fill(under, texts.map((text, place) => [place ? "\n" : "", marks(text, wrong.get(place + 1) ?? [])]), "\n ");
    lines.scrollTop = under.scrollTop = field.scrollTop;
    under.scrollLeft = field.scrollLeft;
  }

  /** The line with the word at each problem marked. */
  function marks(text, wrong) {
    const made = [];
    let done = 0;
    for (const each of [...wrong].sort((first, second) => first.column - second.column)) {
      const start = units(text, each.column);
      if (start < done) continue;
      let end = start;
      while (end < text.length && !WORD_ENDS.test(text[end])) end += 1;
      end = Math.max(end, start + 1);
      made.push(text.slice(done, start), el("mark", { class: each.severity }, text.slice(start, end) || " "));
      done = end;
    }
    return [made, text.slice(done)];
  }

  /** The server counts characters from one, a browser counts halves of some of them from nought. */
  function units(text, column) {
    return [...text].slice(0, column - 1).join("").length;
  }

  function place() {
    const before = field.value.slice(0, field.selectionStart).split("\n");
    return { line: before.length, column: [...before.at(-1)].length + 1, text: before.at(-1) };
  }

  function write(text, start = field.selectionStart, end = field.selectionEnd) {
    field.setSelectionRange(start, end);
    // What is written so can be undone with Ctrl-Z; a browser that no longer knows it still writes.
    if (!document.execCommand("insertText", false, text)) {
      field.setRangeText(text, start, end, "end");
      typed();
    }
  }

  function pressed(event) {
    const { key } = event;
    if (!popup.hidden && inPopup(event)) return;
    if (event.ctrlKey && (key === " " || event.code === "Space")) {
      event.preventDefault();
      offer();
    } else if (key === "Escape") {
      leaving = true;
    } else if (key === "Tab" && !leaving && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      indent(event.shiftKey);
    } else if (key === "Enter" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      write(`\n${place().text.match(/^ */)[0]}`);
    } else if (key !== "Tab" && key !== "Shift") {
      leaving = false;
    }
  }

  function inPopup(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) choose((chosen + step + items.length) % items.length);
    else if (event.key === "Enter" || event.key === "Tab") take(items[chosen]);
    else if (event.key === "Escape") close();
    else return false;
    event.preventDefault();
    return true;
  }

  /** Every line of the selection, or only the cursor's place if nothing is selected. */
  function indent(outwards) {
    const [start, end] = [field.selectionStart, field.selectionEnd];
    if (start === end && !outwards) {
      write(INDENT);
      return;
    }
    const first = field.value.lastIndexOf("\n", start - 1) + 1;
    const after = field.value.indexOf("\n", end);
    const old = field.value.slice(first, after < 0 ? field.value.length : after);
    const now = old.split("\n").map((line) => (outwards ? line.replace(/^ {1,2}/, "") : line && INDENT + line)).join("\n");
    if (now !== old) write(now, first, first + old.length);
    if (start === end) {
      const moved = Math.max(first, start + now.length - old.length);
      field.setSelectionRange(moved, moved);
    } else {
      field.setSelectionRange(first, first + now.length);
    }
  }

  async function offer() {
    const asked = (turn += 1);
    const { line, column, text } = place();
    reveal(line);
    const told = await complete(line, column);
    if (asked !== turn || !told || place().line !== line || place().column !== column) return;
    const begins = units(text, told.from);
    const prefix = text.slice(begins).toLowerCase();
    items = told.items.filter((each) => each.label.toLowerCase().startsWith(prefix));
    from = field.selectionStart - (text.length - begins);
    if (!items.length) {
      close();
      return;
    }
    fill(popup, items.map((each, number) => el("li", { role: "option", id: `completion-${number}`, onmousedown: (event) => {
      event.preventDefault();
      take(each);
    } }, each.label, each.detail && el("small", {}, each.detail))));
    popup.hidden = false;
    field.setAttribute("aria-expanded", "true");
    word = { line, column: begins };
    put();
    choose(0);
  }

  /** Bring a line into view, if it is not. */
  function reveal(line) {
    const height = parseFloat(getComputedStyle(field).lineHeight);
    const top = (line - 1) * height;
    if (top < field.scrollTop || top + 2 * height > field.scrollTop + field.clientHeight) field.scrollTop = Math.max(0, top - 5 * height);
  }

  /** Below the word, as far to the right as there is room for. */
  function put() {
    const { line, column } = word;
    const style = getComputedStyle(field);
    const height = parseFloat(style.lineHeight);
    const ruler = el("span", {}, "0".repeat(100));
    under.append(ruler);
    const width = ruler.getBoundingClientRect().width / 100;
    ruler.remove();
    const left = parseFloat(style.paddingLeft) + column * width - field.scrollLeft;
    const top = parseFloat(style.paddingTop) + line * height - field.scrollTop;
    popup.style.left = `${Math.max(0, Math.min(left, field.clientWidth - popup.offsetWidth - 4))}px`;
    popup.style.top = `${top + popup.offsetHeight > field.clientHeight + 120 ? Math.max(0, top - height - popup.offsetHeight) : top}px`;
  }

  function choose(number) {
    chosen = number;
    [...popup.children].forEach((each, place) => each.setAttribute("aria-selected", place === number));
    field.setAttribute("aria-activedescendant", `completion-${number}`);
    popup.children[number].scrollIntoView({ block: "nearest" });
  }

  function take(item) {
    close();
    write(item.insert, from, field.selectionStart);
  }

  function close() {
    turn += 1;
    popup.hidden = true;
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
  }

  return {
    element,
    get text() { return field.value; },
    set text(value) {
      field.value = value;
      problems = [];
      field.setSelectionRange(0, 0);
      field.scrollTop = 0;
      draw();
    },
    /** Mark these; they are those of the text as it is now. */
    mark(found) {
      problems = found;
      draw();
    },
    /** Put the cursor at a place. */
    go(line, column) {
      const texts = field.value.split("\n");
      const at = texts.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0) + units(texts[line - 1] ?? "", column);
      field.focus();
      field.setSelectionRange(at, at);
      reveal(line);
    },
  };
}
