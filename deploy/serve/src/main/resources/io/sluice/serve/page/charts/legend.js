import { el, fill, say } from "../dom.js";
import { count } from "../format.js";
import { firstOf, lastUpTo } from "./sheet.js";

/** What the colours of a chart mean, with the values at a batch. */
export class Legend {
  #options;
  #rows = [];
  #names = "";
  #near = -1;

  /**
   * @param {object} options
   * @param {string} options.label
   * @param {boolean} options.filled whether the chart has areas
   * @param {boolean} options.firsts whether first values are told
   * @param {(value: number|null) => string} options.format
   * @param {import("../palette.js").Colours} options.colours
   */
  constructor(options) {
    this.#options = options;
    this.head = el("tr");
    this.body = el("tbody");
    this.element = el(
      "div",
      { class: "legend", tabindex: 0, role: "group", "aria-label": `Legend: ${options.label}` },
      el("table", {}, el("thead", {}, this.head), this.body),
    );
  }

  /**
   * Shows the values of a row.
   *
   * @param {import("./sheet.js").Sheet} sheet
   * @param {number} row its index
   * @param {number|null} batch that is pointed at; null for the last
   * @param {number} near the column under the pointer; -1 for none
   * @returns {void}
   */
  show(sheet, row, batch, near) {
    const targets = sheet.columns.some(({ target }) => target !== null);
    this.#build(sheet, targets);
    say(this.head.firstChild, batch === null ? "last" : `batch ${count(batch)}`);
    sheet.columns.forEach((column, i) => {
      const [, value, first] = this.#rows[i].children;
      const holds = sheet.holds === 0 ? lastUpTo(column.values, row) : column.values[row];
      say(value, this.#options.format(holds ?? null));
      if (this.#options.firsts) {
        say(first, this.#options.format(firstOf(column.values)));
      }
      if (targets) {
        say(this.#rows[i].lastChild, this.#options.format(column.target));
      }
    });
    if (near !== this.#near) {
      this.#rows[this.#near]?.classList.remove("near");
      this.#rows[near]?.classList.add("near");
      this.#near = near;
    }
  }

  /** Draws the colours again. */
  recolour() {
    this.#names = "";
  }

  #build(sheet, targets) {
    const names = JSON.stringify([targets, ...sheet.columns.map(({ title }) => title)]);
    if (names === this.#names) {
      return;
    }
    this.#names = names;
    this.#near = -1;
    const { colours, filled, firsts } = this.#options;
    const titles = ["", "value", ...(firsts ? ["first"] : []), ...(targets ? ["target"] : [])];
    fill(this.head, ...titles.map((title) => el("th", { scope: "col" }, title)));
    this.#rows = sheet.columns.map(({ name, title }) =>
      el(
        "tr",
        {},
        el("th", { scope: "row", title }, colours.swatch(name, filled), el("span", { class: "name" }, title)),
        ...titles.slice(1).map(() => el("td")),
      ),
    );
    fill(this.body, ...this.#rows);
  }
}
