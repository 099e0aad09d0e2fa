import { course, run } from "./api.js";
import { paced } from "./pace.js";

const LEAST_MILLIS = 250;
const AGAIN_MILLIS = 3_000;

/**
 * Keeps one run and its course as they are.
 */
export class Following {
  /** The run, once it was read. */
  run = null;
  /** Its course, once it was read. */
  course = null;
  /** Why it could not be read the last time; '' for nothing. */
  problem = "";

  #changed;
  #top;
  #by = "weight";
  #busy = false;
  #wanted = false;
  #closed = false;
  #end;
  #pace = paced(() => this.#read(), LEAST_MILLIS);
  #again = paced(() => this.#read(), AGAIN_MILLIS);

  /**
   * @param {string} runId
   * @param {import("./live.js").Live} live
   * @param {number} top how many domains have a column
   * @param {() => void} changed told when anything is other than it was
   */
  constructor(runId, live, top, changed) {
    this.runId = runId;
    this.#top = top;
    this.#changed = changed;
    this.#end = live.follow((id) => {
      if (id === runId) {
        this.#pace.ask();
      }
    });
    this.#pace.ask();
  }

  /**
   * Reads other domains from now on.
   *
   * @param {number} top
   * @param {string} by
   * @returns {void}
   */
  choose(top, by) {
    this.#top = top;
    this.#by = by;
    this.#pace.ask();
  }

  /** Reads again what could not be read. */
  retry() {
    if (this.problem !== "") {
      this.#again.ask();
    }
  }

  /** Reads no more. */
  close() {
    this.#closed = true;
    this.#end();
    this.#pace.stop();
    this.#again.stop();
  }

  async #read() {
    if (this.#busy) {
      this.#wanted = true;
      return;
    }
    this.#busy = true;
    this.#wanted = false;
    const asked = [this.#top, this.#by].join();
    try {
      const [newRun, newCourse] = await Promise.all([run(this.runId), course(this.runId, this.#top, this.#by)]);
      this.run = newRun;
      this.course = newCourse;
      this.problem = "";
    } catch (failure) {
      this.problem = failure.message;
    } finally {
      this.#busy = false;
    }
    if (this.#closed) {
      return;
    }
    if (this.#wanted || asked !== [this.#top, this.#by].join()) {
      this.#pace.ask();
    }
    this.#changed();
  }
}
