/** Many buttons, one stop for the Tab key: arrow keys move among them, Home and End go to the ends of a row. */

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/**
 * Let arrow keys move among the buttons of an element.
 *
 * @param {HTMLElement} container
 * @param {() => HTMLElement[][]} rows its buttons, row by row, as they are when a key is pressed
 */
export function rove(container, rows) {
  container.addEventListener("keydown", (event) => {
    const filled = rows().filter((row) => row.length);
    const row = filled.findIndex((each) => each.includes(document.activeElement));
    if (row < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const column = filled[row].indexOf(document.activeElement);
    const next = nextOf(event.key, filled, row, column);
    if (!next) return;
    event.preventDefault();
    settle(filled, next);
    next.focus();
  });
  container.addEventListener("focusin", (event) => {
    if (rows().some((row) => row.includes(event.target))) settle(rows(), event.target);
  });
}

function nextOf(key, rows, row, column) {
  if (key === "Home") return rows[row][0];
  if (key === "End") return rows[row].at(-1);
  const step = STEPS[key];
  if (!step) return null;
  if (step[0]) {
    const there = rows[row + step[0]];
    return there ? there[Math.min(column, there.length - 1)] : null;
  }
  // Past the end of a row the next begins, so that left and right lead to every button.
  return rows[row][column + step[1]] ?? (step[1] > 0 ? rows[row + 1]?.[0] : rows[row - 1]?.at(-1)) ?? null;
}

/** Make this button, or the first, the one at which Tab stops. */
export function settle(rows, stop = rows.flat()[0]) {
  for (const button of rows.flat()) button.tabIndex = button === stop ? 0 : -1;
}
