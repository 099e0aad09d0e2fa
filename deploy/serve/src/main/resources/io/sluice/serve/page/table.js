import { el, fill, freshId, say } from "./dom.js";
import { count } from "./format.js";

const SPARE = 6;
const collator = new Intl.Collator("en", { numeric: true });

/**
 * A column of a table.
 *
 * @typedef {object} Column
 * @property {string} title
 * @property {number} width least pixels
 * @property {(row: any) => string} text what a cell says
 * @property {(row: any) => string|number|null} [value] what it is sorted by; null comes last
 * @property {(row: any) => Node|null} [render] what a cell shows when it is more than its text
 * @property {boolean} [number] whether it is set to the right
 * @property {string} [hint] what the title means
 */

/**
 * A table of any length, of which only the rows in sight are elements; it can be sorted and filtered.
 */
export class Table {
  #options;
  #columns;
  #sort;
  #all = [];
  #shown = [];
  /** @type {Map<string, HTMLTableRowElement>} */
  #rows = new Map();
  #query = "";
  #heads = [];
  /** @type {((row: any) => boolean)|null} */
  #allowed = null;

  /**
   * @param {object} options
   * @param {string} options.label what it is a table of
   * @param {Column[]} options.columns the first names a row
   * @param {(row: any) => string} options.key tells rows apart
   * @param {number} [options.rowHeight] in pixels
   * @param {string} [options.filter] the label of a box that leaves out rows; none without
   * @param {{column: number, down: boolean}} [options.sort] the first order; that of the rows without
   * @param {boolean} [options.fixed] whether the order is that of the rows for good
   * @param {(row: any) => string} [options.mark] a class of a row
   * @param {string} options.empty what is said without rows
   */
  constructor(options) {
    this.#options = { rowHeight: 34, ...options };
    this.#columns = options.columns;
    this.#sort = options.sort ?? null;
    this.body = el("tbody");
    this.before = el("tr", { "aria-hidden": "true", class: "space" });
    this.after = el("tr", { "aria-hidden": "true", class: "space" });
    this.table = el(
      "table",
      { style: `min-width:${sum(this.#columns)}px; --row:${this.#options.rowHeight}px` },
      el("caption", { class: "unseen" }, options.label),
      el("colgroup", {}, ...this.#columns.map((column) => el("col", { style: `width:${column.width}px` }))),
      el("thead", {}, el("tr", { "aria-rowindex": 1 }, ...this.#columns.map((column, i) => this.#head(column, i)))),
      this.body,
    );
    this.scroller = el(
      "div",
      {
        class: "scroller",
        tabindex: 0,
        role: "group",
        "aria-label": options.label,
        on: { scroll: () => this.#draw() },
      },
      this.table,
    );
    this.empty = el("p", { class: "quiet", hidden: true });
    this.tally = el("span", { class: "tally" });
    this.element = el("div", { class: "table" }, this.#bar(), this.scroller, this.empty);
    new ResizeObserver(() => this.#draw()).observe(this.scroller);
  }

  /**
   * Shows rows in place of those before.
   *
   * @param {any[]} rows
   * @returns {void}
   */
  show(rows) {
    this.#all = rows;
    this.#arrange();
  }

  /**
   * Filters the rows further than the box does.
   *
   * @param {((row: any) => boolean)|null} allow
   * @returns {void}
   */
  allow(allow) {
    this.#allowed = allow;
    this.#arrange();
  }

  /**
   * The rows that are left, in their order.
   *
   * @returns {(string|number|null)[][]} the first has the titles
   */
  cells() {
    const value = (column, row) => (column.value ? column.value(row) : column.text(row));
    return [
      this.#columns.map((column) => column.title),
      ...this.#shown.map((row) => this.#columns.map((column) => value(column, row))),
    ];
  }

  #bar() {
    if (!this.#options.filter) {
      return null;
    }
    const id = freshId();
    const box = el("input", { id, type: "search", autocomplete: "off", spellcheck: "false" });
    box.addEventListener("input", () => {
      this.#query = box.value.trim().toLowerCase();
      this.scroller.scrollTop = 0;
      this.#arrange();
    });
    return el("div", { class: "bar" }, el("label", { for: id }, this.#options.filter), box, this.tally);
  }

  #head(column, i) {
    const title = this.#options.fixed
      ? el("span", { class: "name" }, column.title)
      : el("button", { type: "button", on: { click: () => this.#turn(i) } }, column.title);
    const head = el("th", { scope: "col", class: column.number ? "number" : null, title: column.hint ?? column.title });
    head.append(title);
    this.#heads.push(head);
    return head;
  }

  #turn(i) {
    const same = this.#sort?.column === i;
    this.#sort = { column: i, down: same ? !this.#sort.down : Boolean(this.#columns[i].number) };
    this.#arrange();
  }

  #arrange() {
    const query = this.#query;
    const found = (row) => this.#columns.some((column) => column.text(row).toLowerCase().includes(query));
    let shown = this.#all;
    if (query || this.#allowed) {
      shown = shown.filter((row) => (!query || found(row)) && (!this.#allowed || this.#allowed(row)));
    }
    if (this.#sort) {
      const { column, down } = this.#sort;
      const value = this.#columns[column].value ?? this.#columns[column].text;
      shown = shown
        .map((row) => [value(row), row])
        .sort(([left], [right]) => order(left, right, down))
        .map(([, row]) => row);
    }
    this.#shown = shown;
    this.#heads.forEach((head, i) => {
      const sorted = this.#sort?.column === i;
      if (sorted) {
        head.setAttribute("aria-sort", this.#sort.down ? "descending" : "ascending");
      } else {
        head.removeAttribute("aria-sort");
      }
    });
    this.table.setAttribute("aria-rowcount", String(shown.length + 1));
    const few = shown.length === this.#all.length;
    say(this.tally, few ? count(shown.length) : `${count(shown.length)} of ${count(this.#all.length)}`);
    this.empty.hidden = shown.length > 0;
    say(this.empty, this.#all.length === 0 ? this.#options.empty : "Nothing has that in it.");
    this.scroller.hidden = shown.length === 0;
    this.#draw();
  }

  #draw() {
    const height = this.#options.rowHeight;
    const total = this.#shown.length;
    const first = Math.max(0, Math.min(Math.floor(this.scroller.scrollTop / height), total) - SPARE);
    const last = Math.min(total, first + Math.ceil((this.scroller.clientHeight || 600) / height) + 2 * SPARE);
    this.before.style.height = `${first * height}px`;
    this.after.style.height = `${(total - last) * height}px`;
    const kept = new Map();
    const nodes = [];
    for (let i = first; i < last; i++) {
      const row = this.#shown[i];
      const key = this.#options.key(row);
      const node = this.#rows.get(key) ?? this.#row();
      this.#write(node, row, i);
      kept.set(key, node);
      nodes.push(node);
    }
    this.#rows = kept;
    const wanted = [this.before, ...nodes, this.after];
    const there = this.body.children;
    if (there.length !== wanted.length || wanted.some((node, i) => node !== there[i])) {
      const focused = document.activeElement;
      this.body.replaceChildren(...wanted);
      if (focused instanceof HTMLElement && this.body.contains(focused)) {
        focused.focus({ preventScroll: true });
      }
    }
  }

  #row() {
    return el(
      "tr",
      {},
      ...this.#columns.map((column, i) =>
        el(i === 0 ? "th" : "td", { scope: i === 0 ? "row" : null, class: column.number ? "number" : "name" }),
      ),
    );
  }

  #write(node, row, i) {
    node.setAttribute("aria-rowindex", String(i + 2));
    node.className = this.#options.mark?.(row) ?? "";
    this.#columns.forEach((column, j) => {
      const cell = node.children[j];
      const text = column.text(row);
      if (column.render) {
        if (cell.dataset.text !== text) {
          cell.dataset.text = text;
          fill(cell, column.render(row) ?? "");
        }
      } else {
        say(cell, text);
        cell.title = text;
      }
    });
  }
}

/** @param {any} left @param {any} right @param {boolean} down */
function order(left, right, down) {
  if (left === null || right === null) {
    return left === right ? 0 : left === null ? 1 : -1;
  }
  const by = typeof left === "number" && typeof right === "number" ? left - right : collator.compare(left, right);
  return down ? -by : by;
}

/** @param {Column[]} columns */
function sum(columns) {
  return columns.reduce((all, column) => all + column.width, 0);
}
