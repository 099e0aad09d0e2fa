/**
 * The batches that some charts show: zoomed and pointed at in one of them, they are in all.
 */
export class Axis {
  /** @type {Set<{rescale: () => void, point: (batch: number|null) => void}>} */
  #charts = new Set();
  /** @type {Map<any, [number, number]>} */
  #reaches = new Map();
  /** @type {[number, number]|null} */
  #zoomed = null;
  #zoomListeners = new Set();

  /**
   * @param {{rescale: () => void, point: (batch: number|null) => void}} chart that shows these batches
   * @returns {void}
   */
  join(chart) {
    this.#charts.add(chart);
  }

  /**
   * @param {any} chart
   * @returns {void}
   */
  leave(chart) {
    this.#charts.delete(chart);
  }

  /**
   * Says which batches there are.
   *
   * @param {any} owner whose batches they are, in place of those before
   * @param {number} from
   * @param {number} to
   * @returns {void}
   */
  reach(owner, from, to) {
    const before = this.full();
    this.#reaches.set(owner, [from, to]);
    const after = this.full();
    if (before[0] !== after[0] || before[1] !== after[1]) {
      this.#rescale();
    }
  }

  /** @returns {[number, number]} all batches that there are */
  full() {
    const reaches = [...this.#reaches.values()];
    if (reaches.length === 0) {
      return [0, 1];
    }
    const from = Math.min(...reaches.map(([first]) => first));
    return [from, Math.max(from + 1, ...reaches.map(([, last]) => last))];
  }

  /** @returns {[number, number]} the batches that are shown */
  range() {
    return this.#zoomed ?? this.full();
  }

  /** @returns {boolean} whether they are not all */
  get zoomed() {
    return this.#zoomed !== null;
  }

  /**
   * Shows some batches.
   *
   * @param {number} from
   * @param {number} to
   * @returns {void}
   */
  zoom(from, to) {
    const [first, last] = this.full();
    const least = Math.max(first, Math.min(from, last - 1));
    this.#zoomed = [least, Math.max(least + 1, Math.min(to, last))];
    if (this.#zoomed[0] <= first && this.#zoomed[1] >= last) {
      this.#zoomed = null;
    }
    this.#rescale();
  }

  /** Shows all batches. */
  reset() {
    this.#zoomed = null;
    this.#rescale();
  }

  /**
   * Points at a batch in the other charts.
   *
   * @param {any} from the chart in which it is pointed at
   * @param {number|null} batch null for none
   * @returns {void}
   */
  point(from, batch) {
    for (const chart of this.#charts) {
      if (chart !== from) {
        chart.point(batch);
      }
    }
  }

  /**
   * @param {() => void} listener told when other batches are shown
   * @returns {void}
   */
  onZoom(listener) {
    this.#zoomListeners.add(listener);
  }

  #rescale() {
    this.#charts.forEach((chart) => chart.rescale());
    this.#zoomListeners.forEach((listener) => listener());
  }
}

/** The scale of values that charts of the same kind share, beside each other. */
export class Scale {
  #reaches = new Map();
  #listeners = new Set();

  /**
   * @param {any} owner
   * @param {[number, number]|null} reach its least and greatest value
   * @returns {void}
   */
  reach(owner, reach) {
    const before = String(this.full());
    this.#reaches.set(owner, reach);
    if (before !== String(this.full())) {
      this.#listeners.forEach((listener) => listener());
    }
  }

  /** @returns {[number, number]|null} the least and the greatest value of all */
  full() {
    const reaches = [...this.#reaches.values()].filter((reach) => reach !== null);
    return reaches.length === 0
      ? null
      : [Math.min(...reaches.map(([least]) => least)), Math.max(...reaches.map(([, most]) => most))];
  }

  /**
   * @param {() => void} listener told when the scale is another
   * @returns {void}
   */
  onChange(listener) {
    this.#listeners.add(listener);
  }
}
