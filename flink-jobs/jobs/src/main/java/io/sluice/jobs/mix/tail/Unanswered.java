package io.sluice.jobs.mix.tail;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * What waits for topics of which nothing is known now, because a partition has no leader or its
 * leader does not answer. To ask for such a topic may take seconds, so there is a pause before it
 * is asked for again.
 */
public final class Unanswered<T> {
  /** Until a topic is asked for again; most have a leader again within seconds. */
  static final Duration PAUSE = Duration.ofSeconds(1);

  /** Between two notices. */
  static final Duration NOTICE = Duration.ofMinutes(1);

  private static final int NAMED = 5;

  private final LongSupplier nanos;
  private final Deque<One<T>> all = new ArrayDeque<>();
  private boolean told;
  private long toldNanos;

  private record One<T>(T what, String topic, long sinceNanos) {}

  /**
   * Of nothing yet.
   *
   * @param nanos a clock that only goes forward
   */
  public Unanswered(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Lets something wait for a topic. */
  public void add(T what, String topic) {
    all.add(new One<>(what, topic, nanos.getAsLong()));
  }

  /** Takes out what has waited long enough to be asked for again. */
  public List<T> due() {
    List<T> due = new ArrayList<>();
    long now = nanos.getAsLong();
    while (!all.isEmpty() && now - all.peek().sinceNanos() >= PAUSE.toNanos()) {
      due.add(all.remove().what());
    }
    return due;
  }

  /** Lets nothing wait. */
  public void clear() {
    all.clear();
  }

  /** How much waits. */
  public int size() {
    return all.size();
  }

  /** Which topics are waited for; empty if none are, or if that was said a moment ago. */
  public Optional<String> notice() {
    long now = nanos.getAsLong();
    if (all.isEmpty() || (told && now - toldNanos < NOTICE.toNanos())) {
      return Optional.empty();
    }
    told = true;
    toldNanos = now;
    Set<String> topics =
        all.stream().map(One::topic).collect(Collectors.toCollection(TreeSet::new));
    return Optional.of(
        "Nothing is known of "
            + (topics.size() == 1 ? "topic " : topics.size() + " topics, such as ")
            + topics.stream().limit(NAMED).collect(Collectors.joining(", "))
            + ": a partition has no leader, or none that answers; what needs it waits, all else goes on");
  }
}
