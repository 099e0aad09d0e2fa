import { count } from "../format.js";
import { ink } from "../palette.js";

/**
 * What happened to a run, at a batch.
 *
 * @typedef {{kind: string, timeline: number, batch: number, text: string}} Note
 */

const LOOKS = {
  round: "faint",
  started: "plain",
  phase: "plain",
  revised: "plain",
  forked: "strong",
  rewound: "strong",
  refused: "strong",
};
const NEAR = 5;
const MOST_TOLD = 4;

/**
 * Draws notes over a chart: rounds as ticks at its top, the others as lines with a flag.
 *
 * @param {any} plot of uPlot
 * @param {Note[]} notes
 * @returns {void}
 */
export function drawMarks(plot, notes) {
  const { ctx: pen, bbox } = plot;
  const scale = devicePixelRatio;
  const { marks } = ink();
  pen.save();
  pen.beginPath();
  pen.rect(bbox.left, bbox.top - 6 * scale, bbox.width, bbox.height + 6 * scale);
  pen.clip();
  for (const note of notes) {
    const x = Math.round(plot.valToPos(note.batch, "x", true)) + 0.5;
    const look = LOOKS[note.kind] ?? "plain";
    pen.strokeStyle = marks[look];
    pen.fillStyle = marks[look];
    pen.lineWidth = scale;
    pen.setLineDash(look === "faint" ? [] : [4 * scale, 3 * scale]);
    pen.beginPath();
    pen.moveTo(x, bbox.top - (look === "faint" ? 5 * scale : 0));
    pen.lineTo(x, look === "faint" ? bbox.top : bbox.top + bbox.height);
    pen.stroke();
    if (look !== "faint") {
      pen.beginPath();
      pen.moveTo(x - 4 * scale, bbox.top - 6 * scale);
      pen.lineTo(x + 4 * scale, bbox.top - 6 * scale);
      pen.lineTo(x, bbox.top);
      pen.fill();
    }
  }
  pen.restore();
}

/**
 * What is told of the notes under the pointer.
 *
 * @param {any} plot of uPlot
 * @param {Note[]} notes
 * @param {number} left of the pointer
 * @returns {string[]} a line for each
 */
export function tellMarks(plot, notes, left) {
  const near = notes.filter((note) => Math.abs(plot.valToPos(note.batch, "x") - left) <= NEAR);
  const lines = near.slice(-MOST_TOLD).map((note) => `${count(note.batch)}: ${noteText(note)}`);
  return near.length > MOST_TOLD ? [...lines, `and ${count(near.length - MOST_TOLD)} more`] : lines;
}

/**
 * A note in words.
 *
 * @param {Note} note
 * @returns {string}
 */
export function noteText(note) {
  if (note.text === "") {
    return note.kind;
  }
  return note.kind === "round" || note.kind === "phase" ? note.text : `${note.kind}: ${note.text}`;
}
