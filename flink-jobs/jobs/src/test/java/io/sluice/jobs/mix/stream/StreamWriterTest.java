package io.sluice.jobs.mix.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schema.ChangeRunState;
import io.sluice.schema.RunCommand;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.io.IOException;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class StreamWriterTest {
  private static final StreamTarget A = new StreamTarget("a-1", "stream.a", "");
  private static final StreamTarget B = new StreamTarget("b-1", "stream.b", "");

  private final TestingProducer producer = new TestingProducer();
  private final TestingStreamTopics topics = new TestingStreamTopics();
  private final StreamWriter writer =
      new StreamWriter(
          producer,
          topics,
          new FailureCommands(Topics.standard(), () -> Instant.ofEpochMilli(77)),
          Duration.ofMillis(1),
          Duration.ofMinutes(5),
          UnregisteredMetricsGroup.createSinkWriterMetricGroup());

  private static final SinkWriter.Context CONTEXT =
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

  /** A producer that may not take records, as when it does not know their topic. */
  private static final class TestingProducer extends MockProducer<byte[], ByteBuffer> {
    private int refusals;
    private volatile String stuck = "";
    private Runnable onRefusal = () -> {};

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
  private static final class TestingStreamTopics implements StreamTopics {
    private final Map<StreamTarget, String> refusals = new HashMap<>();
    private boolean once;
    private final List<String> awaited = new ArrayList<>();

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

  @AfterEach
  void close() {
    writer.close();
  }

  private static StreamRecord record(StreamTarget target, int n) {
    return record(target, n, StreamGate.unwatched());
  }

  private static StreamRecord record(StreamTarget target, int n, StreamGate gate) {
    byte[] value = {1, (byte) n};
    return new StreamRecord(target, new byte[] {(byte) n}, gate)
        .fill(n % 2, n, ByteBuffer.wrap(value));
  }

  private void write(StreamTarget target, int n) throws Exception {
    writer.write(record(target, n), CONTEXT);
  }

  @Test
  void sendsToTheNamedPlaceWithHeaderAndWithoutKey() throws Exception {
    write(A, 5);
    ProducerRecord<byte[], ByteBuffer> sent = producer.history().get(0);
    assertThat(sent.topic()).isEqualTo("stream.a");
    assertThat(sent.partition()).isEqualTo(1);
    assertThat(sent.timestamp()).isEqualTo(5);
    assertThat(sent.key()).isNull();
    assertThat(sent.value().array()).containsExactly(1, 5);
    assertThat(sent.headers().lastHeader(StreamHeader.KEY).value()).containsExactly(5);
  }

  /** Topics of the records that were sent to streams. */
  private List<String> streams() {
    return producer.history().stream()
        .map(ProducerRecord::topic)
        .filter(topic -> !topic.equals("sluice.runs"))
        .toList();
  }

  /** Failures that were asked for, as run and reason. */
  private Map<String, String> failures() {
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

  @Test
  void flushWaitsForEverythingThatWasSent() throws Exception {
    write(A, 1);
    write(B, 2);
    writer.flush(false);
    assertThat(producer.flushed()).isTrue();
    assertThat(producer.history()).hasSize(2);
  }

  @Test
  void aRunWithoutTopicFailsAlone() throws Exception {
    topics.refusals.put(A, "topic stream.a does not exist");
    write(A, 1);
    write(B, 2);
    write(A, 3);
    writer.flush(false);
    assertThat(streams()).containsExactly("stream.b");
    assertThat(failures()).isEqualTo(Map.of("a-1", "topic stream.a does not exist"));
  }

  @Test
  void aTopicThatTheBrokerHasNotHeardOfYetIsLookedAtAgain() throws Exception {
    topics.once = true;
    topics.refusals.put(A, "topic stream.a does not exist");
    write(A, 1);
    producer.refusals = 1;
    topics.refusals.put(A, "topic stream.a does not exist");
    write(A, 2);
    writer.flush(false);
    assertThat(streams()).containsExactly("stream.a", "stream.a");
    assertThat(failures()).isEmpty();
  }

  @Test
  void leadersAreAwaitedBeforeTheFirstRecordOfATopic() throws Exception {
    write(A, 1);
    write(B, 2);
    write(A, 3);
    assertThat(topics.awaited).containsExactly("stream.a", "stream.b");
  }

  @Test
  void nobodyAwaitsTheLeadersOfATopicThatIsNotThere() throws Exception {
    topics.refusals.put(A, "topic stream.a does not exist");
    write(A, 1);
    assertThat(topics.awaited).isEmpty();
  }

  @Test
  void aTooLargeRecordFailsItsRunAlone() throws Exception {
    write(A, 1);
    producer.errorNext(new RecordTooLargeException("2 MiB"));
    write(A, 2);
    write(B, 3);
    writer.flush(false);
    assertThat(streams()).containsExactly("stream.a", "stream.b");
    assertThat(failures()).isEqualTo(Map.of("a-1", "topic stream.a: 2 MiB"));
  }

  @Test
  void aRunWhoseTopicIsDeletedWhileItIsWrittenFailsAlone() throws Exception {
    write(A, 1);
    write(B, 2);
    topics.refusals.put(A, "topic stream.a does not exist");
    producer.errorNext(new TimeoutException("expired"));
    writer.flush(false);
    write(B, 3);
    write(A, 4);
    producer.completeNext();
    assertThat(streams()).containsExactly("stream.a", "stream.b", "stream.b");
    assertThat(failures()).isEqualTo(Map.of("a-1", "topic stream.a does not exist"));

    write(B, 5);
    producer.errorNext(new UnknownTopicOrPartitionException("b is gone"));
    writer.flush(false);
    write(B, 6);
    assertThat(streams()).hasSize(4);
    assertThat(failures()).containsEntry("b-1", "topic stream.b: b is gone");
  }

  @Test
  void aTopicThatIsGoneIsNoticedWithoutWaitingForARecordToTimeOut() throws Exception {
    write(A, 1);
    write(B, 2);
    topics.refusals.put(A, "topic stream.a has another id");
    writer.watch().look();
    write(A, 3);
    assertThat(failures()).as("a broker may be wrong once").isEmpty();
    writer.watch().look();
    write(A, 4);
    write(B, 5);
    assertThat(streams()).containsExactly("stream.a", "stream.b", "stream.a", "stream.b");
    assertThat(failures()).isEqualTo(Map.of("a-1", "topic stream.a has another id"));
  }

  @Test
  void recordsOfATopicThatIsGoneHoldNoCheckpointBack() throws Exception {
    write(A, 1);
    write(B, 2);
    producer.completeNext();
    producer.stuck = "stream.b";
    topics.refusals.put(B, "topic stream.b does not exist");
    writer.watch().look();
    writer.watch().look();
    writer.flush(false);
    assertThat(producer.flushed()).isFalse();
    assertThat(failures()).isEqualTo(Map.of("b-1", "topic stream.b does not exist"));
  }

  @Test
  void aTopicThatComesBackIsNotGone() throws Exception {
    write(A, 1);
    for (int looks = 0; looks < 3; looks++) {
      topics.refusals.put(A, "topic stream.a does not exist");
      writer.watch().look();
      topics.refusals.clear();
      writer.watch().look();
    }
    write(A, 2);
    assertThat(failures()).isEmpty();
  }

  @Test
  void aTopicIsNotLookedAtOnceItsRunHasEnded() throws Exception {
    write(A, 1);
    writer.write(new StreamEnded(A), CONTEXT);
    topics.refusals.put(A, "topic stream.a does not exist");
    writer.watch().look();
    writer.watch().look();
    writer.flush(false);
    assertThat(failures()).isEmpty();
  }

  @Test
  void aRecordThatIsNotTakenIsSentAgain() throws Exception {
    write(A, 1);
    producer.refusals = 3;
    write(A, 2);
    write(A, 3);
    assertThat(producer.history())
        .extracting(ProducerRecord::timestamp)
        .containsExactly(1L, 2L, 3L);
    assertThat(failures()).isEmpty();
  }

  @Test
  void aRecordThatIsNotTakenBecauseItsTopicIsGoneHoldsNothingUp() throws Exception {
    write(A, 1);
    producer.refusals = 3;
    producer.onRefusal =
        () -> topics.refusals.put(producer.refusals == 0 ? A : B, "topic does not exist");
    write(A, 2);
    write(A, 3);
    writer.flush(false);
    assertThat(streams()).containsExactly("stream.a");
    assertThat(failures()).isEqualTo(Map.of("a-1", "topic does not exist"));
  }

  @Test
  void theGateCountsWhatIsOnItsWay() throws Exception {
    AtomicInteger drained = new AtomicInteger();
    StreamGate gate = new StreamGate(drained::incrementAndGet);
    writer.write(record(A, 1, gate), CONTEXT);
    writer.write(record(A, 2, gate), CONTEXT);
    assertThat(gate.isOpen(7)).isTrue();
    assertThat(gate.isOpen(6)).isFalse();
    assertThat(drained).hasValue(0);
    producer.completeNext();
    assertThat(drained).hasValue(1);
    assertThat(gate.isOpen(6)).isTrue();
    producer.errorNext(new RecordTooLargeException("2 MiB"));
    assertThat(gate.isOpen(1)).isTrue();
    assertThat(drained).as("nobody waited").hasValue(1);
  }

  @Test
  void aRunThatTheSourceCannotGoOnWithIsWrittenNoMore() throws Exception {
    write(A, 1);
    writer.write(new StreamFailure(A, "ordinal 3 is missing"), CONTEXT);
    write(A, 2);
    write(B, 3);
    assertThat(streams()).containsExactly("stream.a", "stream.b");
    assertThat(failures()).isEqualTo(Map.of("a-1", "ordinal 3 is missing"));
  }

  @Test
  void aFailureThatIsNotWrittenFailsTheTaskSoThatItIsNoticedAgain() throws Exception {
    writer.write(new StreamFailure(A, "ordinal 3 is missing"), CONTEXT);
    producer.errorNext(new TimeoutException("expired"));
    assertThatThrownBy(() -> writer.flush(false))
        .isInstanceOf(IOException.class)
        .hasMessage("cannot write the stream: expired");
  }

  @Test
  void theSameFailureIsAlwaysTheSameCommand() {
    FailureCommands commands = new FailureCommands(Topics.standard(), Instant::now);
    String id =
        WireCodec.decode(RunCommand.class, commands.of("a-1", "x").value().array()).getCommandId();
    assertThat(
            WireCodec.decode(RunCommand.class, commands.of("a-1", "y").value().array())
                .getCommandId())
        .isEqualTo(id)
        .startsWith("failed-")
        .hasSizeLessThan(128);
    assertThat(
            WireCodec.decode(RunCommand.class, commands.of("b-1", "x").value().array())
                .getCommandId())
        .isNotEqualTo(id);
  }

  @Test
  void aBrokerThatStaysAwayFailsTheTask() throws Exception {
    write(A, 1);
    producer.errorNext(new TimeoutException("expired"));
    assertThatThrownBy(() -> write(B, 2))
        .isInstanceOf(IOException.class)
        .hasMessage("cannot write the stream: expired");
    assertThatThrownBy(() -> writer.flush(false)).hasMessage("cannot write the stream: expired");
    assertThat(producer.history()).as("stops at the first failure").hasSize(1);
  }

  @Test
  void anyOtherErrorFailsTheTask() throws Exception {
    write(A, 1);
    producer.errorNext(new NotEnoughReplicasException("1 of 2"));
    assertThatThrownBy(() -> writer.flush(false))
        .isInstanceOf(IOException.class)
        .hasMessage("cannot write the stream: 1 of 2");
  }
}
