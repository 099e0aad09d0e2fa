import { Axis } from "./charts/axis.js";
import { Chart } from "./charts/chart.js";
import { AREAS, LINES } from "./charts/plots.js";
import { gapOf, sheetOf } from "./charts/sheet.js";
import { el } from "./dom.js";
import { measure, percent } from "./format.js";
import { Colours } from "./palette.js";

const SHARES = { kind: AREAS, format: percent, tick: (value) => `${Math.round(value * 100)} %`, whole: [0, 1] };

/**
 * What the charts of two runs share: batches, colours, the scales of values, and which domains either shows.
 *
 * @typedef {object} Shared
 * @property {Axis} axis
 * @property {Colours} colours
 * @property {Record<string, import("./charts/axis.js").Scale>} scales
 * @property {Map<any, string[]>} names
 */

/** The charts of a run's course, which share their batches and their colours. */
export class CourseCharts {
  #runId;
  #names;

  /**
   * @param {string} runId
   * @param {Shared} [shared] with the charts of another run; its own without
   */
  constructor(runId, shared) {
    this.#runId = runId;
    this.axis = shared?.axis ?? new Axis();
    this.colours = shared?.colours ?? new Colours();
    this.#names = shared?.names ?? new Map();
    const options = (file, more) => ({
      file: `${runId}-${file}`,
      axis: this.axis,
      colours: this.colours,
      scale: shared?.scales[file],
      ...more,
    });
    this.weights = new Chart(
      options("weights", {
        ...SHARES,
        title: "Granted weights",
        hint: "What was decided to be mixed.",
        empty: "No batch was granted yet.",
      }),
    );
    this.realised = new Chart(
      options("realised", {
        ...SHARES,
        title: "Realised shares",
        hint: "What the sequences of each grant came to.",
        empty: "No batch was granted yet.",
      }),
    );
    const line = { kind: LINES, format: measure, tick: (value) => String(Number(value.toPrecision(6))), firsts: true };
    this.losses = new Chart(
      options("losses", {
        ...line,
        title: "Held-out losses",
        hint: "As the trainers reported them; the first is ringed, targets are dashed.",
        empty: "No held-out loss was reported yet.",
      }),
    );
    this.gap = new Chart(
      options("gap", {
        ...line,
        title: "Gap",
        hint: "Held-out losses less the targets of the policy.",
        empty: "No loss with a target was reported yet.",
      }),
    );
    this.alignments = new Chart(
      options("alignments", {
        ...line,
        firsts: false,
        title: "Alignments",
        hint: "How well the gradients of a domain agree with those that are aimed at.",
        empty: "No alignment was reported yet.",
      }),
    );
    this.all = [this.weights, this.realised, this.losses, this.gap, this.alignments];
    this.element = el("div", { class: "stack" }, ...this.all.map((chart) => chart.element));
    this.gap.element.hidden = true;
    this.alignments.element.hidden = true;
  }

  /**
   * Shows a course in place of that before.
   *
   * @param {any} course
   * @returns {void}
   */
  show(course) {
    this.#names.set(this, course.columns);
    this.colours.keep([...this.#names.values()].flat());
    const losses = sheetOf(course, "losses", 0);
    const gap = gapOf(losses);
    const alignments = sheetOf({ ...course, targets: null }, "alignments", 0);
    const shares = { ...course, targets: null };
    this.axis.reach(this.#runId, firstBatch(course), course.granted);
    this.weights.show(sheetOf(shares, "weights", 1), course.notes);
    this.realised.show(sheetOf(shares, "realised", -1), course.notes);
    this.losses.show(losses, course.notes);
    this.gap.show(gap, course.notes);
    this.alignments.show(alignments, course.notes);
    this.gap.element.hidden = gap.columns.length === 0 || gap.batches.length === 0;
    this.alignments.element.hidden = alignments.batches.length === 0;
  }

  /** Lets go of what the charts listen to. */
  close() {
    this.all.forEach((chart) => chart.close());
  }
}

/** The batch at which a course begins: of a fork, that of its parent. */
function firstBatch(course) {
  return Math.min(
    course.granted,
    ...[course.weights, course.realised, course.losses].flatMap(({ batches }) => batches.slice(0, 1)),
  );
}
