package io.sluice.refine.synthesis;

import io.sluice.control.error.BadInputException;

/** Who answers requests. Thread-safe. */
@FunctionalInterface
public interface Endpoint {
  /**
   * Asks once, and waits for a bounded time.
   *
   * @throws BadInputException if no request can ever be answered: a wrong address, key or model
   */
  Reply ask(Request request) throws InterruptedException;
}
