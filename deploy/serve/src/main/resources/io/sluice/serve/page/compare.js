import { notice, badge, waitingText } from "./badge.js";
import { Axis, Scale } from "./charts/axis.js";
import { CourseCharts } from "./course-charts.js";
import { el, fill, hash, say } from "./dom.js";
import { Following } from "./follow.js";
import { compact, count, measure, percent, UNKNOWN } from "./format.js";
import { Colours } from "./palette.js";
import { tableCard } from "./run-tables.js";
import { Table } from "./table.js";

const TOP = 16;

/**
 * Two runs beside each other, with the same scales and colours.
 *
 * @param {string[]} runIds
 * @param {import("./live.js").Live} live
 * @returns {{title: string, element: HTMLElement, update: () => void, close: () => void}}
 */
export function compareView(runIds, live) {
  const scales = { losses: new Scale(), gap: new Scale(), alignments: new Scale() };
  const shared = { axis: new Axis(), colours: new Colours(), scales, names: new Map() };
  const sides = runIds.map((runId) => new Side(runId, live, shared, () => update()));
  const [left, right] = sides;
  const pairs = left.charts.all.map((chart, i) =>
    el("div", { class: "pair" }, chart.element, right.charts.all[i].element),
  );
  const domains = differenceTable();
  const body = el(
    "div",
    { class: "stack", hidden: true },
    ...pairs,
    tableCard("Domains", "The difference is the first run less the second.", domains, `${runIds.join("-")}-domains`),
  );
  const element = el(
    "div",
    { class: "view" },
    el("p", { class: "crumbs" }, el("a", { href: "#/" }, "Runs"), " / Compare"),
    el("h1", { tabindex: -1 }, "Two runs"),
    el("div", { class: "pair" }, left.element, right.element),
    body,
  );
  const update = () => {
    sides.forEach((side) => side.update());
    const runs = sides.map((side) => side.following.run);
    body.hidden = runs.every((run) => run === null);
    domains.show(differences(...runs.map((run) => run?.domains ?? [])));
  };
  return {
    title: "Two runs",
    element,
    update,
    close: () => sides.forEach((side) => side.close()),
  };
}

/** One of the two: its name, where it stands, and its charts. */
class Side {
  #shown = null;

  constructor(runId, live, shared, changed) {
    this.runId = runId;
    this.live = live;
    this.charts = new CourseCharts(runId, shared);
    this.following = new Following(runId, live, TOP, changed);
    this.problem = notice("failed");
    this.waiting = notice("waiting");
    this.phase = el("span");
    this.name = el("a", { class: "name", href: hash("run", runId) }, runId);
    this.numbers = el("p", { class: "hint name" });
    this.element = el(
      "section",
      { class: "card side", "aria-label": runId },
      el("div", { class: "title" }, el("h2", {}, this.name), this.phase),
      this.numbers,
      this.waiting.element,
      this.problem.element,
    );
  }

  update() {
    const { following, live } = this;
    following.retry();
    this.problem.show(following.problem);
    const standing = live.runs?.find((run) => run.runId === this.runId);
    if (following.run === null) {
      return;
    }
    const run = { ...following.run, ...standing };
    if (this.phase.dataset.phase !== run.phase) {
      this.phase.dataset.phase = run.phase;
      fill(this.phase, badge(run.phase));
    }
    this.waiting.show(waitingText(run, live.now()));
    const rate = live.rates.perSecond(this.runId, live.now());
    const tokens = rate === null ? UNKNOWN : compact(rate * run.sequencesPerBatch * run.sequenceLength);
    const facts = [`${count(run.granted)} batches`, `${tokens} tokens a second`, run.policy, run.dataset];
    say(this.numbers, facts.join(" · "));
    if (following.course !== this.#shown) {
      this.#shown = following.course;
      this.charts.show(following.course);
    }
  }

  close() {
    this.following.close();
    this.charts.close();
  }
}

/** The domains of either run, with both weights and shares. */
function differences(left, right) {
  const others = new Map(right.map((domain) => [domain.name, domain]));
  const both = left.map((domain) => [domain, others.get(domain.name)]);
  const named = new Set(left.map(({ name }) => name));
  const only = right.filter(({ name }) => !named.has(name)).map((domain) => [undefined, domain]);
  return [...both, ...only].map(([a, b]) => ({
    name: (a ?? b).name,
    weightA: a?.weight ?? null,
    weightB: b?.weight ?? null,
    weight: a && b ? a.weight - b.weight : null,
    realisedA: a?.realised ?? null,
    realisedB: b?.realised ?? null,
    realised: a && b ? a.realised - b.realised : null,
  }));
}

function differenceTable() {
  const number = (title, key, format) => ({
    title,
    width: 130,
    number: true,
    text: (row) => format(row[key]),
    value: (row) => row[key],
  });
  return new Table({
    label: "Domains of both runs",
    filter: "Filter domains",
    key: (row) => row.name,
    sort: { column: 1, down: true },
    empty: "Neither run has a domain.",
    columns: [
      { title: "Domain", width: 220, text: (row) => row.name },
      number("First weight", "weightA", percent),
      number("Second weight", "weightB", percent),
      number("Difference", "weight", points),
      number("First realised", "realisedA", percent),
      number("Second realised", "realisedB", percent),
      number("Difference of shares", "realised", points),
    ],
  });
}

/** A difference of shares, in points of a hundred. */
function points(value) {
  if (value === null) {
    return UNKNOWN;
  }
  return `${value > 0 ? "+" : ""}${measure(value * 100)} pt`;
}
