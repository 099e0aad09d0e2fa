import { el, freshId } from "./dom.js";
import { downloadCsv } from "./export.js";
import { compact, count, measure, percent, span, UNKNOWN } from "./format.js";
import { noteText } from "./charts/marks.js";
import { Table } from "./table.js";

/**
 * A card with a table in it.
 *
 * @param {string} title
 * @param {string} hint
 * @param {Table} table
 * @param {string} [file] what its CSV is named; it has none without
 * @returns {HTMLElement}
 */
export function tableCard(title, hint, table, file) {
  const heading = freshId();
  const csv = () => downloadCsv(file, table.cells());
  return el(
    "section",
    { class: "card", "aria-labelledby": heading },
    el(
      "header",
      {},
      el("div", {}, el("h2", { id: heading }, title), el("p", { class: "hint" }, hint)),
      file
        ? el(
            "div",
            { class: "tools" },
            el("button", { type: "button", "aria-label": `${title} as CSV`, on: { click: csv } }, "CSV"),
          )
        : null,
    ),
    table.element,
  );
}

/**
 * All domains of a run.
 *
 * @returns {Table} of rows of {@link domainRows}
 */
export function domainTable() {
  const number = (title, hint, width, key, format) => ({
    title,
    hint,
    width,
    number: true,
    text: (row) => format(row[key]),
    value: (row) => row[key],
  });
  return new Table({
    label: "Domains",
    filter: "Filter domains",
    key: (row) => row.name,
    sort: { column: 1, down: true },
    empty: "The run has no domain.",
    mark: (row) => (row.left === 0 && row.ended ? "exhausted" : ""),
    columns: [
      { title: "Domain", width: 220, text: (row) => row.name },
      number("Weight", "What was decided", 100, "weight", percent),
      number("Effective", "What is mixed while some domains have nothing left", 100, "effective", percent),
      number("Realised", "Its share of all sequences so far", 100, "realised", percent),
      number("Sequences", "Mixed so far", 110, "sequences", count),
      number("Prepared", "Sequences prepared in all", 110, "prepared", count),
      number("Left", "Prepared and not mixed by this run in its current epoch", 110, "left", count),
      {
        title: "Exhausted in",
        hint: "At the rate of the last minute; + where more is still being prepared",
        width: 210,
        number: true,
        text: exhaustion,
        value: (row) => row.leftBatches,
      },
    ],
  });
}

/**
 * The domains of a run as rows, with what is left of them in batches and in time.
 *
 * @param {any} run
 * @param {number|null} rate batches a second
 * @returns {any[]}
 */
export function domainRows(run, rate) {
  return run.domains.map((domain) => {
    const each = domain.effective * run.sequencesPerBatch;
    const left = domain.prepared?.left ?? null;
    const leftBatches = left === null || each <= 0 ? null : left / each;
    return {
      ...domain,
      prepared: domain.prepared?.sequences ?? null,
      ended: domain.prepared?.ended ?? false,
      left,
      leftBatches,
      leftMillis: leftBatches !== null && rate > 0 ? (leftBatches / rate) * 1000 : null,
    };
  });
}

function exhaustion({ leftBatches, leftMillis, left, ended }) {
  if (leftBatches === null) {
    return UNKNOWN;
  }
  const more = ended ? "" : " +";
  if (left === 0) {
    return ended ? "nothing left" : "waits for more";
  }
  const batches = `${compact(Math.floor(leftBatches))} batches`;
  return leftMillis === null ? batches + more : `${span(leftMillis)}${more} · ${batches}`;
}

const CAUSES = 6;

/**
 * The ranks of a run, each with its place among them, and what each waited for.
 *
 * @param {() => number} now the server's clock
 * @returns {Table}
 */
export function rankTable(now) {
  const causes = (rank) => Object.entries(rank.exposed?.byCause ?? {}).filter(([, share]) => share > 0);
  const causeText = (rank) =>
    causes(rank)
      .map(([cause, share]) => `${cause} ${percent(share)}`)
      .join(", ");
  return new Table({
    label: "Ranks",
    rowHeight: 40,
    key: (rank) => String(rank.place),
    empty: "No rank has attached.",
    mark: () => "",
    columns: [
      { title: "Rank", width: 260, text: (rank) => rank.text },
      {
        title: "Heard",
        width: 100,
        number: true,
        text: (rank) => (rank.heardMillis > 0 ? `${span(now() - rank.heardMillis)} ago` : "never"),
        value: (rank) => rank.heardMillis,
      },
      {
        title: "Steps",
        hint: "Time of the steps that the waits are a share of",
        width: 90,
        number: true,
        text: (rank) => (rank.exposed ? `${measure(rank.exposed.stepMillis / 1000)} s` : UNKNOWN),
        value: (rank) => rank.exposed?.stepMillis ?? null,
      },
      {
        title: "Exposed wait",
        hint: "Share of its steps that it waited for data",
        width: 120,
        number: true,
        text: (rank) => percent(rank.exposed?.share),
        value: (rank) => rank.exposed?.share ?? null,
      },
      {
        title: "By cause",
        width: 320,
        text: (rank) => causeText(rank) || UNKNOWN,
        value: (rank) => rank.exposed?.share ?? null,
        render: (rank) => causeBars(causes(rank), causeText(rank)),
      },
    ],
  });
}

/** Bars of 10 % of a step's time at most fill the cell, so that small waits are seen. */
function causeBars(causes, text) {
  if (causes.length === 0) {
    return el("span", {}, UNKNOWN);
  }
  const whole = Math.max(
    0.1,
    causes.reduce((sum, [, share]) => sum + share, 0),
  );
  const shown = causes.toSorted(([, left], [, right]) => right - left).slice(0, CAUSES);
  return el(
    "div",
    { class: "bars", title: text },
    el(
      "span",
      { class: "bar-line", "aria-hidden": "true" },
      ...shown.map(([, share], i) => el("span", { "data-cause": i, style: `width:${(share / whole) * 100}%` })),
    ),
    el("span", { class: "name" }, text),
  );
}

/**
 * What happened to a run.
 *
 * @returns {Table} of notes
 */
export function noteTable() {
  return new Table({
    label: "What happened",
    filter: "Filter what happened",
    key: (note) => String(note.place),
    fixed: true,
    mark: (note) => (["refused", "rewound"].includes(note.kind) ? "waiting" : ""),
    empty: "Nothing yet.",
    columns: [
      { title: "Batch", width: 110, text: (note) => count(note.batch) },
      { title: "Kind", width: 110, text: (note) => note.kind },
      { title: "Timeline", width: 90, number: true, text: (note) => String(note.timeline) },
      { title: "What", width: 460, text: noteText },
    ],
  });
}
