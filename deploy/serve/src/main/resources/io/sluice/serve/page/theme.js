/**
 * Light or dark: as the system has it, or as it was chosen here.
 */

const KEY = "sluice.theme";
const CHOICES = ["auto", "light", "dark"];
const system = matchMedia("(prefers-color-scheme: dark)");
/** @type {Set<() => void>} */
const listeners = new Set();
let choice = CHOICES.includes(localStorage.getItem(KEY)) ? localStorage.getItem(KEY) : "auto";

/** @returns {boolean} whether the page is dark now */
export function isDark() {
  return choice === "auto" ? system.matches : choice === "dark";
}

/**
 * Tells a listener that light and dark changed.
 *
 * @param {() => void} listener
 * @returns {() => void} ends it
 */
export function onTheme(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Lets a button go round what can be chosen.
 *
 * @param {HTMLButtonElement} button
 * @returns {void}
 */
export function keepTheme(button) {
  const show = () => {
    button.textContent = `Theme: ${choice}`;
  };
  button.addEventListener("click", () => {
    choice = CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length];
    localStorage.setItem(KEY, choice);
    apply();
    show();
  });
  show();
}

function apply() {
  document.documentElement.dataset.theme = choice;
  listeners.forEach((listener) => listener());
}

system.addEventListener("change", apply);
apply();
