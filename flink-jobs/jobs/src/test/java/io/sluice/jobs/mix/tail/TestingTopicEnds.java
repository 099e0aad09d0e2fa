package io.sluice.jobs.mix.tail;

import io.sluice.jobs.mix.fetch.TestingTopics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/**
 * Ends of topics in memory. A stream that nothing was written to has no topic there: it is empty
 * unless it was deleted.
 */
public final class TestingTopicEnds implements TopicEnds {
  /** Of the leader of each partition. */
  static final long EPOCH = 4;

  private final TestingTopics topics;
  private final Map<String, Integer> streams = new HashMap<>();
  private final Set<String> deleted = new HashSet<>();
  private final Map<String, RuntimeException> failing = new HashMap<>();
  private final Set<String> silent = new HashSet<>();
  private final Set<String> remade = new HashSet<>();
  private final Map<TopicPartition, Long> lost = new HashMap<>();
  private final List<Set<String>> asked = new ArrayList<>();

  public TestingTopicEnds(TestingTopics topics) {
    this.topics = topics;
  }

  /** A stream's topic has so many partitions. */
  public void stream(String topic, int partitions) {
    streams.put(topic, partitions);
  }

  /** A topic is not there. */
  public void delete(String topic) {
    deleted.add(topic);
  }

  /** Nothing is known of a topic. */
  public void silence(String topic) {
    silent.add(topic);
  }

  /** Whoever asks for a topic is thrown an error. */
  void fail(String topic, RuntimeException error) {
    failing.put(topic, error);
  }

  /** All topics are known. */
  public void hear() {
    failing.clear();
    silent.clear();
  }

  /** A topic is another one of the same name. */
  public void remake(String topic) {
    remade.add(topic);
  }

  /** The last records of a partition are gone. */
  public void lose(String topic, int partition, long records) {
    lost.put(new TopicPartition(topic, partition), records);
  }

  /** The topics of each request. */
  public List<Set<String>> asked() {
    return asked;
  }

  @Override
  public Answers of(Collection<String> wanted) {
    asked.add(Set.copyOf(wanted));
    Map<String, Ends> all = new HashMap<>();
    for (String topic : wanted) {
      if (failing.containsKey(topic)) {
        throw failing.get(topic);
      }
      List<Span> spans = new ArrayList<>();
      for (int p = 0; p < streams.getOrDefault(topic, 1); p++) {
        TopicPartition partition = new TopicPartition(topic, p);
        spans.add(new Span(0, topics.end(partition) - lost.getOrDefault(partition, 0L)));
      }
      if (!deleted.contains(topic) && !silent.contains(topic)) {
        all.put(
            topic,
            new Ends(
                remade.contains(topic) ? "id-2" : "id-1",
                spans,
                Collections.nCopies(spans.size(), EPOCH)));
      }
    }
    Set<String> unknown = new HashSet<>(wanted);
    unknown.retainAll(silent);
    return new Answers(all, unknown);
  }

  @Override
  public void close() {}
}
