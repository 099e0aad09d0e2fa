import { badge, notice, waitingText } from "./badge.js";
import { el, fill, hash, say } from "./dom.js";
import { compact, count, percent, span, UNKNOWN } from "./format.js";

/** What is no number among the numbers. */
const WORDS = new Set(["Policy", "Dataset"]);

/** What a run is and where it stands: its name, its phase and its numbers. */
export class RunHead {
  #numbers = new Map();
  #phase = "";

  /** @param {string} runId */
  constructor(runId) {
    this.runId = runId;
    this.name = el("h1", { class: "name", tabindex: -1 }, runId);
    this.badge = el("span");
    this.waiting = notice("waiting");
    this.trouble = notice("failed");
    this.refused = notice("plain");
    this.parent = el("p", { class: "hint", hidden: true });
    this.progress = el("progress", { max: 1, value: 0, "aria-label": "Granted of all batches", hidden: true });
    this.numbers = el("dl", { class: "numbers" });
    this.settings = el("dl", { class: "settings" });
    this.element = el(
      "div",
      { class: "run-head" },
      el("div", { class: "title" }, this.name, this.badge),
      this.parent,
      this.trouble.element,
      this.waiting.element,
      this.refused.element,
      this.numbers,
      this.progress,
      el("details", { class: "more" }, el("summary", {}, "Specification"), this.settings),
    );
  }

  /**
   * Shows a run as it is.
   *
   * @param {any} run what /runs/ID has, or what /runs has of it
   * @param {any} course null until it was read
   * @param {import("./live.js").Live} live
   * @returns {void}
   */
  show(run, course, live) {
    say(this.name, run.run);
    if (run.phase !== this.#phase) {
      this.#phase = run.phase;
      fill(this.badge, badge(run.phase));
    }
    this.waiting.show([waitingText(run, live.now()), ...lanes(run)].filter((text) => text !== "").join(" · "));
    this.trouble.show(troubleOf(run, course));
    this.refused.show(run.lastRefusal ? `last refused: ${run.lastRefusal}` : "");
    this.#showNumbers(run, live.rates.perSecond(run.runId, live.now()));
    if (run.dataset !== undefined) {
      this.#showParent(run);
      this.#showSettings(run);
    }
  }

  #showNumbers(run, rate) {
    const tokens = (run.sequencesPerBatch ?? NaN) * (run.sequenceLength ?? NaN);
    const ends = run.batches > 0;
    this.progress.hidden = !ends;
    this.progress.value = ends ? Math.min(1, run.granted / run.batches) : 0;
    const left = ends && rate > 0 ? `done in ${span(((run.batches - run.granted) / rate) * 1000)}` : "";
    this.#number("Granted", count(run.granted), ends ? `of ${count(run.batches)} batches` : "batches, without an end");
    this.#number("Lead", count(run.lead), `trainers are at ${count(run.progress)}`);
    this.#number(
      "Tokens a second",
      rate === null ? UNKNOWN : compact(rate * tokens),
      rate === null ? "measuring" : left || "granted",
    );
    this.#number("Tokens", compact(run.granted * tokens), "granted in all, about");
    this.#number("Mixture", `v${run.weightsVersion}`, run.timeline > 0 ? `timeline ${run.timeline}` : "never rewound");
    this.#number("Trainers", count(run.trainers), run.trainers === 1 ? "rank attached" : "ranks attached");
    this.#number("Exposed wait", percent(run.exposedShare), "of a rank's steps, at most");
    this.#number("Policy", run.policy ?? UNKNOWN, run.pinned ? "weights are pinned" : "");
    this.#number("Dataset", run.dataset ?? UNKNOWN, run.domains ? `${count(run.domains.length)} domains` : "");
  }

  #number(title, value, more) {
    let nodes = this.#numbers.get(title);
    if (!nodes) {
      nodes = [el("dd", { class: WORDS.has(title) ? "name words" : "name" }), el("dd", { class: "hint name" })];
      this.#numbers.set(title, nodes);
      this.numbers.append(el("div", {}, el("dt", {}, title), ...nodes));
    }
    say(nodes[0], value);
    nodes[0].title = value;
    say(nodes[1], more);
  }

  #showParent(run) {
    const parent = run.forkedFrom;
    this.parent.hidden = !parent;
    if (parent && this.parent.children.length === 0) {
      fill(
        this.parent,
        "Forked from ",
        el("a", { class: "name", href: hash("run", parent.runId) }, parent.runId),
        ` at batch ${count(parent.batch)} · `,
        el("a", { href: hash("compare", run.runId, parent.runId) }, "compare them"),
      );
    }
  }

  #showSettings(run) {
    const rows = [
      ["Sequence length", `${count(run.sequenceLength)} tokens`],
      ["Sequences per batch", count(run.sequencesPerBatch)],
      ["Seed", String(run.seed)],
      ["Delivery", run.delivery],
      ...Object.entries(run.policySettings),
    ];
    const text = JSON.stringify(rows);
    if (this.settings.dataset.text !== text) {
      this.settings.dataset.text = text;
      fill(
        this.settings,
        ...rows.map(([title, value]) =>
          el("div", {}, el("dt", { class: "name" }, title), el("dd", { class: "name" }, value)),
        ),
      );
    }
  }
}

/** What the stream of each lane waits for. */
function lanes(run) {
  return Object.entries(run.emission ?? {})
    .filter(([, why]) => why !== "")
    .map(([lane, why]) => `lane ${lane}: ${why}`);
}

/** Why someone must look at a run. */
function troubleOf(run, course) {
  const last = course?.notes.findLast((note) => note.kind === "phase");
  return [
    run.phase === "failed" && last?.text ? last.text : "",
    run.otherWriter ? `Another live MixJob writes this run's log: ${run.otherWriter}` : "",
    run.refusedFeedback > 0 ? `${count(run.refusedFeedback)} of the trainers' reports were refused` : "",
  ]
    .filter((text) => text !== "")
    .join(" · ");
}
