package io.sluice.cli.upgrade;

import io.sluice.control.config.Durations;
import io.sluice.control.error.UnreachableException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Waits for what Flink does: says how it stands when that changes, and gives up in time. */
final class BoundedWait {
  private static final long REMINDER_NANOS = Duration.ofSeconds(15).toNanos();

  private final Duration limit;
  private final Pause pause;
  private final LongSupplier nanos;
  private final Consumer<String> progress;

  /** What passes between two looks. */
  interface Pause {
    void pause() throws InterruptedException;
  }

  /**
   * How something stands.
   *
   * @param result what was waited for, once it is there
   * @param words for people
   */
  record Look<T>(Optional<T> result, String words) {
    static <T> Look<T> at(T result) {
      return new Look<>(Optional.of(result), "");
    }

    static <T> Look<T> still(String words) {
      return new Look<>(Optional.empty(), words);
    }
  }

  /**
   * @param limit of each wait
   * @param nanos a clock that only goes forward
   * @param progress is told how it stands
   */
  BoundedWait(Duration limit, Pause pause, LongSupplier nanos, Consumer<String> progress) {
    this.limit = limit;
    this.pause = pause;
    this.nanos = nanos;
    this.progress = progress;
  }

  /** How long each wait may be. */
  Duration limit() {
    return limit;
  }

  /**
   * Looks until something is there. That Flink does not answer is no end: job managers are
   * replaced.
   *
   * @param what is waited for, such as 'the first checkpoint'
   * @throws UnreachableException if the time is over, with how it stands
   */
  <T> T until(String what, Supplier<Look<T>> look) {
    long start = nanos.getAsLong();
    String said = "";
    long saidAt = start;
    while (true) {
      Look<T> seen = seen(look);
      if (seen.result().isPresent()) {
        return seen.result().get();
      }
      long now = nanos.getAsLong();
      if (now - start > limit.toNanos()) {
        throw new UnreachableException(
            "waited for %s for %s (--timeout): %s"
                .formatted(what, Durations.format(limit), seen.words()));
      }
      if (!seen.words().equals(said) || now - saidAt > REMINDER_NANOS) {
        said = seen.words();
        saidAt = now;
        progress.accept("waits for " + what + ": " + said);
      }
      try {
        pause.pause();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new UnreachableException("interrupted while it waited for " + what, e);
      }
    }
  }

  private static <T> Look<T> seen(Supplier<Look<T>> look) {
    try {
      return look.get();
    } catch (UnreachableException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw e;
      }
      return Look.still(String.valueOf(e.getMessage()));
    }
  }
}
