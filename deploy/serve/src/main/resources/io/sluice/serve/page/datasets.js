import { datasets } from "./api.js";
import { notice } from "./badge.js";
import { el } from "./dom.js";
import { compact, count, some } from "./format.js";
import { paced } from "./pace.js";
import { tableCard } from "./run-tables.js";
import { Table } from "./table.js";

const EVERY_MILLIS = 5_000;

/**
 * All datasets with what is prepared of them.
 *
 * @returns {{title: string, element: HTMLElement, update: () => void, close: () => void}}
 */
export function datasetsView() {
  /** @type {Map<string, ReturnType<typeof datasetCard>>} */
  let cards = new Map();
  const problem = notice("failed");
  const said = el("p", { class: "quiet" }, "Reading the datasets …");
  const list = el("div", { class: "stack" });
  const element = el("div", { class: "view" }, el("h1", { tabindex: -1 }, "Datasets"), problem.element, said, list);
  let closed = false;

  const show = (all) => {
    const before = cards;
    cards = new Map(all.map((dataset) => [dataset.name, before.get(dataset.name) ?? datasetCard(dataset.name)]));
    const wanted = [...cards.values()].map((card) => card.element);
    if (wanted.length !== list.children.length || wanted.some((node, i) => node !== list.children[i])) {
      list.replaceChildren(...wanted);
    }
    all.forEach((dataset) => cards.get(dataset.name).show(dataset));
    said.hidden = all.length > 0;
    said.textContent = "No dataset is prepared yet; the first run that is applied prepares its own.";
  };
  const read = async () => {
    try {
      const answer = await datasets();
      if (!closed) {
        problem.show("");
        show(answer.datasets);
      }
    } catch (failure) {
      said.hidden = true;
      problem.show(failure.message);
    }
  };
  const pace = paced(read, EVERY_MILLIS);
  return {
    title: "Datasets",
    element,
    update: () => pace.ask(),
    close() {
      closed = true;
      pace.stop();
    },
  };
}

/** @param {string} name */
function datasetCard(name) {
  const number = (title, key, width, hint) => ({
    title,
    width,
    hint,
    number: true,
    text: (domain) => count(domain[key]),
    value: (domain) => domain[key],
  });
  const table = new Table({
    label: `Domains of ${name}`,
    filter: "Filter domains",
    key: (domain) => domain.name,
    empty: "Nothing is prepared of it yet.",
    mark: (domain) => (domain.deadLetters > 0 ? "waiting" : ""),
    columns: [
      { title: "Domain", width: 240, text: (domain) => domain.name },
      number("Documents", "documents", 120),
      number("Sequences", "sequences", 120),
      number("Tokens", "tokens", 150),
      number("Dead letters", "deadLetters", 120, "Documents that could not be read"),
      {
        title: "Input",
        width: 120,
        text: (domain) => (domain.ended ? "ended" : "open"),
        hint: "Whether more may come",
      },
    ],
  });
  const waiting = notice("waiting");
  const card = tableCard(name, "", table, `${name}-domains`);
  const hint = card.querySelector(".hint");
  card.querySelector("h2").classList.add("name");
  card.querySelector("header").after(waiting.element);
  return {
    element: card,
    show(dataset) {
      const total = (key) => dataset.domains.reduce((sum, domain) => sum + domain[key], 0);
      hint.textContent = [
        some(dataset.domains.length, "domain"),
        `${compact(total("tokens"))} tokens`,
        some(total("sequences"), "sequence"),
        some(total("deadLetters"), "dead letter"),
      ].join(" · ");
      waiting.show(dataset.waiting);
      table.show(dataset.domains);
    },
  };
}
