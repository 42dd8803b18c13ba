/** Show what is wrong beside the field that it is about. */

import { el, fill } from "./site.js";

/** Take all messages away. */
export function clearErrors(root) {
  for (const slot of root.querySelectorAll("[data-errors]")) {
    fill(slot);
    slot.hidden = true;
    mark(slot, false);
  }
}

/**
 * Put each error at the field whose path is nearest to its own.
 *
 * @param {HTMLElement} root
 * @param {{path: string, message: string, hint: string}[]} errors
 * @returns {Object[]} those that belong to no field
 */
export function placeErrors(root, errors) {
  const slots = [...root.querySelectorAll("[data-errors]")];
  return errors.filter((error) => {
    const fitting = slots.filter((slot) => covers(slot.dataset.errors, error.path));
    const slot = fitting.sort((a, b) => b.dataset.errors.length - a.dataset.errors.length)[0];
    if (!slot) return true;
    slot.append(el("span", {}, messageOf(error)));
    slot.hidden = false;
    slot.closest("details")?.setAttribute("open", "");
    mark(slot, true);
    return false;
  });
}

/** An error in a line. */
export function messageOf({ message, hint }) {
  return hint ? `${message}; ${hint}` : message;
}

function covers(slot, path) {
  return path === slot || (path.startsWith(slot) && ".[".includes(path[slot.length]));
}

function mark(slot, wrong) {
  const box = slot.parentElement.querySelector("input[type=text], textarea, select");
  if (wrong) box?.setAttribute("aria-invalid", "true");
  else box?.removeAttribute("aria-invalid");
}
