/**
 * Charts and tables as files.
 */

/**
 * A table as CSV that a spreadsheet does not run.
 *
 * @param {(string|number|null|undefined)[][]} rows the first has the titles
 * @returns {string}
 */
export function csv(rows) {
  return rows.map((row) => row.map(cell).join(",") + "\r\n").join("");
}

/**
 * A cell of CSV: text that a spreadsheet would take for a formula begins with an apostrophe.
 *
 * @param {string|number|null|undefined} value
 * @returns {string}
 */
export function cell(value) {
  if (typeof value === "number") {
    return Number.isFinite(value) ? String(value) : "";
  }
  let text = value ?? "";
  if (/^[=+\-@\t\r]/.test(text) && !/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) {
    text = `'${text}`;
  }
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Hands a file to the browser.
 *
 * @param {string} name
 * @param {Blob} blob
 * @returns {void}
 */
export function download(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name.replace(/[^\w.-]+/g, "_");
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/**
 * Hands rows to the browser as a file.
 *
 * @param {string} name
 * @param {(string|number|null|undefined)[][]} rows
 * @returns {void}
 */
export function downloadCsv(name, rows) {
  download(`${name}.csv`, new Blob([csv(rows)], { type: "text/csv" }));
}

/**
 * Hands a chart to the browser as a picture, with its title and what its colours mean.
 *
 * @param {string} name
 * @param {HTMLCanvasElement} canvas with the chart
 * @param {{title: string, entries: {swatch: HTMLCanvasElement, text: string}[], text: string, ground: string}} frame
 * @returns {void}
 */
export function downloadPng(name, canvas, frame) {
  const scale = devicePixelRatio;
  const pad = 16 * scale;
  const line = 20 * scale;
  const across = Math.max(1, Math.floor((canvas.width - pad) / (220 * scale)));
  const picture = document.createElement("canvas");
  picture.width = canvas.width + 2 * pad;
  picture.height = canvas.height + 3 * pad + line * (1 + Math.ceil(frame.entries.length / across));
  const pen = picture.getContext("2d");
  pen.fillStyle = frame.ground;
  pen.fillRect(0, 0, picture.width, picture.height);
  pen.textBaseline = "middle";
  pen.fillStyle = frame.text;
  pen.font = `600 ${15 * scale}px system-ui, sans-serif`;
  pen.fillText(frame.title, pad, pad + line / 2);
  pen.drawImage(canvas, pad, pad + line);
  pen.font = `${12 * scale}px system-ui, sans-serif`;
  frame.entries.forEach(({ swatch, text }, i) => {
    const x = pad + (i % across) * ((picture.width - 2 * pad) / across);
    const y = canvas.height + 2 * pad + line * (1.5 + Math.floor(i / across));
    pen.drawImage(swatch, x, y - 6 * scale, 18 * scale, 12 * scale);
    pen.fillText(text.length > 28 ? `${text.slice(0, 27)}…` : text, x + 24 * scale, y);
  });
  picture.toBlob((blob) => blob && download(`${name}.png`, blob));
}
