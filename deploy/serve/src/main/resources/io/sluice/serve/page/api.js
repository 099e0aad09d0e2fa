/**
 * What the service is asked, as its OpenAPI file has it.
 */

const BASE = new URL("api/v1/", document.baseURI);
const PATIENCE_MILLIS = 15_000;

/** That the service refused, with its reason. */
export class Refused extends Error {
  /**
   * @param {string} message
   * @param {number} status of HTTP
   */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/**
 * The address of a resource.
 *
 * @param {string[]} path its parts
 * @param {Record<string, string|number>} [query]
 * @returns {string}
 */
export function address(path, query = {}) {
  const url = new URL(path.map(encodeURIComponent).join("/"), BASE);
  for (const [name, value] of Object.entries(query)) {
    url.searchParams.set(name, String(value));
  }
  return url.href;
}

/** @returns {Promise<any>} all runs, and the service */
export function runs() {
  return ask(address(["runs"]));
}

/**
 * @param {string} runId
 * @returns {Promise<any>} the run
 */
export function run(runId) {
  return ask(address(["runs", runId]));
}

/**
 * @param {string} runId
 * @param {number} top how many domains have a column
 * @param {string} by what they have most of
 * @returns {Promise<any>} the course
 */
export function course(runId, top, by) {
  return ask(address(["runs", runId, "course"], { top, by }));
}

/** @returns {Promise<any>} all datasets */
export function datasets() {
  return ask(address(["datasets"]));
}

/**
 * @param {string} runId
 * @param {string} what "phase" or "weights"
 * @param {object} body
 * @param {string} token that allows it
 * @returns {Promise<any>} the command that was written
 */
export function change(runId, what, body, token) {
  return ask(address(["runs", runId, what]), {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
}

/**
 * @param {string} url
 * @param {RequestInit} [options]
 */
async function ask(url, options = {}) {
  let answer;
  try {
    answer = await fetch(url, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MILLIS), ...options });
  } catch (failure) {
    if (failure.name === "TimeoutError") {
      throw new Error("the server did not answer in time");
    }
    throw new Error(failure instanceof TypeError ? "the server does not answer" : failure.message);
  }
  const body = await answer.json().catch(() => null);
  if (!answer.ok || body === null) {
    throw new Refused(body?.error ?? `the server answered ${answer.status} ${answer.statusText}`, answer.status);
  }
  return body;
}
