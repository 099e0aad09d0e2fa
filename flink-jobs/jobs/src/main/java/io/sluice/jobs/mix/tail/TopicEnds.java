package io.sluice.jobs.mix.tail;

import io.sluice.jobs.mix.split.StreamReach;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Where topics begin and end now. */
public interface TopicEnds extends AutoCloseable {
  /**
   * A topic.
   *
   * @param id Kafka's, which no other topic of that name has
   * @param partitions in their order
   * @param epochs of the partitions' leaders; {@link StreamReach#UNKNOWN} where one is not told
   */
  record Ends(String id, List<Span> partitions, List<Long> epochs) {
    /** Copies the lists, which are of one length. */
    public Ends {
      partitions = List.copyOf(partitions);
      epochs = List.copyOf(epochs);
      if (partitions.size() != epochs.size()) {
        throw new IllegalArgumentException(
            "a topic must have an epoch for each of its "
                + partitions.size()
                + " partitions: "
                + epochs);
      }
    }

    /** Whether it has as many partitions, and none of them ends before the one of these. */
    boolean reaches(List<Long> ends) {
      return partitions.size() == ends.size()
          && IntStream.range(0, ends.size()).allMatch(p -> partitions.get(p).to() >= ends.get(p));
    }

    /** What can be lost of it. */
    StreamReach reach() {
      return new StreamReach(
          partitions.stream().mapToLong(Span::to).toArray(),
          epochs.stream().mapToLong(Long::longValue).toArray());
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
