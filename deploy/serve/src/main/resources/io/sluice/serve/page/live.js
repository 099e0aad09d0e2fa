import { address, runs } from "./api.js";
import { paced } from "./pace.js";
import { Rates } from "./rates.js";

const FRAME_MILLIS = 250;
const AGAIN_MILLIS = 3_000;
const SILENT_MILLIS = 10_000;
const TICK_MILLIS = 1_000;

/**
 * What the service says as it happens: all runs, and that a run has more. The one stream of the page.
 */
export class Live {
  /** The service, once it was heard. */
  service = null;
  /** All runs, newest first; null until they were heard. */
  runs = null;
  /** Whether the server answers: "connecting", "live" or "away". */
  connection = "connecting";
  /** Why it does not, where that is known. */
  problem = "";
  rates = new Rates();

  /** @type {Set<() => void>} */
  #listeners = new Set();
  /** @type {Set<(runId: string) => void>} */
  #followers = new Set();
  #heardAt = -Infinity;
  /** @type {number|null} */
  #readAt = null;
  /** @type {EventSource|null} */
  #source = null;
  #runId = "";
  #again = 0;
  #asking = false;
  #frame = paced(() => this.#listeners.forEach((listener) => listener()), FRAME_MILLIS);

  /** Begins to listen. */
  start() {
    this.#open();
    this.#ask();
    setInterval(() => this.#tick(), TICK_MILLIS);
  }

  /**
   * Tells a listener when something is other than it was, at most four times a second.
   *
   * @param {() => void} listener
   * @returns {() => void} ends it
   */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Tells a listener when a run may have more in its course.
   *
   * @param {(runId: string) => void} listener
   * @returns {() => void} ends it
   */
  follow(listener) {
    this.#followers.add(listener);
    return () => this.#followers.delete(listener);
  }

  /**
   * Asks to be told of a run's course, too.
   *
   * @param {string} runId '' for none
   * @returns {void}
   */
  watch(runId) {
    if (runId !== this.#runId) {
      this.#runId = runId;
      this.#open();
    }
  }

  /** @returns {number} the server's clock, as far as it is known */
  now() {
    return this.service ? this.service.timeMillis + performance.now() - this.#heardAt : Date.now();
  }

  /** @returns {number|null} how old what is shown is; null while nothing was read from Kafka */
  age() {
    return this.#readAt === null ? null : performance.now() - this.#readAt;
  }

  #open() {
    clearTimeout(this.#again);
    this.#source?.close();
    const source = new EventSource(address(["events"], this.#runId ? { run: this.#runId } : {}));
    this.#source = source;
    source.addEventListener("runs", (event) => this.#hear(JSON.parse(event.data)));
    source.addEventListener("run", (event) => {
      const { runId } = JSON.parse(event.data);
      this.#followers.forEach((follower) => follower(runId));
    });
    source.addEventListener("error", () => {
      // A stream that was refused is closed for good and is opened anew here; others come back by themselves.
      if (source.readyState === EventSource.CLOSED) {
        this.#again = setTimeout(() => this.#open(), AGAIN_MILLIS);
      }
      this.#ask();
    });
  }

  #tick() {
    if (performance.now() - this.#heardAt > SILENT_MILLIS || this.connection !== "live") {
      this.#ask();
    }
    this.#frame.ask();
  }

  async #ask() {
    if (this.#asking) {
      return;
    }
    this.#asking = true;
    try {
      this.#hear(await runs());
    } catch (failure) {
      this.connection = "away";
      this.problem = failure.message;
      this.#frame.ask();
    } finally {
      this.#asking = false;
    }
  }

  /** @param {{service: any, runs: any[]}} heard */
  #hear(heard) {
    const before = new Map((this.runs ?? []).map((run) => [run.runId, run]));
    this.service = heard.service;
    this.runs = heard.runs;
    this.connection = "live";
    this.problem = "";
    this.#heardAt = performance.now();
    if (!heard.service.away) {
      this.#readAt = this.#heardAt;
    }
    this.rates.take(heard.runs, heard.service.timeMillis);
    for (const run of heard.runs) {
      const was = before.get(run.runId);
      if (was && (was.granted !== run.granted || was.timeline !== run.timeline || was.phase !== run.phase)) {
        this.#followers.forEach((follower) => follower(run.runId));
      }
    }
    this.#frame.ask();
  }
}
