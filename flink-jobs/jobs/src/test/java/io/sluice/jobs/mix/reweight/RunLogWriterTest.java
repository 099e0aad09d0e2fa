package io.sluice.jobs.mix.reweight;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class RunLogWriterTest {
  static final SinkWriter.Context NONE =
      new SinkWriter.Context() {
        @Override
        public long currentWatermark() {
          return 0;
        }

        @Override
        public Long timestamp() {
          return null;
        }
      };

  private final Present present = new Present();
  private final Logs logs = new Logs(present);
  private final RunLogWriter writer =
      new RunLogWriter(Topics.standard(), logs, present, Duration.ZERO);

  /** Tells of each question. */
  private static final class Present implements LogTopics {
    private final Set<String> topics = ConcurrentHashMap.newKeySet();
    private final LinkedBlockingQueue<Set<String>> asked = new LinkedBlockingQueue<>();
    private volatile CountDownLatch answers = new CountDownLatch(0);

    @Override
    public Set<String> present(Collection<String> wanted) {
      asked.add(Set.copyOf(wanted));
      try {
        answers.await();
      } catch (InterruptedException e) {
        throw new InterruptException(e);
      }
      return wanted.stream().filter(topics::contains).collect(Collectors.toSet());
    }

    Set<String> next() throws InterruptedException {
      return asked.poll(30, TimeUnit.SECONDS);
    }

    @Override
    public void close() {}
  }

  /** A producer that knows some topics, and tells of each record that it is given. */
  private static final class Logs extends MockProducer<byte[], byte[]> {
    private final Present there;
    private final LinkedBlockingQueue<String> sent = new LinkedBlockingQueue<>();
    private final Set<String> unknown = ConcurrentHashMap.newKeySet();

    Logs(Present there) {
      super(false, null, new ByteArraySerializer(), new ByteArraySerializer());
      this.there = there;
    }

    @Override
    public synchronized List<PartitionInfo> partitionsFor(String topic) {
      assertThat(there.topics)
          .as("a producer waits for topics that it does not know")
          .contains(topic);
      if (unknown.remove(topic)) {
        throw new TimeoutException("Topic " + topic + " not present in metadata");
      }
      return List.of(new PartitionInfo(topic, 0, Node.noNode(), new Node[0], new Node[0]));
    }

    @Override
    public synchronized java.util.concurrent.Future<
            org.apache.kafka.clients.producer.RecordMetadata>
        send(
            ProducerRecord<byte[], byte[]> record,
            org.apache.kafka.clients.producer.Callback callback) {
      var future = super.send(record, callback);
      sent.add(
          "%s/%d %s: %s"
              .formatted(
                  record.topic(), record.partition(), text(record.key()), text(record.value())));
      return future;
    }

    private static String text(byte[] bytes) {
      return new String(bytes, StandardCharsets.UTF_8);
    }

    String next() throws InterruptedException {
      return sent.poll(30, TimeUnit.SECONDS);
    }
  }

  @AfterEach
  void close() {
    writer.close();
  }

  private void write(String runId, String entry) {
    writer.write(new KeyedRecord(runId, entry.getBytes(StandardCharsets.UTF_8)), NONE);
  }

  @Test
  void anEntryGoesToTheLogOfItsRun() throws Exception {
    present.topics.add("sluice.control.a.1");
    write("a.1", "first");
    assertThat(logs.next()).isEqualTo("sluice.control.a.1/0 a.1: first");
    write("a.1", "second");
    assertThat(logs.sent).as("sent at once").containsExactly("sluice.control.a.1/0 a.1: second");
  }

  @Test
  void logsThatAreGoneAreLookedForInOneQuestionAndKeepNobodyElseWaiting() throws Exception {
    present.answers = new CountDownLatch(1);
    write("gone.0", "lost");
    assertThat(present.next()).containsExactly("sluice.control.gone.0");
    for (int run = 1; run < 200; run++) {
      write("gone." + run, "lost");
    }
    present.topics.add("sluice.control.a.1");
    write("a.1", "first");
    present.answers.countDown();
    assertThat(present.next())
        .as("the next question")
        .hasSize(200)
        .contains("sluice.control.gone.199", "sluice.control.a.1")
        .doesNotContain("sluice.control.gone.0");
    assertThat(logs.next()).isEqualTo("sluice.control.a.1/0 a.1: first");
    writer.flush(false);
    assertThat(logs.history()).hasSize(1);
  }

  @Test
  void aLogIsLookedForTenTimesAndWhatIsHeldForItIsLeftOutThen() throws Exception {
    write("late.1", "first");
    for (int looks = 0; looks < 10; looks++) {
      assertThat(present.next()).containsExactly("sluice.control.late.1");
    }
    write("other.1", "first");
    assertThat(present.next()).containsExactly("sluice.control.other.1");
  }

  @Test
  void aLogThatIsThereAfterAWhileTakesTheNewestEntry() throws Exception {
    present.answers = new CountDownLatch(1);
    write("late.1", "first");
    assertThat(present.next()).containsExactly("sluice.control.late.1");
    write("late.1", "second");
    present.topics.add("sluice.control.late.1");
    write("late.1", "third");
    present.answers.countDown();
    assertThat(logs.next()).isEqualTo("sluice.control.late.1/0 late.1: third");
  }

  @Test
  void aLogThatTheProducerDoesNotKnowYetKeepsNobodyElseWaiting() throws Exception {
    present.answers = new CountDownLatch(1);
    write("gone.1", "lost");
    assertThat(present.next()).isNotEmpty();
    logs.unknown.add("sluice.control.b.1");
    for (String run : List.of("a.1", "b.1", "c.1")) {
      present.topics.add("sluice.control." + run);
      write(run, "first");
    }
    present.answers.countDown();
    assertThat(List.of(logs.next(), logs.next(), logs.next()))
        .containsExactly(
            "sluice.control.a.1/0 a.1: first",
            "sluice.control.c.1/0 c.1: first",
            "sluice.control.b.1/0 b.1: first");
  }

  @Test
  void anErrorOfOneLogIsThatLogsAlone() throws Exception {
    present.topics.add("sluice.control.a.1");
    present.topics.add("sluice.control.b.1");
    write("a.1", "refused");
    assertThat(logs.next()).contains("refused");
    logs.errorNext(new NotEnoughReplicasException("one of two"));
    write("b.1", "first");
    assertThat(logs.next()).isEqualTo("sluice.control.b.1/0 b.1: first");
    write("a.1", "again");
    assertThat(logs.next()).isEqualTo("sluice.control.a.1/0 a.1: again");
  }
}
