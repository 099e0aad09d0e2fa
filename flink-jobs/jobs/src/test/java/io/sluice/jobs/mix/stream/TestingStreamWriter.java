package io.sluice.jobs.mix.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.ChangeRunState;
import io.sluice.schema.RunCommand;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A writer of streams whose broker does as a test says. */
final class TestingStreamWriter implements AutoCloseable {
  static final StreamTarget A = new StreamTarget("a-1", "stream.a", "");
  static final StreamTarget B = new StreamTarget("b-1", "stream.b", "");

  static final SinkWriter.Context CONTEXT =
      new SinkWriter.Context() {
        @Override
        public long currentWatermark() {
          return Long.MIN_VALUE;
        }

        @Override
        public Long timestamp() {
          return 0L;
        }
      };

  final TestingProducer producer = new TestingProducer();
  final TestingStreamTopics topics = new TestingStreamTopics();
  final StreamWriter writer =
      new StreamWriter(
          producer,
          topics,
          new FailureCommands(Topics.standard(), () -> Instant.ofEpochMilli(77)),
          Duration.ofMillis(1),
          Duration.ofMinutes(5),
          Duration.ofMillis(1),
          UnregisteredMetricsGroup.createSinkWriterMetricGroup());

  /** A producer that may not take records, as when it does not know their topic. */
  static final class TestingProducer extends MockProducer<byte[], ByteBuffer> {
    int refusals;
    volatile String stuck = "";
    Runnable onRefusal = () -> {};

    TestingProducer() {
      super(false, null, new ByteArraySerializer(), new BlockSerializer());
    }

    /** Delivers commands alone while a stream's records cannot be. */
    @Override
    public synchronized void flush() {
      if (stuck.isEmpty()) {
        super.flush();
      }
    }

    @Override
    public synchronized Future<RecordMetadata> send(
        ProducerRecord<byte[], ByteBuffer> record, Callback callback) {
      if (refusals > 0) {
        refusals--;
        onRefusal.run();
        TimeoutException error = new TimeoutException("no metadata");
        callback.onCompletion(null, error);
        return CompletableFuture.failedFuture(error);
      }
      Future<RecordMetadata> sent = super.send(record, callback);
      if (!stuck.isEmpty() && record.topic().equals("sluice.runs")) {
        callback.onCompletion(null, null);
      }
      return sent;
    }
  }

  /** Topics that exist unless a reason is given. */
  static final class TestingStreamTopics implements StreamTopics {
    final Map<StreamTarget, String> refusals = new HashMap<>();
    boolean once;
    final List<String> awaited = new ArrayList<>();

    @Override
    public void awaitLeaders(StreamTarget target) {
      awaited.add(target.topic());
    }

    @Override
    public Map<StreamTarget, String> refusals(Set<StreamTarget> targets) {
      Map<StreamTarget, String> found = new HashMap<>(refusals);
      if (once) {
        refusals.clear();
      }
      found.keySet().retainAll(targets);
      return found;
    }

    @Override
    public void close() {
      refusals.clear();
    }
  }

  static StreamRecord record(StreamTarget target, int n) {
    return record(target, n, StreamGate.unwatched());
  }

  static StreamRecord record(StreamTarget target, int n, StreamGate gate) {
    byte[] value = {1, (byte) n};
    return new StreamRecord(target, new byte[] {(byte) n}, gate)
        .fill(n % 2, n, ByteBuffer.wrap(value));
  }

  void write(StreamTarget target, int n) throws Exception {
    writer.write(record(target, n), CONTEXT);
  }

  /** Topics of the records that were sent to streams. */
  List<String> streams() {
    return producer.history().stream()
        .map(ProducerRecord::topic)
        .filter(topic -> !topic.equals("sluice.runs"))
        .toList();
  }

  /** Failures that were asked for, as run and reason. */
  Map<String, String> failures() {
    Map<String, String> failures = new TreeMap<>();
    for (ProducerRecord<byte[], ByteBuffer> sent : producer.history()) {
      if (sent.topic().equals("sluice.runs")) {
        RunCommand command = WireCodec.decode(RunCommand.class, sent.value().array());
        ChangeRunState change = (ChangeRunState) command.getBody();
        assertThat(change.getState()).isEqualTo("failed");
        assertThat(command.getTimeMillis()).isEqualTo(77);
        assertThat(new String(sent.key(), StandardCharsets.UTF_8)).isEqualTo(command.getRunId());
        assertThat(failures.put(command.getRunId(), change.getReason())).as("asked once").isNull();
      }
    }
    return failures;
  }

  @Override
  public void close() {
    writer.close();
  }
}
