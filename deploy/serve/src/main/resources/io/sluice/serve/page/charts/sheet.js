import { count } from "../format.js";

/**
 * Numbers of domains along the batches of a run.
 *
 * @typedef {object} Sheet
 * @property {number[]} batches
 * @property {Column[]} columns
 * @property {boolean} thinned whether rows were left out
 * @property {-1|0|1} holds where a row holds: up to its batch, at it, or after it
 */

/**
 * @typedef {object} Column
 * @property {string|null} name of the domain; null for all the others
 * @property {string} title
 * @property {(number|null)[]} values
 * @property {number|null} target
 */

/**
 * A series of a course as a sheet.
 *
 * @param {any} course
 * @param {"weights"|"realised"|"losses"|"alignments"} series
 * @param {-1|0|1} holds
 * @returns {Sheet}
 */
export function sheetOf(course, series, holds) {
  const { batches, values, thinned } = course[series];
  const columns = values.map((column, i) => {
    const named = i < course.columns.length;
    return {
      name: named ? course.columns[i] : null,
      title: named ? course.columns[i] : `${count(course.others)} others`,
      values: column,
      target: course.targets?.[i] ?? null,
    };
  });
  const sheet = { batches, columns, thinned, holds };
  return holds === 1 ? reaching(sheet, course.granted) : sheet;
}

/**
 * How far each loss is above what a policy aims at.
 *
 * @param {Sheet} losses
 * @returns {Sheet} of the domains that have a target
 */
export function gapOf(losses) {
  const columns = losses.columns
    .filter((column) => column.target !== null)
    .map((column) => ({
      ...column,
      values: column.values.map((value) => (value === null ? null : value - column.target)),
      target: null,
    }));
  return { ...losses, columns };
}

/**
 * The row that holds at a batch.
 *
 * @param {Sheet} sheet
 * @param {number} batch
 * @returns {number} its index; -1 for none
 */
export function rowAt(sheet, batch) {
  const { batches, holds } = sheet;
  let low = 0;
  let high = batches.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds === -1 ? batches[middle] < batch : batches[middle] <= batch) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (holds === -1) {
    return low < batches.length ? low : -1;
  }
  if (holds === 0 && low < batches.length && (low === 0 || batches[low] - batch < batch - batches[low - 1])) {
    return low;
  }
  return low - 1;
}

/**
 * The last number of a column up to a row.
 *
 * @param {(number|null)[]} values
 * @param {number} row
 * @returns {number|null}
 */
export function lastUpTo(values, row) {
  for (let i = row; i >= 0; i--) {
    if (values[i] !== null) {
      return values[i];
    }
  }
  return null;
}

/**
 * The first number of a column.
 *
 * @param {(number|null)[]} values
 * @returns {number|null}
 */
export function firstOf(values) {
  return values.find((value) => value !== null) ?? null;
}

/**
 * The least and the greatest number of a sheet, its targets among them.
 *
 * @param {Sheet} sheet
 * @returns {[number, number]|null} null for none
 */
export function reachOf(sheet) {
  let least = Infinity;
  let most = -Infinity;
  for (const { values, target } of sheet.columns) {
    for (const value of target === null ? values : [target, ...values]) {
      if (value !== null) {
        least = Math.min(least, value);
        most = Math.max(most, value);
      }
    }
  }
  return least <= most ? [least, most] : null;
}

/**
 * A sheet whose last row is shown to hold up to a batch.
 *
 * @param {Sheet} sheet
 * @param {number} batch
 * @returns {Sheet}
 */
function reaching(sheet, batch) {
  if (sheet.batches.length === 0 || sheet.batches.at(-1) >= batch) {
    return sheet;
  }
  return {
    ...sheet,
    batches: [...sheet.batches, batch],
    columns: sheet.columns.map((column) => ({ ...column, values: [...column.values, column.values.at(-1)] })),
  };
}
