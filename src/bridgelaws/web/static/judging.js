/** Get rulings for what stands on the desk: under the edition chosen at once, and under the others beside it. */

import { caseOf } from "./draft.js";
import { missing } from "./form.js";
import { sameRuling } from "./lines.js";
import { api } from "./site.js";

/**
 * @param {import("./draft.js").Draft} draft
 * @param {Map<string, Object>} kinds
 * @returns {Object} the case without the reports that still lack who or which card, and `places`: where the reports that
 *   it has stand on the desk
 */
export function ready(draft, kinds) {
  const isReady = (report) => !kinds.has(report.kind) || missing(report, kinds.get(report.kind)).length === 0;
  const places = draft.reports.map((report, place) => (isReady(report) ? place : -1)).filter((place) => place >= 0);
  return { body: caseOf(draft, isReady), places };
}

/** Asks for rulings; an answer to an older question is never shown. */
export class Judge {
  #turn = 0;
  #controller = new AbortController();

  /**
   * @param {{body: Object, edition: string, editions: string[]}} asked
   * @param {{ruled: Function, compared: Function, refused: Function}} told
   */
  async rule({ body, edition, editions }, told) {
    const turn = this.cancel();
    const { signal } = this.#controller;
    const asked = (name, more = {}) => api("/v1/rulings", { body: { ...body, edition: name }, edition: name, signal, ...more });
    const current = () => turn === this.#turn;
    try {
      const ruling = await asked(edition);
      if (!current()) return;
      told.ruled(ruling);
      const names = editions.filter((name) => name !== edition);
      // An edition may refuse what another knows; then there is nothing to compare.
      const others = await Promise.all(names.map((name) => asked(name).catch(() => null)));
      if (current()) told.compared(others.filter(Boolean).map((other) => ({ other, same: sameRuling(ruling, other) })));
    } catch (error) {
      if (current() && error.name !== "AbortError") told.refused(error);
    }
  }

  /** The reasons for the ruling, which cost more than the ruling itself. */
  why({ body, edition }) {
    return api("/v1/rulings", { body: { ...body, edition }, edition, why: true, signal: this.#controller.signal });
  }

  /** From now on nobody waits for what was asked before. */
  cancel() {
    this.#controller.abort();
    this.#controller = new AbortController();
    this.#turn += 1;
    return this.#turn;
  }
}
