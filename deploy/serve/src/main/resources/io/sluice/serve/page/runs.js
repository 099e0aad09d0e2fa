import { badge, concern, notice, waitingText, waitingTime } from "./badge.js";
import { el, fill, hash, say } from "./dom.js";
import { count, percent, span } from "./format.js";
import { Table } from "./table.js";

/**
 * The list of all runs.
 *
 * @param {import("./live.js").Live} live
 * @returns {{title: string, element: HTMLElement, update: () => void, close: () => void}}
 */
export function runsView(live) {
  const now = () => live.now();
  let only = "";
  const table = new Table({
    label: "Runs",
    rowHeight: 56,
    filter: "Filter runs",
    key: (run) => run.runId,
    mark: concern,
    empty: "",
    columns: columns(now),
  });
  const chips = el("div", { class: "chips", role: "group", "aria-label": "Runs by phase" });
  const problem = notice("failed");
  const welcome = el("div", { class: "card welcome", hidden: true });
  const list = el("div", { hidden: true }, chips, table.element);
  const loading = el("p", { class: "quiet" }, "Reading the runs …");
  const element = el(
    "div",
    { class: "view" },
    el("h1", { tabindex: -1 }, "Runs"),
    problem.element,
    loading,
    welcome,
    list,
  );

  const choose = (kind) => {
    only = only === kind ? "" : kind;
    table.allow(only ? (run) => kindOf(run) === only : null);
    update();
  };
  const update = () => {
    loading.hidden = live.runs !== null || live.problem !== "";
    problem.show(live.runs === null ? live.problem : "");
    if (live.runs === null) {
      return;
    }
    const none = live.runs.length === 0;
    welcome.hidden = !none;
    list.hidden = none;
    if (none) {
      greet(welcome, live.service);
    } else {
      table.show(live.runs);
      showChips(chips, live.runs, only, choose);
    }
  };
  return { title: "Runs", element, update, close() {} };
}

/** @param {() => number} now */
function columns(now) {
  return [
    { title: "Run", width: 230, text: (run) => `${run.run} ${run.runId}`, value: (run) => run.run, render: nameOf },
    {
      title: "Phase",
      width: 290,
      text: (run) => [run.phase, waitingText(run, now()), writerOf(run)].join(" "),
      value: (run) => `${run.phase} ${run.waiting}`,
      render: (run) => phaseOf(run, now()),
    },
    {
      title: "Granted",
      hint: "The last batch whose mixture is decided",
      width: 110,
      number: true,
      text: (run) => count(run.granted),
      value: (run) => run.granted,
    },
    {
      title: "Lead",
      hint: "Batches that are decided ahead of the trainers",
      width: 90,
      number: true,
      text: (run) => count(run.lead),
      value: (run) => run.lead,
    },
    {
      title: "Trainers",
      hint: "Ranks that have attached",
      width: 100,
      number: true,
      text: (run) => count(run.trainers),
      value: (run) => run.trainers,
    },
    {
      title: "Exposed wait",
      hint: "The greatest share of its steps that a rank waited for data",
      width: 130,
      number: true,
      text: (run) => percent(run.exposedShare),
      value: (run) => run.exposedShare,
    },
    {
      title: "Heard",
      hint: "How long ago the run said where it stands",
      width: 110,
      number: true,
      text: (run) => (run.timeMillis > 0 ? `${span(now() - run.timeMillis)} ago` : "never"),
      value: (run) => run.timeMillis,
    },
  ];
}

function nameOf(run) {
  return el(
    "div",
    { class: "two" },
    el("a", { class: "name", href: hash("run", run.runId), title: run.run }, run.run),
    el("span", { class: "name id", title: run.runId }, run.runId),
  );
}

function phaseOf(run, now) {
  const why = [writerOf(run), run.waiting].filter((text) => text !== "").join(" · ");
  const time = waitingTime(run, now);
  return el(
    "div",
    { class: "two" },
    badge(run.phase),
    why
      ? el(
          "span",
          { class: `why ${concern(run)}`, title: why },
          el("span", { class: "name" }, why),
          time ? el("span", { class: "time" }, time) : null,
        )
      : null,
  );
}

function writerOf(run) {
  return run.otherWriter ? `another writer: ${run.otherWriter}` : "";
}

/** What a run is counted as: waiting stands out from its phase. */
function kindOf(run) {
  return concern(run) === "waiting" ? "waiting" : run.phase;
}

/**
 * @param {HTMLElement} chips
 * @param {any[]} runs
 * @param {string} only the kind that is shown alone
 * @param {(kind: string) => void} choose
 */
function showChips(chips, runs, only, choose) {
  const counts = new Map(["failed", "waiting", "running"].map((kind) => [kind, 0]));
  runs.forEach((run) => counts.set(kindOf(run), (counts.get(kindOf(run)) ?? 0) + 1));
  const kinds = [...counts].filter(([kind, number]) => number > 0 || kind === only);
  if (chips.children.length !== kinds.length || kinds.some(([kind], i) => chips.children[i].dataset.kind !== kind)) {
    fill(
      chips,
      ...kinds.map(([kind]) => el("button", { type: "button", "data-kind": kind, on: { click: () => choose(kind) } })),
    );
  }
  kinds.forEach(([kind, number], i) => {
    say(chips.children[i], `${count(number)} ${kind}`);
    chips.children[i].setAttribute("aria-pressed", String(kind === only));
  });
}

/**
 * Says what to do with a service that has no run.
 *
 * @param {HTMLElement} place
 * @param {any} service
 */
function greet(place, service) {
  if (place.children.length === 0) {
    fill(
      place,
      el("h2", {}, "No run was applied yet"),
      el("p", {}, "Describe a run in a file and apply it; it appears here at once:"),
      el("pre", {}, el("code", {}, "sluice run apply -f run.yaml")),
      el("p", { class: "hint" }, `Topics of this service at ${service.kafka} begin with “${service.prefix}”.`),
    );
  }
}
