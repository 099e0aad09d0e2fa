package io.sluice.jobs.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class KnownTopicsTest {
  private static final int AT_ONCE = 8;

  private final List<String> topics = IntStream.range(0, 128).mapToObj(i -> "topic-" + i).toList();

  /** Answers only when some topics are waited for at the same time, as one request has them. */
  private static class Asked extends MockProducer<byte[], byte[]> {
    final List<String> topics = Collections.synchronizedList(new ArrayList<>());
    private final CyclicBarrier company = new CyclicBarrier(AT_ONCE);

    @Override
    public List<PartitionInfo> partitionsFor(String topic) {
      topics.add(topic);
      try {
        company.await();
      } catch (InterruptedException | BrokenBarrierException e) {
        throw new TimeoutException(e);
      }
      return List.of();
    }
  }

  @Test
  void aProducerAsksForAllTopicsTogetherAndOnce() throws Exception {
    KnownTopics known = new KnownTopics(topics);
    try (Asked first = new Asked();
        Asked second = new Asked()) {
      known.teach(first);
      known.teach(second);
      known.teach(first);

      assertThat(first.topics).containsExactlyInAnyOrderElementsOf(topics);
      assertThat(second.topics).containsExactlyInAnyOrderElementsOf(topics);
    }
  }

  @Test
  void aTopicThatCannotBeHadIsLeftToItsRecords() throws Exception {
    // Threads that were told to stop may still ask.
    List<String> asked = new CopyOnWriteArrayList<>();
    try (MockProducer<byte[], byte[]> away =
        new MockProducer<>() {
          @Override
          public List<PartitionInfo> partitionsFor(String topic) {
            asked.add(topic);
            throw new TimeoutException("not there");
          }
        }) {
      new KnownTopics(topics).teach(away);
    }
    assertThat(asked).isNotEmpty().isSubsetOf(topics);
  }
}
