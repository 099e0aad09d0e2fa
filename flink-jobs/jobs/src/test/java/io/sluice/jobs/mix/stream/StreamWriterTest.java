package io.sluice.jobs.mix.stream;

import static io.sluice.jobs.mix.stream.TestingStreamWriter.A;
import static io.sluice.jobs.mix.stream.TestingStreamWriter.B;
import static io.sluice.jobs.mix.stream.TestingStreamWriter.CONTEXT;
import static io.sluice.jobs.mix.stream.TestingStreamWriter.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.wire.CommandWire;
import io.sluice.schema.ChangeRunState;
import io.sluice.schema.RunCommand;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class StreamWriterTest {
  private final TestingStreamWriter out = new TestingStreamWriter();

  @AfterEach
  void close() {
    out.close();
  }

  @Test
  void sendsToTheNamedPlaceWithHeaderAndWithoutKey() throws Exception {
    out.write(A, 5);
    ProducerRecord<byte[], ByteBuffer> sent = out.producer.history().get(0);
    assertThat(sent.topic()).isEqualTo("stream.a");
    assertThat(sent.partition()).isEqualTo(1);
    assertThat(sent.timestamp()).isEqualTo(5);
    assertThat(sent.key()).isNull();
    assertThat(sent.value().array()).containsExactly(1, 5);
    assertThat(sent.headers().lastHeader(StreamHeader.KEY).value()).containsExactly(5);
  }

  @Test
  void flushWaitsForEverythingThatWasSent() throws Exception {
    out.write(A, 1);
    out.write(B, 2);
    out.writer.flush(false);
    assertThat(out.producer.flushed()).isTrue();
    assertThat(out.producer.history()).hasSize(2);
  }

  @Test
  void aTooLargeRecordFailsItsRunAlone() throws Exception {
    out.write(A, 1);
    out.producer.errorNext(new RecordTooLargeException("2 MiB"));
    out.write(A, 2);
    out.write(B, 3);
    out.writer.flush(false);
    assertThat(out.streams()).containsExactly("stream.a", "stream.b");
    assertThat(out.failures()).isEqualTo(Map.of("a-1", "topic stream.a: 2 MiB"));
  }

  @Test
  void aRecordThatIsNotTakenIsSentAgain() throws Exception {
    out.write(A, 1);
    out.producer.refusals = 3;
    out.write(A, 2);
    out.write(A, 3);
    assertThat(out.producer.history())
        .extracting(ProducerRecord::timestamp)
        .containsExactly(1L, 2L, 3L);
    assertThat(out.failures()).isEmpty();
  }

  @Test
  void theGateCountsWhatIsOnItsWay() throws Exception {
    AtomicInteger drained = new AtomicInteger();
    StreamGate gate = new StreamGate(drained::incrementAndGet);
    out.writer.write(record(A, 1, gate), CONTEXT);
    out.writer.write(record(A, 2, gate), CONTEXT);
    assertThat(gate.isOpen(7)).isTrue();
    assertThat(gate.isOpen(6)).isFalse();
    assertThat(drained).hasValue(0);
    out.producer.completeNext();
    assertThat(drained).hasValue(1);
    assertThat(gate.isOpen(6)).isTrue();
    out.producer.errorNext(new RecordTooLargeException("2 MiB"));
    assertThat(gate.isOpen(1)).isTrue();
    assertThat(drained).as("nobody waited").hasValue(1);
  }

  @Test
  void aRunThatTheSourceCannotGoOnWithIsWrittenNoMore() throws Exception {
    out.write(A, 1);
    out.writer.write(new StreamFailure(A, "ordinal 3 is missing"), CONTEXT);
    out.write(A, 2);
    out.write(B, 3);
    assertThat(out.streams()).containsExactly("stream.a", "stream.b");
    assertThat(out.failures()).isEqualTo(Map.of("a-1", "ordinal 3 is missing"));
  }

  @Test
  void aFailureThatIsNotWrittenFailsTheTaskSoThatItIsNoticedAgain() throws Exception {
    out.writer.write(new StreamFailure(A, "ordinal 3 is missing"), CONTEXT);
    out.producer.errorNext(new TimeoutException("expired"));
    assertThatThrownBy(() -> out.writer.flush(false))
        .isInstanceOf(IOException.class)
        .hasMessage("cannot write the stream: expired");
  }

  @Test
  void aFailureIsACommandThatIsNotRefusedHoweverLongItsReason() {
    FailureCommands commands = new FailureCommands(Topics.standard(), Instant::now);
    String reason = "ordinals " + "0, ".repeat(1 << 18);
    RunCommand command =
        WireCodec.decode(RunCommand.class, commands.of("a-1", reason).value().array());
    assertThatNoException().isThrownBy(() -> CommandWire.requireBounded(command));
    assertThat(((ChangeRunState) command.getBody()).getReason()).startsWith("ordinals 0, ");
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
    out.write(A, 1);
    out.producer.errorNext(new TimeoutException("expired"));
    assertThatThrownBy(() -> out.write(B, 2))
        .isInstanceOf(IOException.class)
        .hasMessage("cannot write the stream: expired");
    assertThatThrownBy(() -> out.writer.flush(false))
        .hasMessage("cannot write the stream: expired");
    assertThat(out.producer.history()).as("stops at the first failure").hasSize(1);
  }

  @Test
  void anyOtherErrorFailsTheTask() throws Exception {
    out.write(A, 1);
    out.producer.errorNext(new NotEnoughReplicasException("1 of 2"));
    assertThatThrownBy(() -> out.writer.flush(false))
        .isInstanceOf(IOException.class)
        .hasMessage("cannot write the stream: 1 of 2");
  }

  @Test
  void whatATopicDoesNotTakeIsLeftToTheSourceWhileOthersGoOn() throws Exception {
    for (RuntimeException error :
        List.of(
            new NotEnoughReplicasException("1 of 2"),
            new KafkaStorageException("disk"),
            new TimeoutException("expired"))) {
      try (TestingStreamWriter own = new TestingStreamWriter()) {
        AtomicInteger told = new AtomicInteger();
        StreamGate gate = new StreamGate(told::incrementAndGet);
        own.writer.write(record(A, 1, gate), CONTEXT);
        assertThat(gate.hasLost()).isFalse();
        own.producer.errorNext(error);
        assertThat(gate.hasLost()).isTrue();
        assertThat(gate.isDelivered()).isFalse();
        assertThat(told).hasPositiveValue();
        StreamGate other = new StreamGate(() -> {});
        own.writer.write(record(B, 2, other), CONTEXT);
        own.producer.completeNext();
        own.writer.flush(false);
        assertThat(other.isDelivered()).isTrue();
        assertThat(own.failures()).isEmpty();
      }
    }
  }

  @Test
  void aCheckpointDoesNotWaitForWhatTheSourceCanEmitAgain() throws Exception {
    StreamGate slow = new StreamGate(() -> {});
    StreamGate quick = new StreamGate(() -> {});
    out.writer.write(record(B, 1, quick), CONTEXT);
    out.writer.write(record(A, 2, slow), CONTEXT);
    out.producer.completeNext();
    out.producer.stuck = "stream.a";
    out.writer.flush(false);
    assertThat(quick.isDelivered()).isTrue();
    assertThat(slow.isDelivered()).isFalse();
    assertThat(slow.hasLost()).isFalse();
  }

  @Test
  void aRecordThatIsNotTakenForLongIsLeftToTheSource() throws Exception {
    StreamGate gate = new StreamGate(() -> {});
    out.producer.refusals = Integer.MAX_VALUE;
    out.writer.write(record(A, 1, gate), CONTEXT);
    assertThat(gate.hasLost()).isTrue();
    out.producer.refusals = 0;
    out.writer.write(record(B, 2), CONTEXT);
    assertThat(out.streams()).containsExactly("stream.b");
    assertThat(out.failures()).isEmpty();
  }
}
