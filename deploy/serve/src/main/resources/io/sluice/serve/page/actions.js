import { change } from "./api.js";
import { el, freshId, say } from "./dom.js";
import { percent } from "./format.js";

const KEY = "sluice.token";
const MOST_REASON = 1000;
const OVER = ["stopped", "completed", "failed", "deleted"];

/** Where a run is paused, let go on, or given other weights, by whom has the token. */
export class Actions {
  #runId;
  #phase = "";
  #domains = new Map();
  #rows = [];

  /** @param {string} runId */
  constructor(runId) {
    this.#runId = runId;
    const heading = freshId();
    this.token = el("input", {
      type: "password",
      autocomplete: "off",
      spellcheck: "false",
      value: sessionStorage.getItem(KEY) ?? "",
    });
    this.token.addEventListener("change", () => sessionStorage.setItem(KEY, this.token.value));
    this.reason = el("input", { type: "text", maxlength: MOST_REASON, autocomplete: "off" });
    this.answer = el("p", { class: "answer", tabindex: -1, hidden: true });
    this.phaseButton = el(
      "button",
      { type: "button", class: "main", on: { click: () => this.#changePhase() } },
      "Pause",
    );
    this.names = el("datalist", { id: freshId() });
    this.list = el("ul", { class: "weights" });
    this.pin = el("input", { type: "checkbox" });
    this.element = el(
      "section",
      { class: "card actions", "aria-labelledby": heading, hidden: true },
      el("h2", { id: heading }, "Change this run"),
      el(
        "div",
        { class: "fields" },
        labelled("Token", this.token),
        labelled("Reason, for the run's log", this.reason),
        el("button", { type: "button", on: { click: () => this.#forget() } }, "Forget the token"),
      ),
      el("div", { class: "row" }, this.phaseButton),
      this.#weightsForm(),
      this.answer,
      this.names,
    );
  }

  /**
   * Shows what can be changed of a run as it is.
   *
   * @param {any} run
   * @param {boolean} allowed whether the service lets runs be changed
   * @returns {void}
   */
  show(run, allowed) {
    this.element.hidden = !allowed || OVER.includes(run.phase);
    this.#phase = run.phase;
    say(this.phaseButton, run.phase === "paused" ? "Resume" : "Pause");
    const before = [...this.#domains.keys()];
    this.#domains = new Map(run.domains.map((domain) => [domain.name, domain]));
    if (before.length !== run.domains.length || run.domains.some(({ name }, i) => name !== before[i])) {
      this.names.replaceChildren(...run.domains.map(({ name }) => el("option", { value: name })));
    }
    this.#rows.forEach((row) => this.#hint(row));
  }

  #weightsForm() {
    const form = el(
      "form",
      { novalidate: true },
      el("h3", {}, "Set weights"),
      el("p", { class: "hint" }, "Weights are shares from 0 to 1. Domains that are not named keep their proportions."),
      this.list,
      el(
        "div",
        { class: "row" },
        el("button", { type: "button", on: { click: () => this.#addRow().name.focus() } }, "Add a domain"),
        el("label", { class: "check" }, this.pin, "Pin: rounds move the weights no more"),
        el("button", { type: "submit", class: "main" }, "Set weights"),
      ),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#changeWeights();
    });
    this.#addRow();
    return form;
  }

  #addRow() {
    const name = el("input", { type: "text", list: this.names.id, autocomplete: "off", spellcheck: "false" });
    const weight = el("input", { type: "number", min: 0, max: 1, step: "any", inputmode: "decimal" });
    const now = el("span", { class: "hint" });
    const row = { name, weight, now, item: null };
    name.addEventListener("input", () => this.#hint(row));
    row.item = el(
      "li",
      {},
      labelled("Domain", name),
      labelled("Weight", weight),
      now,
      el("button", { type: "button", on: { click: () => this.#removeRow(row) } }, "Remove"),
    );
    this.#rows.push(row);
    this.list.append(row.item);
    return row;
  }

  #removeRow(row) {
    this.#rows = this.#rows.filter((other) => other !== row);
    row.item.remove();
    (this.#rows.at(-1) ?? this.#addRow()).name.focus();
  }

  #hint(row) {
    const domain = this.#domains.get(row.name.value);
    say(row.now, domain ? `now ${percent(domain.weight)}` : row.name.value === "" ? "" : "no such domain");
  }

  #changePhase() {
    const phase = this.#phase === "paused" ? "running" : "paused";
    this.#send("phase", { phase, reason: this.reason.value });
  }

  #changeWeights() {
    const set = {};
    for (const { name, weight } of this.#rows.filter((row) => row.name.value !== "" || row.weight.value !== "")) {
      const value = weight.valueAsNumber;
      if (!this.#domains.has(name.value)) {
        this.#say(`The run has no domain “${name.value}”.`, false, name);
        return;
      }
      if (!(value >= 0 && value <= 1)) {
        this.#say(`The weight of “${name.value}” must be from 0 to 1.`, false, weight);
        return;
      }
      Object.defineProperty(set, name.value, { value, enumerable: true, configurable: true });
    }
    if (Object.keys(set).length === 0) {
      this.#say("Name a domain and its weight first.", false, this.#rows[0].name);
      return;
    }
    this.#send("weights", { set, pin: this.pin.checked, reason: this.reason.value });
  }

  async #send(what, body) {
    if (this.token.value === "") {
      this.#say("Give the token of the service first: what its --token-file holds.", false, this.token);
      return;
    }
    sessionStorage.setItem(KEY, this.token.value);
    try {
      const { commandId } = await change(this.#runId, what, body, this.token.value);
      this.#say(
        `Asked, as command ${commandId}. The run's log answers it, below in “What happened”.`,
        true,
        this.answer,
      );
    } catch (failure) {
      const token = failure.status === 401 || failure.status === 403;
      this.#say(`Refused: ${failure.message}`, false, token ? this.token : this.answer);
    }
  }

  #forget() {
    sessionStorage.removeItem(KEY);
    this.token.value = "";
    this.#say("The token is forgotten.", true, this.token);
  }

  /** Says an answer, and goes where it is to be read or put right. */
  #say(text, good, focus) {
    this.answer.hidden = false;
    this.answer.id ||= freshId();
    this.answer.dataset.good = String(good);
    say(this.answer, text);
    focus.setAttribute("aria-describedby", this.answer.id);
    focus.focus();
  }
}

/** @param {string} text @param {HTMLElement} input */
function labelled(text, input) {
  return el("label", {}, el("span", {}, text), input);
}
