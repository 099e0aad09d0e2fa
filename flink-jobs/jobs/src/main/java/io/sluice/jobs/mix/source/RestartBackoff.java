package io.sluice.jobs.mix.source;

import io.sluice.jobs.mix.split.BrokenRunException;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.mixture.log.BrokenLogException;
import io.sluice.mixture.log.InvariantViolatedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.InvalidOffsetException;

/**
 * Splits that failed for a reason that may pass, and when each is tried again: after a second, then
 * after twice as long each time, up to a minute. A split that held out for two minutes begins anew.
 *
 * <p>For the reader's task alone, but for {@link #isDue}.
 */
final class RestartBackoff {
  static final Duration FIRST = Duration.ofSeconds(1);
  static final Duration LONGEST = Duration.ofMinutes(1);

  private final Map<String, Failure> failures = new HashMap<>();
  private final Map<String, MixSplit> pending = new HashMap<>();
  private volatile boolean any;
  private volatile long nextNanos;

  /** A split's last failure, and how long it pauses after it. */
  private record Failure(long atNanos, Duration pause) {
    long dueNanos() {
      return atNanos + pause.toNanos();
    }
  }

  /**
   * Notes that a split has failed.
   *
   * @param split as of the sequences that it has emitted
   * @return how long it pauses
   */
  Duration fail(MixSplit split, long nowNanos) {
    Failure before = failures.get(split.splitId());
    Duration pause =
        before == null || nowNanos - before.dueNanos() > LONGEST.multipliedBy(2).toNanos()
            ? FIRST
            : before.pause().multipliedBy(2);
    pause = pause.compareTo(LONGEST) > 0 ? LONGEST : pause;
    failures.put(split.splitId(), new Failure(nowNanos, pause));
    pending.put(split.splitId(), split);
    plan();
    return pause;
  }

  /** Whether the logs and blocks themselves are at fault, so that a restart changes nothing. */
  static boolean isInVain(RuntimeException error) {
    return error instanceof BrokenRunException
        || error instanceof BrokenLogException
        || error instanceof InvariantViolatedException
        || error instanceof InvalidOffsetException;
  }

  /** Whether a split is to be tried again; from any thread. */
  boolean isDue(long nowNanos) {
    return any && nowNanos - nextNanos >= 0;
  }

  /** The splits that are to be tried again now; they are no longer kept here. */
  List<MixSplit> take(long nowNanos) {
    List<MixSplit> due = new ArrayList<>();
    for (MixSplit split : List.copyOf(pending.values())) {
      if (nowNanos - dueNanos(split) >= 0) {
        due.add(split);
        pending.remove(split.splitId());
      }
    }
    plan();
    return due;
  }

  /** The splits that wait, for a checkpoint. */
  List<MixSplit> snapshot() {
    return List.copyOf(pending.values());
  }

  private long dueNanos(MixSplit split) {
    Failure failure = failures.get(split.splitId());
    return failure == null ? 0 : failure.dueNanos();
  }

  private void plan() {
    boolean first = true;
    for (MixSplit split : pending.values()) {
      long due = dueNanos(split);
      nextNanos = first || due - nextNanos < 0 ? due : nextNanos;
      first = false;
    }
    any = !pending.isEmpty();
  }
}
