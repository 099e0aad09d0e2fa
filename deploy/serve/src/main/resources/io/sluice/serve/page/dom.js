/**
 * Elements, made with properties and text only: what comes from a run is never read as HTML.
 */

/**
 * Makes an element.
 *
 * @param {string} tag its name
 * @param {Record<string, any>} [attributes] by name; "on" has listeners by event, and what is null or false is left out
 * @param {...(Node|string|number|null|undefined)} children where text becomes a text node
 * @returns {any} the element
 */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) {
        node.addEventListener(event, listener);
      }
    } else if (value !== null && value !== undefined && value !== false) {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  node.append(...present(children));
  return node;
}

/**
 * Replaces what an element holds.
 *
 * @param {Element} node
 * @param {...(Node|string|number|null|undefined)} children
 * @returns {void}
 */
export function fill(node, ...children) {
  node.replaceChildren(...present(children));
}

/**
 * Sets an element's text, and leaves it alone where it says that already.
 *
 * @param {Node} node
 * @param {string} text
 * @returns {void}
 */
export function say(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

/**
 * A part of the page's address, from any text.
 *
 * @param {...string} parts such as "run" and a run's id
 * @returns {string} what a link has in "href"
 */
export function hash(...parts) {
  return "#/" + parts.map((part) => encodeURIComponent(part.toWellFormed?.() ?? part)).join("/");
}

let labels = 0;

/**
 * An id that no other element has.
 *
 * @returns {string}
 */
export function freshId() {
  labels += 1;
  return `e${labels}`;
}

/** @param {any[]} children */
function present(children) {
  return children
    .filter((child) => child !== null && child !== undefined)
    .map((child) => (typeof child === "number" ? String(child) : child));
}
