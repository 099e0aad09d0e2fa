package io.sluice.jobs.mix.tail;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where topics begin and end now. */
public interface TopicEnds extends AutoCloseable {
  /**
   * A topic.
   *
   * @param id Kafka's, which no other topic of that name has
   * @param partitions in their order
   */
  record Ends(String id, List<Span> partitions) {
    /** Copies the list. */
    public Ends {
      partitions = List.copyOf(partitions);
    }

    /** Whether nothing was ever written. */
    boolean isUnwritten() {
      return partitions.stream().allMatch(span -> span.to() == 0);
    }
  }

  /**
   * Offsets of a partition.
   *
   * @param from of the first record that is left
   * @param to after the last
   */
  record Span(long from, long to) {}

  /**
   * What is known of the topics that were asked for; those that are not among these are gone.
   *
   * @param ends of those that there are
   * @param unknown those that may be there, and of which nothing can be said now: neither that they
   *     are gone nor that nothing was written to them
   */
  record Answers(Map<String, Ends> ends, Set<String> unknown) {
    /** Copies the collections. */
    public Answers {
      ends = Map.copyOf(ends);
      unknown = Set.copyOf(unknown);
    }

    /** Where a topic ends; null if it is gone or that is not known. */
    @Nullable Ends of(String topic) {
      return ends.get(topic);
    }

    /** Whether nothing can be said of a topic now. */
    boolean isUnknown(String topic) {
      return unknown.contains(topic);
    }
  }

  /**
   * What is known of these topics; all are asked for at once.
   *
   * @throws org.apache.kafka.common.KafkaException if no broker answers
   */
  Answers of(Collection<String> topics);

  @Override
  void close();
}
