import { count } from "../format.js";
import { ink } from "../palette.js";
import uPlot from "../uplot/uPlot.esm.js";
import { drawMarks } from "./marks.js";
import { firstOf } from "./sheet.js";

const AXIS_WIDTH = 64;
const FOOT = 32;
/** Up to how many areas, and how many rows, areas have an edge: it would cover what is finer. */
const MOST_EDGED = 40;
const MOST_STEPS = 250;
const FONT = "12px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";

/**
 * What a kind of chart does of its own: series and data for uPlot, and which column a value belongs to.
 *
 * @typedef {object} Kind
 * @property {boolean} filled whether there are areas
 * @property {(sheet: import("./sheet.js").Sheet, colours: import("../palette.js").Colours) => any[]} series
 * @property {(sheet: import("./sheet.js").Sheet) => any[]} data
 * @property {(sheet: import("./sheet.js").Sheet, row: number, value: number) => number} nearest
 * @property {(plot: any, sheet: import("./sheet.js").Sheet, colours: import("../palette.js").Colours) => void} draw
 */

const steps = { "-1": uPlot.paths.stepped({ align: -1 }), 1: uPlot.paths.stepped({ align: 1 }) };

/**
 * Areas upon each other, the first domain lowest. The topmost sum is drawn first and each lower one over it.
 *
 * @type {Kind}
 */
export const AREAS = {
  filled: true,
  series(sheet, colours) {
    return sheet.columns.toReversed().map((column) => ({
      stroke: () => ink().ground,
      width: sheet.columns.length > MOST_EDGED || sheet.batches.length > MOST_STEPS ? 0 : 0.75,
      fill: (plot) => colours.area(column.name, plot.ctx),
      paths: steps[sheet.holds],
      points: { show: false },
    }));
  },
  data(sheet) {
    const sums = new Float64Array(sheet.batches.length);
    const layers = sheet.columns.map(({ values }) =>
      values.map((value, i) => {
        sums[i] += value ?? 0;
        return sums[i];
      }),
    );
    return [sheet.batches, ...layers.reverse()];
  },
  nearest(sheet, row, value) {
    let sum = 0;
    return sheet.columns.findIndex(({ values }) => (sum += values[row] ?? 0) >= value);
  },
  draw() {},
};

/**
 * A line for each domain, its first value ringed and its target a dotted line.
 *
 * @type {Kind}
 */
export const LINES = {
  filled: false,
  series(sheet, colours) {
    return sheet.columns.map((column) => ({
      stroke: () => colours.look(column.name).colour,
      dash: colours.look(column.name).dash,
      width: 1.75,
      spanGaps: true,
      points: { show: sheet.batches.length === 1 },
    }));
  },
  data(sheet) {
    return [sheet.batches, ...sheet.columns.map(({ values }) => values)];
  },
  nearest(sheet, row, value) {
    let nearest = -1;
    let least = Infinity;
    sheet.columns.forEach(({ values }, i) => {
      const far = values[row] === null ? Infinity : Math.abs(values[row] - value);
      if (far < least) {
        least = far;
        nearest = i;
      }
    });
    return nearest;
  },
  draw(plot, sheet, colours) {
    const { ctx: pen, bbox } = plot;
    const scale = devicePixelRatio;
    pen.save();
    pen.beginPath();
    pen.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    pen.clip();
    for (const { name, values, target } of sheet.columns) {
      pen.strokeStyle = colours.look(name).colour;
      pen.globalAlpha = 1;
      pen.lineWidth = 1.25 * scale;
      const first = firstOf(values);
      if (first !== null) {
        const x = plot.valToPos(sheet.batches[values.indexOf(first)], "x", true);
        pen.setLineDash([]);
        pen.beginPath();
        pen.arc(x, plot.valToPos(first, "y", true), 3.5 * scale, 0, 2 * Math.PI);
        pen.stroke();
      }
      if (target !== null) {
        const y = Math.round(plot.valToPos(target, "y", true)) + 0.5;
        pen.globalAlpha = 0.75;
        pen.lineWidth = scale;
        pen.setLineDash([5 * scale, 5 * scale]);
        pen.beginPath();
        pen.moveTo(bbox.left, y);
        pen.lineTo(bbox.left + bbox.width, y);
        pen.stroke();
      }
    }
    pen.restore();
  },
};

/**
 * Draws a sheet.
 *
 * @param {object} options
 * @param {HTMLElement} options.place
 * @param {Kind} options.kind
 * @param {import("./sheet.js").Sheet} options.sheet
 * @param {import("../palette.js").Colours} options.colours
 * @param {() => [number, number]} options.batches that are shown
 * @param {(least: number, most: number) => [number, number]} options.values that are shown, of those in sight
 * @param {(value: number) => string} options.format
 * @param {(value: number) => string} [options.tick] the format beside the chart, where that is another
 * @param {() => any[]} options.notes
 * @param {() => import("./sheet.js").Sheet} options.latest the sheet that is shown now
 * @param {number} options.height
 * @param {(plot: any) => void} options.pointed told of the pointer
 * @param {(from: number, to: number) => void} options.zoomed told what was drawn over
 * @param {() => void} options.reset told of a double click
 * @returns {any} uPlot's chart
 */
export function plot(options) {
  const { kind, sheet, colours, format } = options;
  const axis = {
    stroke: () => ink().muted,
    font: FONT,
    grid: { stroke: () => ink().grid, width: 1 },
    ticks: { stroke: () => ink().grid, width: 1, size: 5 },
  };
  return new uPlot(
    {
      width: Math.max(120, options.place.clientWidth),
      height: options.height,
      legend: { show: false },
      padding: [10, 26, 0, 0],
      cursor: {
        y: false,
        points: { show: !kind.filled && sheet.columns.length <= 16, size: 7 },
        drag: { x: true, y: false, setScale: false },
        bind: { dblclick: () => () => options.reset() },
      },
      scales: {
        x: { time: false, range: () => options.batches() },
        y: { range: (_, least, most) => options.values(least, most) },
      },
      axes: [
        { ...axis, size: FOOT, values: (_, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? count(tick) : "")) },
        { ...axis, size: AXIS_WIDTH, values: (_, ticks) => ticks.map(options.tick ?? format) },
      ],
      series: [{}, ...kind.series(sheet, colours)],
      hooks: {
        setCursor: [options.pointed],
        setSelect: [
          (chart) => {
            const { left, width } = chart.select;
            if (width > 0) {
              options.zoomed(chart.posToVal(left, "x"), chart.posToVal(left + width, "x"));
              chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            }
          },
        ],
        draw: [
          (chart) => {
            kind.draw(chart, options.latest(), colours);
            drawMarks(chart, options.notes());
          },
        ],
      },
    },
    kind.data(sheet),
    options.place,
  );
}
