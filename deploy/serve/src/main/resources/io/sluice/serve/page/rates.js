/**
 * How fast runs are granted batches, from what was heard of them.
 */

const WINDOW_MILLIS = 60_000;
const APART_MILLIS = 900;

/** Batches that runs were granted, over time. */
export class Rates {
  /** @type {Map<string, {timeline: number, seen: {millis: number, granted: number}[]}>} */
  #runs = new Map();

  /**
   * Takes how far runs are.
   *
   * @param {{runId: string, timeline: number, granted: number}[]} standings
   * @param {number} millis when they were there
   * @returns {void}
   */
  take(standings, millis) {
    const before = this.#runs;
    this.#runs = new Map();
    for (const { runId, timeline, granted } of standings) {
      let run = before.get(runId);
      const newest = run?.seen.at(-1);
      if (!run || run.timeline !== timeline || (newest && newest.granted > granted)) {
        run = { timeline, seen: [] };
      }
      if (run.seen.length < 2 || millis - run.seen.at(-2).millis >= 2 * APART_MILLIS) {
        run.seen.push({ millis, granted });
      } else {
        run.seen[run.seen.length - 1] = { millis, granted };
      }
      while (run.seen.length > 2 && run.seen[1].millis < millis - WINDOW_MILLIS) {
        run.seen.shift();
      }
      this.#runs.set(runId, run);
    }
  }

  /**
   * @param {string} runId
   * @param {number} now
   * @returns {number|null} batches a second over the last minute; null while too little was heard
   */
  perSecond(runId, now) {
    const seen = this.#runs.get(runId)?.seen ?? [];
    if (seen.length < 2) {
      return null;
    }
    const millis = Math.max(now, seen.at(-1).millis) - seen[0].millis;
    return millis < APART_MILLIS ? null : ((seen.at(-1).granted - seen[0].granted) * 1000) / millis;
  }
}
