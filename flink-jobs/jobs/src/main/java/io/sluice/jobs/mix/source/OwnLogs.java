package io.sluice.jobs.mix.source;

import io.sluice.jobs.mix.tail.StreamTails;
import io.sluice.jobs.mix.tail.TopicEnds.Span;
import io.sluice.jobs.mix.tail.Unanswered;
import io.sluice.schema.Topics;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which runs' own logs are to be read; one that does not answer keeps no other from it. */
final class OwnLogs {
  private static final Logger LOG = LoggerFactory.getLogger(OwnLogs.class);

  private final Topics topics;
  private final StreamTails tails;
  private final Set<String> ended;
  private final Unanswered<String> unread;
  private Set<String> unsure = Set.of();
  private boolean asked;

  /**
   * Of no runs yet.
   *
   * @param ended runs with which nobody goes on
   */
  OwnLogs(Topics topics, StreamTails tails, Set<String> ended, LongSupplier nanos) {
    this.topics = topics;
    this.tails = tails;
    this.ended = ended;
    this.unread = new Unanswered<>(nanos);
  }

  private String topic(String runId) {
    return topics.control(runId);
  }

  /**
   * Begins with a listing of all logs.
   *
   * @return ids of the splits that have nothing left to emit, of runs that were not asked for yet
   */
  Set<String> whole(Set<String> runIds) {
    unread.clear();
    Set<String> open = new HashSet<>(runIds);
    if (asked) {
      open.retainAll(unsure);
    }
    if (asked && open.isEmpty()) {
      unsure = Set.of();
      return Set.of();
    }
    StreamTails.Whole found = tails.whole(open, ended, !asked);
    asked = true;
    unsure = found.unknown();
    unsure.forEach(runId -> unread.add(runId, topic(runId)));
    return found.splits();
  }

  /** Whether a run's log can be read now, as its topic is described. */
  boolean isReadable(String runId, List<PartitionInfo> partitions) {
    if (partitions.isEmpty() || unsure.contains(runId)) {
      return false;
    }
    boolean led = partitions.stream().allMatch(each -> isThere(each.leader()));
    if (!led) {
      unread.add(runId, topic(runId));
    }
    return led;
  }

  private static boolean isThere(@Nullable Node leader) {
    return leader != null && !leader.isEmpty();
  }

  /**
   * Where logs are read, without those that do not answer. Their beginnings are told, too: a
   * consumer that had to find out by itself would make all wait for each of them.
   */
  Map<TopicPartition, Span> parts(
      Consumer<byte[], byte[]> from, Collection<String> runIds, Duration atMost) {
    Set<String> open = new HashSet<>(runIds);
    while (!open.isEmpty()) {
      try {
        return ends(from, open, atMost);
      } catch (TimeoutException e) {
        Set<String> unknown =
            tails.unknown(open.stream().map(this::topic).collect(Collectors.toSet()));
        Set<String> silent =
            open.stream()
                .filter(runId -> unknown.contains(topic(runId)))
                .collect(Collectors.toSet());
        if (silent.isEmpty()) {
          throw e;
        }
        silent.forEach(runId -> unread.add(runId, topic(runId)));
        open.removeAll(silent);
      }
    }
    return Map.of();
  }

  private Map<TopicPartition, Span> ends(
      Consumer<byte[], byte[]> from, Collection<String> runIds, Duration atMost) {
    List<TopicPartition> logs =
        runIds.stream().map(runId -> new TopicPartition(topic(runId), 0)).toList();
    Map<TopicPartition, Long> begins = from.beginningOffsets(logs, atMost);
    Map<TopicPartition, Span> parts = new HashMap<>();
    from.endOffsets(logs, atMost)
        .forEach((log, end) -> parts.put(log, new Span(begins.getOrDefault(log, 0L), end)));
    return parts;
  }

  /** Whether each log that was listed could be read. */
  boolean areAllReadable() {
    unread.notice().ifPresent(LOG::warn);
    return unread.size() == 0;
  }
}
