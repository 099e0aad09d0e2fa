package io.sluice.client.evaluation;

import io.sluice.client.error.Seconds;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** One wait for held-out blocks: a word after ten seconds, and then each minute. */
final class Waiting {
  private static final long FIRST = Duration.ofSeconds(10).toNanos();
  private static final long EVERY = Duration.ofMinutes(1).toNanos();

  private final Duration timeout;
  private final LongSupplier nanoTime;
  private final Consumer<String> words;
  private final long began;
  private long due = FIRST;

  Waiting(Duration timeout, LongSupplier nanoTime, Consumer<String> words) {
    this.timeout = timeout;
    this.nanoTime = nanoTime;
    this.words = words;
    this.began = nanoTime.getAsLong();
  }

  /** Whether the time is up. */
  boolean isOver() {
    return nanoTime.getAsLong() - began > timeout.toNanos();
  }

  /** Says what is missing, if it is time to. */
  void tell(Supplier<String> missing) {
    long waited = nanoTime.getAsLong() - began;
    if (waited < due) {
      return;
    }
    due = waited + EVERY;
    words.accept(
        "held-out blocks have not come for "
            + Seconds.of(Duration.ofSeconds(Duration.ofNanos(waited).toSeconds()))
            + ", of "
            + Seconds.of(timeout)
            + " that they may take: "
            + missing.get()
            + "; fewer are enough of a domain that has ended");
  }
}
