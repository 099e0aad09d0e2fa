import { course } from "./api.js";
import { ChartTable } from "./charts/chart-table.js";
import { rowAt, sheetOf } from "./charts/sheet.js";
import { el, freshId, say } from "./dom.js";
import { count, percent } from "./format.js";
import { paced } from "./pace.js";
import { heat, ink } from "./palette.js";
import { onTheme } from "./theme.js";

const TOP = 256;
const EVERY_MILLIS = 5_000;
const GUTTER = 64;
const FOOT = 28;
const RIGHT = 26;
const TALL = 460;
const REACH = 10_000;

/** The weights of up to 256 domains along the batches as colours. It reads them only while it is in sight. */
export class Heatmap {
  #runId;
  #axis;
  /** @type {import("./charts/sheet.js").Sheet|null} */
  #sheet = null;
  #cell = null;
  #seen = false;
  #closed = false;
  #ends = [];
  #pace = paced(() => this.#read(), EVERY_MILLIS);

  /**
   * @param {string} runId
   * @param {import("./charts/axis.js").Axis} axis the batches that it shows, too
   */
  constructor(runId, axis) {
    this.#runId = runId;
    this.#axis = axis;
    const heading = freshId();
    const title = "Weights of many domains";
    this.table = new ChartTable(title, percent);
    this.canvas = el("canvas", {
      class: "heat",
      tabindex: 0,
      role: "slider",
      "aria-label": "Weights by domain and batch",
      "aria-valuenow": 0,
      "aria-valuetext": "nothing was read yet",
      on: {
        mousemove: (event) => this.#point(event),
        mouseleave: () => this.#show(null),
        keydown: (event) => this.#key(event),
      },
    });
    this.stage = el("div", { class: "stage" }, this.canvas);
    this.readout = el("dl", { class: "readout" });
    this.scale = el("canvas", { class: "scale", width: 200, height: 12, "aria-hidden": "true" });
    this.least = el("span");
    this.most = el("span");
    const legend = el(
      "div",
      { class: "legend" },
      el("div", { class: "scale-ends" }, this.least, this.most),
      this.scale,
      this.readout,
    );
    this.hint = el("p", { class: "hint" }, "Reading the weights …");
    this.element = el(
      "figure",
      { class: "card chart", "aria-labelledby": heading },
      el(
        "header",
        {},
        el("div", {}, el("h2", { id: heading }, title), this.hint),
        el("div", { class: "tools" }, this.table.button),
      ),
      el("div", { class: "chart-main" }, this.stage, legend),
      this.table.element,
    );
    this.#watch();
  }

  /** Has the weights read again, some time. */
  update() {
    if (this.#seen) {
      this.#pace.ask();
    }
  }

  /** Draws the batches that its axis has now. */
  rescale() {
    this.#draw();
  }

  /**
   * Tells of a batch that is pointed at in another chart.
   *
   * @param {number|null} batch
   * @returns {void}
   */
  point(batch) {
    this.#tell(batch === null ? null : { column: this.#cell?.column ?? 0, batch });
  }

  /** Lets go of what it listens to. */
  close() {
    this.#closed = true;
    this.#pace.stop();
    this.#ends.forEach((end) => end());
  }

  #watch() {
    this.#axis.join(this);
    const sight = new IntersectionObserver((entries) => {
      this.#seen = entries.at(-1).isIntersecting;
      this.update();
    });
    sight.observe(this.element);
    const size = new ResizeObserver(() => this.#draw());
    size.observe(this.stage);
    this.#ends.push(
      () => this.#axis.leave(this),
      () => sight.disconnect(),
      () => size.disconnect(),
      onTheme(() => this.#draw()),
    );
  }

  async #read() {
    try {
      const read = await course(this.#runId, TOP, "weight");
      if (this.#closed) {
        return;
      }
      const sheet = sheetOf({ ...read, targets: null }, "weights", 1);
      const columns = sheet.columns.filter(({ name }) => name !== null);
      columns.sort((left, right) => (right.values.at(-1) ?? 0) - (left.values.at(-1) ?? 0));
      this.#sheet = { ...sheet, columns };
      const rest = read.others > 0 ? `; ${count(read.others)} have less and are left out` : "";
      say(this.hint, `The ${count(columns.length)} domains of most weight, the greatest at the top${rest}.`);
      this.table.show(this.#sheet);
      this.#draw();
      this.#tell(this.#cell);
    } catch (failure) {
      say(this.hint, failure.message);
    }
  }

  /** The weights that have the first and the last colour. */
  #reach() {
    let most = 0;
    let least = Infinity;
    for (const { values } of this.#sheet.columns) {
      for (const value of values.filter((weight) => weight > 0)) {
        most = Math.max(most, value);
        least = Math.min(least, value);
      }
    }
    return most === 0 ? { most: 1, least: 0.1 } : { most, least: Math.min(most / 2, Math.max(least, most / REACH)) };
  }

  #draw() {
    const sheet = this.#sheet;
    const width = this.stage.clientWidth;
    if (!sheet || width === 0 || sheet.columns.length === 0 || sheet.batches.length === 0) {
      return;
    }
    const rows = sheet.columns.length;
    this.rowHeight = Math.min(18, Math.max(2, Math.floor(TALL / rows)));
    const height = rows * this.rowHeight;
    const scale = devicePixelRatio;
    this.canvas.width = width * scale;
    this.canvas.height = (height + FOOT) * scale;
    this.canvas.style.height = `${height + FOOT}px`;
    const pen = this.canvas.getContext("2d");
    pen.scale(scale, scale);
    pen.imageSmoothingEnabled = false;
    pen.drawImage(this.#picture(width - GUTTER - RIGHT), GUTTER, 0, width - GUTTER - RIGHT, height);
    this.#drawAxes(pen, width, height);
    this.#drawScale();
  }

  /** A pixel for each domain and each place along the batches. */
  #picture(width) {
    const { columns } = this.#sheet;
    const { most, least } = this.#reach();
    const picture = document.createElement("canvas");
    picture.width = Math.max(1, width);
    picture.height = columns.length;
    const pen = picture.getContext("2d");
    const image = pen.createImageData(picture.width, picture.height);
    const [from, to] = this.#axis.range();
    for (let x = 0; x < picture.width; x++) {
      const row = rowAt(this.#sheet, from + ((x + 0.5) / picture.width) * (to - from));
      for (let y = 0; row >= 0 && y < columns.length; y++) {
        const value = columns[y].values[row] ?? 0;
        const colour = heat(value <= least ? 0 : Math.log(value / least) / Math.log(most / least));
        image.data.set([...colour, 255], (y * picture.width + x) * 4);
      }
    }
    pen.putImageData(image, 0, 0);
    return picture;
  }

  #drawAxes(pen, width, height) {
    const [from, to] = this.#axis.range();
    pen.fillStyle = ink().muted;
    pen.font = "12px system-ui, sans-serif";
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    const every = Math.max(1, Math.ceil(this.#sheet.columns.length / 8));
    for (let i = 0; i < this.#sheet.columns.length; i += every) {
      pen.fillText(`#${i + 1}`, GUTTER - 8, Math.max(7, (i + 0.5) * this.rowHeight));
    }
    pen.textBaseline = "top";
    const across = width - GUTTER - RIGHT;
    pen.textAlign = "center";
    const step = roundStep((to - from) / Math.max(1, across / 110));
    for (let batch = Math.ceil(from / step) * step; batch <= to; batch += step) {
      pen.fillText(count(batch), GUTTER + (across * (batch - from)) / (to - from), height + 8);
    }
  }

  #drawScale() {
    const { most, least } = this.#reach();
    const pen = this.scale.getContext("2d");
    for (let x = 0; x < this.scale.width; x++) {
      pen.fillStyle = `rgb(${heat(x / this.scale.width).join(",")})`;
      pen.fillRect(x, 0, 1, this.scale.height);
    }
    say(this.least, `≤ ${percent(least)}`);
    say(this.most, percent(most));
  }

  #point(event) {
    const [from, to] = this.#axis.range();
    const across = this.canvas.clientWidth - GUTTER - RIGHT;
    const batch = Math.round(from + ((event.offsetX - GUTTER) / across) * (to - from));
    const column = Math.floor(event.offsetY / this.rowHeight);
    const inside = batch >= from && batch <= to && column < (this.#sheet?.columns.length ?? 0);
    this.#show(inside ? { column, batch } : null);
  }

  #key(event) {
    const [from, to] = this.#axis.range();
    const step = Math.max(1, Math.round((to - from) / 50));
    const cell = this.#cell ?? { column: 0, batch: Math.round(to) };
    const last = (this.#sheet?.columns.length ?? 1) - 1;
    const moves = {
      ArrowUp: () => ({ ...cell, column: Math.max(0, cell.column - 1) }),
      ArrowDown: () => ({ ...cell, column: Math.min(last, cell.column + 1) }),
      ArrowLeft: () => ({ ...cell, batch: Math.max(Math.round(from), cell.batch - step) }),
      ArrowRight: () => ({ ...cell, batch: Math.min(Math.round(to), cell.batch + step) }),
    };
    if (moves[event.key]) {
      event.preventDefault();
      this.#show(moves[event.key]());
    }
  }

  #show(cell) {
    this.#cell = cell;
    this.#axis.point(this, cell?.batch ?? null);
    this.#tell(cell);
  }

  #tell(cell) {
    const column = this.#sheet?.columns[cell?.column ?? 0];
    if (!column) {
      return;
    }
    const batch = cell?.batch ?? this.#sheet.batches.at(-1);
    const weight = percent(column.values[rowAt(this.#sheet, batch)]);
    const told = [
      ["Domain", `#${(cell?.column ?? 0) + 1} ${column.title}`],
      ["Batch", count(batch)],
      ["Weight", weight],
    ];
    if (this.readout.children.length === 0) {
      this.readout.append(...told.map(([title]) => el("div", {}, el("dt", {}, title), el("dd", { class: "name" }))));
    }
    told.forEach(([, text], i) => say(this.readout.children[i].lastChild, text));
    const [from, to] = this.#axis.range();
    this.canvas.setAttribute("aria-valuemin", String(Math.round(from)));
    this.canvas.setAttribute("aria-valuemax", String(Math.round(to)));
    this.canvas.setAttribute("aria-valuenow", String(batch));
    this.canvas.setAttribute("aria-valuetext", `${column.title}, batch ${count(batch)}: ${weight}`);
  }
}

/** The least of 1, 2, 5, 10, 20, 50 and so on that is not below a number. */
function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return power * [1, 2, 5, 10].find((times) => power * times >= least);
}
