package io.sluice.jobs.mix.stream;

import io.sluice.jobs.mix.mark.WrittenStreams;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Looks, in a thread of its own, whether the topics of the runs that are written are still those
 * that the runs were started with. A producer would keep records of a deleted topic until they time
 * out, and write on to another topic of the same name.
 */
final class TopicWatch implements AutoCloseable {
  /** Refusals in a row before one is believed. */
  static final int LOOKS =
      Math.toIntExact(WrittenStreams.UNSURE.dividedBy(StreamSinkSettings.defaults().topicCheck()));

  private final StreamTopics topics;
  private final Duration interval;
  private final BiConsumer<StreamTarget, String> refused;
  private final Set<StreamTarget> watched = ConcurrentHashMap.newKeySet();
  private final Map<StreamTarget, Integer> suspected = new HashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * @param refused is told of a topic that was refused {@link #LOOKS} times in a row
   */
  TopicWatch(StreamTopics topics, Duration interval, BiConsumer<StreamTarget, String> refused) {
    this.topics = topics;
    this.interval = interval;
    this.refused = refused;
  }

  /** Looks at a run's topic from now on. */
  void add(StreamTarget target) {
    watched.add(target);
  }

  /** Looks at a run's topic no more. */
  void remove(StreamTarget target) {
    watched.remove(target);
  }

  /** Starts to look until closed. */
  void start(String name) {
    Thread thread = new Thread(this::run, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (!closed.await(interval.toMillis(), TimeUnit.MILLISECONDS)) {
        look();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Looks at all of them once. */
  void look() {
    Map<StreamTarget, String> refusals = topics.refusals(Set.copyOf(watched));
    suspected.keySet().retainAll(refusals.keySet());
    refusals.forEach(
        (target, reason) -> {
          int times = suspected.merge(target, 1, Integer::sum);
          if (times >= LOOKS && watched.remove(target)) {
            refused.accept(target, reason);
          }
        });
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
