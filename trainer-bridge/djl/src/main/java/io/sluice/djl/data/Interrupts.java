package io.sluice.djl.data;

import org.apache.kafka.common.errors.InterruptException;

/** Kafka's unchecked interrupt as Java's. */
public final class Interrupts {
  private Interrupts() {}

  /** The checked exception to throw; the thread's flag, which Kafka sets again, is cleared. */
  public static InterruptedException checked(InterruptException kafkas) {
    Thread.interrupted();
    InterruptedException checked = new InterruptedException(kafkas.getMessage());
    checked.initCause(kafkas);
    return checked;
  }
}
