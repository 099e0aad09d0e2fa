import { el, fill, freshId } from "../dom.js";
import { downloadCsv, downloadPng } from "../export.js";
import { count } from "../format.js";
import { ink } from "../palette.js";
import { onTheme } from "../theme.js";
import { ChartTable } from "./chart-table.js";
import { Legend } from "./legend.js";
import { tellMarks } from "./marks.js";
import { plot } from "./plots.js";
import { lastUpTo, reachOf, rowAt } from "./sheet.js";

const HEIGHT = 296;
const TOLD = 5;
const ZOOM = 0.5;

/**
 * A chart of domains along batches, with its legend, its table and its files. The keys of a slider go
 * along its batches, plus and minus zoom, and 0 shows all.
 */
export class Chart {
  #options;
  #plot = null;
  /** @type {import("./sheet.js").Sheet|null} */
  #sheet = null;
  #notes = [];
  #batch = null;
  #near = -1;
  #shape = "";
  #ends = [];

  /**
   * @param {object} options
   * @param {string} options.title
   * @param {string} options.hint what is shown, in a sentence
   * @param {string} options.file what its files are named
   * @param {import("./plots.js").Kind} options.kind
   * @param {(value: number|null) => string} options.format
   * @param {(value: number) => string} [options.tick] the format beside the chart, where that is another
   * @param {string} options.empty what is said while there is nothing
   * @param {import("./axis.js").Axis} options.axis
   * @param {import("../palette.js").Colours} options.colours
   * @param {[number, number]} [options.whole] the values that are shown always
   * @param {import("./axis.js").Scale} [options.scale] of values, shared with another chart
   * @param {boolean} [options.firsts] whether first values are told
   */
  constructor(options) {
    this.#options = options;
    const { title, axis } = options;
    const heading = freshId();
    this.legend = new Legend({ label: title, filled: options.kind.filled, ...options });
    this.table = new ChartTable(title, options.format);
    this.tip = el("div", { class: "tip", hidden: true });
    this.place = el("div", {
      class: "plot",
      tabindex: 0,
      role: "slider",
      "aria-label": `${title} by batch`,
      on: {
        keydown: (event) => this.#key(event),
        blur: () => this.#go(null),
        mouseleave: () => this.#go(null),
      },
    });
    this.empty = el("p", { class: "quiet" }, options.empty);
    this.main = el(
      "div",
      { class: "chart-main", hidden: true },
      el("div", { class: "stage" }, this.place, this.tip),
      this.legend.element,
    );
    this.tools = el("div", { class: "tools", hidden: true }, this.table.button, ...this.#files());
    this.element = el(
      "figure",
      { class: "card chart", "aria-labelledby": heading },
      el(
        "header",
        {},
        el("div", {}, el("h2", { id: heading }, title), el("p", { class: "hint" }, options.hint)),
        this.tools,
      ),
      this.empty,
      this.main,
      this.table.element,
    );
    axis.join(this);
    options.scale?.onChange(() => this.rescale());
    this.#ends.push(
      () => axis.leave(this),
      onTheme(() => {
        this.legend.recolour();
        this.#shape = "";
        this.#draw();
      }),
    );
    const watcher = new ResizeObserver(() => this.#plot?.setSize({ width: this.place.clientWidth, height: HEIGHT }));
    watcher.observe(this.place);
    this.#ends.push(() => watcher.disconnect());
  }

  /**
   * Shows a sheet in place of that before.
   *
   * @param {import("./sheet.js").Sheet} sheet
   * @param {import("./marks.js").Note[]} notes
   * @returns {void}
   */
  show(sheet, notes) {
    this.#sheet = sheet;
    this.#notes = notes;
    this.#options.scale?.reach(this, reachOf(sheet));
    this.#draw();
  }

  /** Shows the batches that its axis has now. */
  rescale() {
    const [min, max] = this.#options.axis.range();
    this.#plot?.setScale("x", { min, max });
  }

  /**
   * Shows the values of a batch.
   *
   * @param {number|null} batch
   * @returns {void}
   */
  point(batch) {
    if (this.#plot) {
      this.#batch = batch;
      const left = batch === null ? -10 : this.#plot.valToPos(batch, "x");
      this.#plot.setCursor({ left, top: left < 0 ? -10 : 0 }, false);
      this.#near = -1;
      this.tip.hidden = true;
      this.#tell();
    }
  }

  /** Lets go of what it listens to. */
  close() {
    this.#ends.forEach((end) => end());
    this.#plot?.destroy();
  }

  #files() {
    const { title, file, format, kind, colours } = this.#options;
    const csv = () => {
      const { batches, columns } = this.#sheet;
      downloadCsv(file, [
        ["batch", ...columns.map((column) => column.title)],
        ...batches.map((batch, i) => [batch, ...columns.map(({ values }) => values[i])]),
      ]);
    };
    const png = () => {
      const { text, ground } = ink();
      const row = this.#sheet.batches.length - 1;
      const entries = this.#sheet.columns.map((column) => ({
        swatch: colours.swatch(column.name, kind.filled),
        text: `${column.title} ${format(lastUpTo(column.values, row))}`,
      }));
      downloadPng(file, this.#plot.ctx.canvas, { title, entries, text, ground });
    };
    return [
      el("button", { type: "button", "aria-label": `${title} as CSV`, on: { click: csv } }, "CSV"),
      el("button", { type: "button", "aria-label": `${title} as PNG`, on: { click: png } }, "PNG"),
    ];
  }

  #draw() {
    const sheet = this.#sheet;
    const some = sheet !== null && sheet.batches.length > 0 && sheet.columns.length > 0;
    this.empty.hidden = some;
    this.main.hidden = !some;
    this.tools.hidden = !some;
    if (!some) {
      return;
    }
    const shape = JSON.stringify([sheet.batches.length === 1, ...sheet.columns.map(({ title }) => title)]);
    if (this.#plot && shape === this.#shape) {
      this.#plot.setData(this.#options.kind.data(sheet));
      if (!this.place.matches(":hover")) {
        this.point(this.#batch);
      }
    } else {
      this.#shape = shape;
      this.#plot?.destroy();
      this.#plot = this.#make(sheet);
    }
    this.table.show(sheet);
    this.#tell();
  }

  #make(sheet) {
    const { kind, colours, axis, whole, scale, format, tick } = this.#options;
    return plot({
      place: this.place,
      kind,
      sheet,
      colours,
      height: HEIGHT,
      format,
      tick,
      batches: () => axis.range(),
      values: (least, most) => whole ?? padded(scale?.full() ?? this.#inSight(least, most)),
      notes: () => this.#notes,
      latest: () => this.#sheet,
      pointed: (chart) => this.#pointed(chart),
      zoomed: (from, to) => axis.zoom(from, to),
      reset: () => axis.reset(),
    });
  }

  /** Targets are in sight with the values, however far they are. */
  #inSight(least, most) {
    const targets = this.#sheet.columns.map(({ target }) => target).filter((target) => target !== null);
    const ends = [least, most, ...targets].filter((value) => Number.isFinite(value) && value !== null);
    return ends.length === 0 ? [0, 1] : [Math.min(...ends), Math.max(...ends)];
  }

  /** The cursor moved: by the pointer, or with the data, of which only the first is news to the other charts. */
  #pointed(chart) {
    if (!this.place.matches(":hover")) {
      return;
    }
    const { left, top } = chart.cursor;
    if (left === undefined || left < 0) {
      this.#lead(null);
      return;
    }
    const batch = Math.round(chart.posToVal(left, "x"));
    const row = rowAt(this.#sheet, batch);
    this.#near = row < 0 ? -1 : this.#options.kind.nearest(this.#sheet, row, chart.posToVal(top, "y"));
    this.#lead(batch);
    this.#showTip(chart, row, left);
  }

  #lead(batch) {
    if (batch === null) {
      this.tip.hidden = true;
      this.#near = -1;
    }
    this.#batch = batch;
    this.#options.axis.point(this, batch);
    this.#tell();
  }

  #showTip(chart, row, left) {
    const near = this.#sheet.columns[this.#near];
    const lines = [
      ...(near && row >= 0 ? [`${near.title}  ${this.#options.format(near.values[row])}`] : []),
      ...tellMarks(chart, this.#notes, left),
    ];
    this.tip.hidden = lines.length === 0;
    fill(this.tip, ...lines.map((line) => el("div", { class: "name" }, line)));
    const right = left > chart.over.clientWidth / 2;
    const x = chart.over.offsetLeft + left;
    this.tip.style.left = right ? "auto" : `${x + 14}px`;
    this.tip.style.right = right ? `${this.place.clientWidth - x + 14}px` : "auto";
  }

  #tell() {
    const sheet = this.#sheet;
    if (!sheet || sheet.batches.length === 0 || sheet.columns.length === 0) {
      return;
    }
    const row = this.#batch === null ? sheet.batches.length - 1 : rowAt(sheet, this.#batch);
    this.legend.show(sheet, row, this.#batch, this.#near);
    const [from, to] = this.#options.axis.range();
    const at = Math.round(this.#batch ?? to);
    const told = sheet.columns
      .map((column) => [column.title, sheet.holds === 0 ? lastUpTo(column.values, row) : (column.values[row] ?? null)])
      .sort(([, left], [, right]) => (right ?? -Infinity) - (left ?? -Infinity))
      .slice(0, TOLD)
      .map(([title, value]) => `${title} ${this.#options.format(value)}`);
    const attributes = {
      "aria-valuemin": Math.round(from),
      "aria-valuemax": Math.round(to),
      "aria-valuenow": at,
      "aria-valuetext": `batch ${count(at)}: ${told.join(", ")}`,
    };
    Object.entries(attributes).forEach(([name, value]) => this.place.setAttribute(name, String(value)));
  }

  #key(event) {
    const { axis } = this.#options;
    const [from, to] = axis.range();
    const at = this.#batch ?? to;
    const step = Math.max(1, (to - from) / 50);
    const half = ((to - from) / 2) * (event.key === "-" ? 1 / ZOOM : ZOOM);
    const moves = {
      ArrowLeft: () => this.#go(Math.max(from, at - step)),
      ArrowDown: () => this.#go(Math.max(from, at - step)),
      ArrowRight: () => this.#go(Math.min(to, at + step)),
      ArrowUp: () => this.#go(Math.min(to, at + step)),
      PageUp: () => this.#go(Math.min(to, at + 10 * step)),
      PageDown: () => this.#go(Math.max(from, at - 10 * step)),
      Home: () => this.#go(from),
      End: () => this.#go(to),
      "+": () => axis.zoom(at - half, at + half),
      "-": () => axis.zoom(at - half, at + half),
      0: () => axis.reset(),
    };
    if (moves[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      moves[event.key]();
    }
  }

  #go(batch) {
    this.point(batch === null ? null : Math.round(batch));
    this.#options.axis.point(this, this.#batch);
    if (this.#batch !== null) {
      this.#showTip(this.#plot, -1, this.#plot.valToPos(this.#batch, "x"));
    }
  }
}

/** @param {[number, number]} reach */
function padded([least, most]) {
  const room = (most - least) * 0.06 || Math.abs(most) * 0.05 || 0.05;
  return [least - room, most + room];
}
