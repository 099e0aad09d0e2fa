import { el, fill } from "../dom.js";
import { count } from "../format.js";
import { Table } from "../table.js";

/** A chart in text: a table of its rows, the newest first, which a button shows. */
export class ChartTable {
  #title;
  #format;
  #sheet = null;
  #names = "";
  /** @type {Table|null} */
  #table = null;

  /**
   * @param {string} title of the chart
   * @param {(value: number|null) => string} format
   */
  constructor(title, format) {
    this.#title = title;
    this.#format = format;
    this.button = el(
      "button",
      {
        type: "button",
        "aria-pressed": "false",
        "aria-label": `${title} as a table`,
        on: { click: () => this.#turn() },
      },
      "Table",
    );
    this.element = el("div", { class: "chart-table", hidden: true });
  }

  /**
   * Takes a sheet, and shows it while the table is shown.
   *
   * @param {import("./sheet.js").Sheet} sheet
   * @returns {void}
   */
  show(sheet) {
    this.#sheet = sheet;
    this.#fill();
  }

  #turn() {
    this.element.hidden = !this.element.hidden;
    this.button.setAttribute("aria-pressed", String(!this.element.hidden));
    this.#fill();
  }

  #fill() {
    if (this.element.hidden || this.#sheet === null) {
      return;
    }
    const { batches, columns, thinned } = this.#sheet;
    const names = JSON.stringify(columns.map(({ title }) => title));
    if (names !== this.#names) {
      this.#names = names;
      this.#table = new Table({
        label: `${this.#title}, newest batch first`,
        columns: [
          { title: "batch", width: 96, number: true, text: (i) => count(this.#sheet.batches[i]) },
          ...columns.map(({ title }, j) => ({
            title,
            width: 104,
            number: true,
            text: (i) => this.#format(this.#sheet.columns[j].values[i] ?? null),
          })),
        ],
        key: (i) => String(i),
        fixed: true,
        empty: "Nothing yet.",
      });
      this.thinned = el("p", { class: "hint" });
      fill(this.element, this.#table.element, this.thinned);
    }
    this.thinned.textContent = thinned
      ? "Of a long run some rows are left out; the first and the newest are there."
      : "";
    this.#table.show(batches.map((_, i) => batches.length - 1 - i));
  }
}
