package io.sluice.jobs.mix.tail;

import java.util.Collection;
import java.util.List;
import java.util.Map;

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

  /** The topics among these that there are, by name; all are asked for at once. */
  Map<String, Ends> of(Collection<String> topics);

  @Override
  void close();
}
