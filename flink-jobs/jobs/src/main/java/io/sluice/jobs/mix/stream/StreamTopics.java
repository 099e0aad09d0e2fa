package io.sluice.jobs.mix.stream;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** What is known of the stream topics themselves. */
interface StreamTopics extends AutoCloseable {
  /**
   * Why runs' streams cannot be written to their topics: the topic is missing, is another one than
   * the run was started with, or may not be seen. Without those that nothing speaks against, also
   * when the broker does not answer. From any thread.
   */
  Map<StreamTarget, String> refusals(Set<StreamTarget> targets);

  /**
   * {@link #refusals}, those that are so twice, some time apart: a broker that has just started, or
   * has not yet heard of a topic that another one created, may be wrong once.
   */
  default Map<StreamTarget, String> refusedTwice(Set<StreamTarget> targets, Duration apart)
      throws InterruptedException {
    Map<StreamTarget, String> once = refusals(targets);
    if (once.isEmpty()) {
      return once;
    }
    TimeUnit.NANOSECONDS.sleep(apart.toNanos());
    return refusals(once.keySet());
  }

  /**
   * Waits until the leaders of a topic's partitions take records, some seconds at most: what keeps
   * them from it shows when a record is sent. A producer that is new to them must not meet them
   * before, see {@link io.sluice.control.topics.TopicLeaders}.
   */
  void awaitLeaders(StreamTarget target);

  @Override
  void close();
}
