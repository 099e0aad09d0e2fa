import { el, say } from "./dom.js";
import { span } from "./format.js";

const SIGNS = {
  starting: "◌",
  running: "▶",
  paused: "❚❚",
  stopped: "■",
  completed: "✓",
  failed: "✕",
  deleted: "∅",
};

/**
 * A phase as a coloured word with a sign.
 *
 * @param {string} phase
 * @returns {HTMLElement}
 */
export function badge(phase) {
  return el(
    "span",
    { class: "badge", "data-phase": phase },
    el("span", { class: "sign", "aria-hidden": "true" }, SIGNS[phase] ?? "•"),
    phase,
  );
}

/**
 * What a run waits for, and for how long.
 *
 * @param {{waiting: string, waitingSinceMillis: number}} run
 * @param {number} now the server's clock
 * @returns {string} '' for nothing
 */
export function waitingText(run, now) {
  return [run.waiting, waitingTime(run, now)].filter((text) => text !== "").join(" · ");
}

/**
 * For how long a run waits.
 *
 * @param {{waiting: string, waitingSinceMillis: number}} run
 * @param {number} now the server's clock
 * @returns {string} such as "for 3 min"; '' for nothing
 */
export function waitingTime(run, now) {
  return run.waiting && run.waitingSinceMillis > 0 ? `for ${span(now - run.waitingSinceMillis)}` : "";
}

/**
 * Whether someone should look at a run: it failed, is written by two, or waits although nobody paused it.
 *
 * @param {{phase: string, waiting: string, otherWriter: string}} run
 * @returns {""|"failed"|"waiting"}
 */
export function concern(run) {
  if (run.phase === "failed" || run.otherWriter) {
    return "failed";
  }
  return run.waiting && run.phase !== "paused" ? "waiting" : "";
}

/**
 * A line that stands out, and is hidden while there is nothing to say.
 *
 * @param {"failed"|"waiting"|"plain"} kind
 * @returns {{element: HTMLElement, show: (text: string) => void}}
 */
export function notice(kind) {
  const element = el("p", { class: `notice ${kind}`, hidden: true });
  return {
    element,
    show(text) {
      element.hidden = text === "";
      say(element, text);
    },
  };
}
