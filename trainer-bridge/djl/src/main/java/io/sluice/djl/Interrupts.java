package io.sluice.djl;

import org.apache.kafka.common.errors.InterruptException;

/** Kafka's unchecked interrupt as Java's. */
final class Interrupts {
  private Interrupts() {}

  /** The checked exception to throw; the thread's flag, which Kafka sets again, is cleared. */
  static InterruptedException checked(InterruptException kafkas) {
    Thread.interrupted();
    InterruptedException checked = new InterruptedException(kafkas.getMessage());
    checked.initCause(kafkas);
    return checked;
  }
}
