/**
 * Numbers and times as people read them.
 */

const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
const large = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** What stands where nothing is known. */
export const UNKNOWN = "–";

/**
 * @param {number|null|undefined} value
 * @returns {string} such as "12,400"
 */
export function count(value) {
  return known(value) ? whole.format(value) : UNKNOWN;
}

/**
 * @param {number|null|undefined} value
 * @returns {string} such as "1.24M"
 */
export function compact(value) {
  return known(value) ? short.format(value) : UNKNOWN;
}

/**
 * @param {number|null|undefined} value a share of 1
 * @returns {string} such as "12.3 %"
 */
export function percent(value) {
  if (!known(value)) {
    return UNKNOWN;
  }
  const hundredths = value * 100;
  const size = Math.abs(hundredths);
  if (size === 0) {
    return "0 %";
  }
  return size < 0.001 ? "< 0.001 %" : `${hundredths.toFixed(size < 0.1 ? 3 : size < 1 ? 2 : 1)} %`;
}

/**
 * @param {number|null|undefined} value
 * @returns {string} such as "2.718"
 */
export function measure(value) {
  if (!known(value)) {
    return UNKNOWN;
  }
  const size = Math.abs(value);
  if (size >= 100) {
    return large.format(value);
  }
  return size > 0 && size < 0.001 ? value.toExponential(1) : value.toFixed(3);
}

/**
 * @param {number|null|undefined} millis
 * @returns {string} such as "3 min" or "2 h 5 min"
 */
export function span(millis) {
  if (!known(millis)) {
    return UNKNOWN;
  }
  const seconds = Math.max(0, Math.floor(millis / 1000));
  if (seconds < 120) {
    return `${seconds} s`;
  }
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) {
    return `${minutes} min`;
  }
  const hours = Math.floor(minutes / 60);
  if (hours < 48) {
    return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  }
  return hours < 24_000 ? `${Math.floor(hours / 24)} days` : `${whole.format(Math.floor(hours / 24 / 365))} years`;
}

/**
 * @param {number} number
 * @param {string} one such as "batch"
 * @param {string} [many]
 * @returns {string} such as "3 batches"
 */
export function some(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** @param {any} value */
function known(value) {
  return typeof value === "number" && Number.isFinite(value);
}
