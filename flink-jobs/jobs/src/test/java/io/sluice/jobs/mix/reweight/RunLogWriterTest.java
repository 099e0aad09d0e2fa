package io.sluice.jobs.mix.reweight;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.Topics;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
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

  private final Logs logs = new Logs();
  private final RunLogWriter writer = new RunLogWriter(Topics.standard(), logs);

  /** A producer that knows some topics, and tells of each record that it is given. */
  private static final class Logs extends MockProducer<byte[], byte[]> {
    private final Set<String> present = ConcurrentHashMap.newKeySet();
    private final LinkedBlockingQueue<String> sent = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<String> looked = new LinkedBlockingQueue<>();

    Logs() {
      super(false, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public synchronized List<PartitionInfo> partitionsFor(String topic) {
      looked.add(topic);
      if (!present.contains(topic)) {
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
    logs.present.add("sluice.control.a.1");
    write("a.1", "first");
    assertThat(logs.next()).isEqualTo("sluice.control.a.1/0 a.1: first");
    write("a.1", "second");
    assertThat(logs.sent).as("sent at once").containsExactly("sluice.control.a.1/0 a.1: second");
  }

  @Test
  void aLogThatIsGoneKeepsNobodyElseWaiting() throws Exception {
    write("gone.1", "lost");
    assertThat(logs.looked.poll(30, TimeUnit.SECONDS)).isEqualTo("sluice.control.gone.1");
    logs.present.add("sluice.control.a.1");
    write("a.1", "first");
    assertThat(logs.next()).isEqualTo("sluice.control.a.1/0 a.1: first");
    writer.flush(false);
    assertThat(logs.history()).hasSize(1);
  }

  @Test
  void aLogThatIsThereAfterAWhileTakesTheNewestEntry() throws Exception {
    write("late.1", "first");
    for (int looks = 0; looks < 10; looks++) {
      assertThat(logs.looked.poll(30, TimeUnit.SECONDS)).isEqualTo("sluice.control.late.1");
    }
    write("late.1", "second");
    logs.present.add("sluice.control.late.1");
    write("late.1", "third");
    assertThat(logs.next()).isEqualTo("sluice.control.late.1/0 late.1: third");
  }

  @Test
  void anErrorOfOneLogIsThatLogsAlone() throws Exception {
    logs.present.add("sluice.control.a.1");
    logs.present.add("sluice.control.b.1");
    write("a.1", "refused");
    assertThat(logs.next()).contains("refused");
    logs.errorNext(new NotEnoughReplicasException("one of two"));
    write("b.1", "first");
    assertThat(logs.next()).isEqualTo("sluice.control.b.1/0 b.1: first");
    write("a.1", "again");
    assertThat(logs.next()).isEqualTo("sluice.control.a.1/0 a.1: again");
  }
}
