/**
 * Does something at once, and again at most so often.
 *
 * @param {() => void} action
 * @param {number} millis between the beginnings of two
 * @returns {{ask: () => void, stop: () => void}} "ask" has it done, "stop" forgets what was asked
 */
export function paced(action, millis) {
  let last = -Infinity;
  let timer = 0;
  const act = () => {
    timer = 0;
    last = performance.now();
    action();
  };
  return {
    ask() {
      if (timer === 0) {
        timer = setTimeout(act, Math.max(0, last + millis - performance.now()));
      }
    },
    stop() {
      clearTimeout(timer);
      timer = 0;
    },
  };
}
