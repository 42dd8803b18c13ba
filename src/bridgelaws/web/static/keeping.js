/** Draw a part of the page again without taking the keyboard away from whoever is using it. */

import { fill } from "./site.js";

/**
 * Put these children in the element. What had the focus has it again if something with its `data-key` is still there;
 * if not, the element itself takes it, so that the next Tab goes on from here. What was unfolded stays unfolded.
 */
export function refill(element, ...children) {
  const focused = element.contains(document.activeElement) && document.activeElement !== element ? document.activeElement : null;
  const key = focused?.closest("[data-key]")?.dataset.key;
  const at = focused && "selectionStart" in focused ? [focused.selectionStart, focused.selectionEnd] : null;
  const opened = new Map([...element.querySelectorAll("details[data-key]")].map((each) => [each.dataset.key, each.open]));
  fill(element, ...children);
  for (const each of element.querySelectorAll("details[data-key]")) each.open = opened.get(each.dataset.key) ?? each.open;
  if (!focused) return;
  const again = key && [...element.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key);
  if (again) {
    (again.tagName === "DETAILS" ? again.querySelector("summary") : again).focus({ preventScroll: true });
    // A box for numbers has no selection.
    if (at && at[0] !== null && "setSelectionRange" in again) again.setSelectionRange(...at);
  } else {
    element.tabIndex = -1;
    element.focus({ preventScroll: true });
  }
}
