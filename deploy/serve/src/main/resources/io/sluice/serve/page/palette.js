import { isDark } from "./theme.js";

/**
 * Colours that people tell apart who see few: those of Okabe and Ito, as dark or light as the ground asks for, and
 * after them the same with a hatch (areas) or a dash (lines).
 */
const LIGHT = ["#0072b2", "#d55e00", "#009e73", "#c15f96", "#bf8000", "#3a93d0", "#857a00", "#5c5c78"];
const DARK = ["#3d9be0", "#f0763a", "#1fbf92", "#e08fbd", "#f0ad2e", "#8fd0f7", "#e6da4a", "#a9a9c6"];
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3], [14, 5], [5, 2, 5, 8], [2, 7], [12, 3, 2, 3, 2, 3]];
const TILE = 8;

/**
 * What charts are drawn with on the present ground.
 *
 * @returns {{text: string, muted: string, grid: string, ground: string, others: string, marks: Record<string, string>}}
 */
export function ink() {
  return isDark()
    ? {
        text: "#e6edf1",
        muted: "#9fb0bb",
        grid: "#26323a",
        ground: "#141c22",
        others: "#55626b",
        marks: { strong: "#ff8f7a", plain: "#b9c7d0", faint: "#5d6d78" },
      }
    : {
        text: "#17232b",
        muted: "#52636e",
        grid: "#e6ebee",
        ground: "#ffffff",
        others: "#a3afb7",
        marks: { strong: "#b3261e", plain: "#3c4c56", faint: "#9aa8b1" },
      };
}

/** Gives each domain a look of its own, the same in all charts that share these colours. */
export class Colours {
  /** @type {Map<string, number>} */
  #indices = new Map();

  /**
   * Gives domains the looks of those that are shown no more.
   *
   * @param {string[]} names of all domains that are shown
   * @returns {void}
   */
  keep(names) {
    const kept = new Set(names);
    for (const name of this.#indices.keys()) {
      if (!kept.has(name)) {
        this.#indices.delete(name);
      }
    }
    const taken = new Set(this.#indices.values());
    let next = 0;
    for (const name of kept) {
      if (!this.#indices.has(name)) {
        while (taken.has(next)) {
          next += 1;
        }
        taken.add(next);
        this.#indices.set(name, next);
      }
    }
  }

  /**
   * @param {string|null} name of a domain; null for all the others
   * @returns {{colour: string, dash: number[], hatch: number}}
   */
  look(name) {
    const index = name === null ? undefined : this.#indices.get(name);
    if (index === undefined) {
      return { colour: ink().others, dash: [1, 4], hatch: 0 };
    }
    const colours = isDark() ? DARK : LIGHT;
    const round = Math.floor(index / colours.length) % DASHES.length;
    return { colour: colours[index % colours.length], dash: DASHES[round], hatch: round };
  }

  /**
   * What an area is filled with.
   *
   * @param {string|null} name
   * @param {CanvasRenderingContext2D} pen
   * @returns {string|CanvasPattern}
   */
  area(name, pen) {
    const { colour, hatch } = this.look(name);
    return hatch === 0 ? colour : pen.createPattern(tile(colour, hatch, devicePixelRatio), "repeat");
  }

  /**
   * A small picture of a look, for a legend.
   *
   * @param {string|null} name
   * @param {boolean} filled whether the chart has areas
   * @returns {HTMLCanvasElement}
   */
  swatch(name, filled) {
    const canvas = document.createElement("canvas");
    canvas.width = 36;
    canvas.height = 24;
    canvas.className = "swatch";
    canvas.setAttribute("aria-hidden", "true");
    const pen = canvas.getContext("2d");
    if (filled) {
      const { colour, hatch } = this.look(name);
      pen.fillStyle = hatch === 0 ? colour : pen.createPattern(tile(colour, hatch, 2), "repeat");
      pen.fillRect(6, 0, 24, 24);
    } else {
      const { colour, dash } = this.look(name);
      pen.strokeStyle = colour;
      pen.lineWidth = 4;
      pen.setLineDash(dash.map((length) => length * 1.5));
      pen.beginPath();
      pen.moveTo(0, 12);
      pen.lineTo(36, 12);
      pen.stroke();
    }
    return canvas;
  }
}

/**
 * A tile of a hatch: strokes this way, that way, level, upright, and two of them together.
 *
 * @param {string} colour
 * @param {number} hatch from 1
 * @param {number} scale pixels of the canvas for one of the page
 */
function tile(colour, hatch, scale) {
  const size = Math.round(TILE * scale);
  const canvas = document.createElement("canvas");
  canvas.width = size;
  canvas.height = size;
  const pen = canvas.getContext("2d");
  pen.fillStyle = colour;
  pen.fillRect(0, 0, size, size);
  pen.strokeStyle = ink().ground;
  pen.globalAlpha = 0.4;
  pen.lineWidth = 1.5 * scale;
  const stroke = (fromX, fromY, toX, toY) => {
    pen.beginPath();
    pen.moveTo(fromX * size, fromY * size);
    pen.lineTo(toX * size, toY * size);
    pen.stroke();
  };
  const ways = [
    () => [-1, 0, 1].forEach((shift) => stroke(shift - 0.5, 1.5, shift + 1.5, -0.5)),
    () => [-1, 0, 1].forEach((shift) => stroke(shift - 0.5, -0.5, shift + 1.5, 1.5)),
    () => stroke(0, 0.5, 1, 0.5),
    () => stroke(0.5, 0, 0.5, 1),
  ];
  [[], [0], [1], [2], [3], [0, 1], [2, 3], [0, 2]][hatch].forEach((way) => ways[way]());
  return canvas;
}

/** Stops of the colours that weights have in a heatmap, from none to the greatest, after viridis. */
const HEAT = [
  [68, 1, 84],
  [68, 57, 131],
  [49, 104, 142],
  [33, 145, 140],
  [53, 183, 121],
  [143, 215, 68],
  [253, 231, 37],
];

/**
 * A colour of the heatmap.
 *
 * @param {number} level 0 to 1
 * @returns {[number, number, number]} red, green and blue
 */
export function heat(level) {
  const place = Math.min(Math.max(level, 0), 1) * (HEAT.length - 1);
  const below = Math.min(Math.floor(place), HEAT.length - 2);
  const mix = (i) => Math.round(HEAT[below][i] + (HEAT[below + 1][i] - HEAT[below][i]) * (place - below));
  return [mix(0), mix(1), mix(2)];
}
