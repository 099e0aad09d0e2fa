import { say } from "./dom.js";
import { span } from "./format.js";

/**
 * Keeps the line that says whether what is shown is what is.
 *
 * @param {import("./live.js").Live} live
 * @param {{line: HTMLElement, state: HTMLElement, age: HTMLElement}} nodes of which "state" is read out
 * @returns {void}
 */
export function keepStatus(live, nodes) {
  live.subscribe(() => {
    const [state, text] = statusOf(live);
    nodes.line.dataset.state = state;
    say(nodes.state, text);
    say(nodes.age, live.age() === null ? "" : `as of ${span(live.age())} ago`);
  });
}

/**
 * @param {import("./live.js").Live} live
 * @returns {[string, string]}
 */
function statusOf(live) {
  if (live.connection === "away") {
    return ["away", "the server is away, trying again"];
  }
  if (live.service?.away) {
    return ["kafka", `Kafka does not answer: ${live.service.away}`];
  }
  return live.connection === "live" ? ["live", "live"] : ["connecting", "connecting"];
}
