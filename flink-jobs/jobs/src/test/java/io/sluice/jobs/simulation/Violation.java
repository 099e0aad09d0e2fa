package io.sluice.jobs.simulation;

import java.util.Locale;

/** A rule of the grant protocol that did not hold. */
final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Violation(String message) {
    super(message);
  }

  /** Fails unless it holds. */
  static void unless(boolean holds, String message, Object... values) {
    if (!holds) {
      throw new Violation(String.format(Locale.ROOT, message, values));
    }
  }
}
