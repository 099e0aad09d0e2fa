import { compareView } from "./compare.js";
import { datasetsView } from "./datasets.js";
import { el, say } from "./dom.js";
import { Live } from "./live.js";
import { runView } from "./run.js";
import { runsView } from "./runs.js";
import { keepStatus } from "./status.js";
import { keepTheme } from "./theme.js";

const live = new Live();
const place = document.getElementById("view");
/** @type {{title: string, element: HTMLElement, update: () => void, close: () => void}|null} */
let view = null;

/** The view that the address names, and the run whose course it follows. */
function viewOf(address) {
  let parts;
  try {
    parts = address.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  } catch {
    return [missing(), ""];
  }
  const [name, ...ids] = parts;
  if (name === "" && ids.length === 0) {
    return [runsView(live), ""];
  }
  if (name === "run" && ids.length === 1 && ids[0] !== "") {
    return [runView(ids[0], live), ids[0]];
  }
  if (name === "compare" && ids.length === 2 && ids.every((id) => id !== "")) {
    return [compareView(ids, live), ids[0]];
  }
  if (name === "datasets" && ids.length === 0) {
    return [datasetsView(), ""];
  }
  return [missing(), ""];
}

function missing() {
  const element = el(
    "div",
    { class: "view" },
    el("h1", { tabindex: -1 }, "There is no such page"),
    el("p", {}, el("a", { href: "#/" }, "All runs")),
  );
  return { title: "No such page", element, update() {}, close() {} };
}

/** @param {boolean} moved whether someone came here from another view */
function go(moved) {
  view?.close();
  const [next, runId] = viewOf(location.hash);
  view = next;
  document.title = `${view.title} · Sluice`;
  for (const link of document.querySelectorAll("nav a")) {
    const here = link.hash === "#/datasets" ? location.hash === "#/datasets" : location.hash !== "#/datasets";
    if (here) {
      link.setAttribute("aria-current", "page");
    } else {
      link.removeAttribute("aria-current");
    }
  }
  place.replaceChildren(view.element);
  live.watch(runId);
  view.update();
  if (moved) {
    scrollTo(0, 0);
    view.element.querySelector("h1")?.focus({ preventScroll: true });
  }
}

keepTheme(document.getElementById("theme"));
keepStatus(live, {
  line: document.getElementById("status"),
  state: document.getElementById("state"),
  age: document.getElementById("age"),
});
live.subscribe(() => {
  view?.update();
  const { service } = live;
  say(
    document.getElementById("service"),
    service ? `Sluice ${service.version} · Kafka at ${service.kafka} · topics “${service.prefix}…”` : "Sluice",
  );
});
document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  place.focus();
});
addEventListener("hashchange", () => go(true));
go(false);
live.start();
