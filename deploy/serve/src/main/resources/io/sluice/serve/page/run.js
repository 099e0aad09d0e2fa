import { address } from "./api.js";
import { Actions } from "./actions.js";
import { notice } from "./badge.js";
import { CourseCharts } from "./course-charts.js";
import { el, freshId, hash } from "./dom.js";
import { Following } from "./follow.js";
import { Heatmap } from "./heatmap.js";
import { RunHead } from "./run-head.js";
import { domainRows, domainTable, noteTable, rankTable, tableCard } from "./run-tables.js";

const TOPS = [8, 16, 32, 64];
const TOP = 16;
const WAYS = { weight: "most weight", change: "most change", gap: "the widest gap" };
const HEATMAP_FROM = 12;

/**
 * One run.
 *
 * @param {string} runId
 * @param {import("./live.js").Live} live
 * @returns {{title: string, element: HTMLElement, update: () => void, close: () => void}}
 */
export function runView(runId, live) {
  const head = new RunHead(runId);
  const problem = notice("failed");
  const charts = new CourseCharts(runId);
  const domains = domainTable();
  const ranks = rankTable(() => live.now());
  const notes = noteTable();
  const actions = new Actions(runId);
  const chosen = chooser((top, by) => following.choose(top, by));
  const resetZoom = el(
    "button",
    { type: "button", disabled: true, on: { click: () => charts.axis.reset() } },
    "Show all batches",
  );
  charts.axis.onZoom(() => {
    resetZoom.disabled = !charts.axis.zoomed;
  });
  const bar = el(
    "div",
    { class: "toolbar" },
    ...chosen,
    resetZoom,
    el("a", { class: "button", href: address(["runs", runId, "course.csv"]), download: "" }, "All as CSV"),
    comparer(runId, live),
  );
  let heatmap = null;
  const heatmapPlace = el("div");
  const body = el(
    "div",
    { class: "stack", hidden: true },
    bar,
    charts.element,
    heatmapPlace,
    tableCard(
      "Domains",
      "All domains of the run, and how long what is prepared of them lasts.",
      domains,
      `${runId}-domains`,
    ),
    tableCard("Ranks", "What the ranks of the trainers say of themselves, with their waits for data by cause.", ranks),
    actions.element,
    tableCard("What happened", "Rounds, commands, rewinds and refusals, newest first.", notes, `${runId}-notes`),
  );
  const element = el("div", { class: "view" }, crumbs(runId), head.element, problem.element, body);

  let shown = {};
  const following = new Following(runId, live, TOP, () => update());
  const update = () => {
    following.retry();
    problem.show(live.connection === "live" || following.run === null ? following.problem : "");
    const standing = live.runs?.find((run) => run.runId === runId);
    const { run, course } = following;
    if (run || standing) {
      head.show({ ...run, ...standing }, course, live);
    }
    body.hidden = !run;
    if (!run) {
      return;
    }
    domains.show(domainRows(run, live.rates.perSecond(runId, live.now())));
    ranks.show(run.ranks.map((rank, place) => ({ ...rank, place })));
    actions.show({ ...run, ...standing }, live.service?.actions ?? false);
    if (course !== shown) {
      shown = course;
      charts.show(course);
      notes.show(course.notes.map((note, place) => ({ ...note, place })).reverse());
      if (!heatmap && run.domains.length >= HEATMAP_FROM) {
        heatmap = new Heatmap(runId, charts.axis);
        heatmapPlace.append(heatmap.element);
      }
      heatmap?.update();
    }
  };
  return {
    title: runId,
    element,
    update,
    close() {
      following.close();
      charts.close();
      heatmap?.close();
    },
  };
}

/** @param {string} runId */
function crumbs(runId) {
  return el("p", { class: "crumbs" }, el("a", { href: "#/" }, "Runs"), " / ", el("span", { class: "name" }, runId));
}

/**
 * The choice of the domains that the charts show.
 *
 * @param {(top: number, by: string) => void} choose
 * @returns {HTMLElement[]}
 */
function chooser(choose) {
  const top = el(
    "select",
    {},
    ...TOPS.map((number) => el("option", { value: number, selected: number === TOP }, `${number} domains`)),
  );
  const by = el("select", {}, ...Object.entries(WAYS).map(([way, text]) => el("option", { value: way }, text)));
  const change = () => choose(Number(top.value), by.value);
  top.addEventListener("change", change);
  by.addEventListener("change", change);
  return [el("label", {}, "Show ", top), el("label", {}, "with ", by)];
}

/**
 * Where another run is named to be seen beside this one.
 *
 * @param {string} runId
 * @param {import("./live.js").Live} live
 * @returns {HTMLFormElement}
 */
function comparer(runId, live) {
  const names = el("datalist", { id: freshId() });
  const box = el("input", {
    type: "text",
    list: names.id,
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "id of a run",
  });
  box.addEventListener("focus", () => {
    const others = (live.runs ?? []).filter((run) => run.runId !== runId);
    names.replaceChildren(...others.map((run) => el("option", { value: run.runId })));
  });
  const form = el(
    "form",
    { class: "compare-with" },
    el("label", {}, "Compare with ", box),
    names,
    el("button", {}, "Compare"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (box.value.trim() !== "") {
      location.hash = hash("compare", runId, box.value.trim());
    }
  });
  return form;
}
