package io.sluice.jobs.mix.stream;

import static io.sluice.jobs.mix.stream.TestingStreamWriter.A;
import static io.sluice.jobs.mix.stream.TestingStreamWriter.B;
import static io.sluice.jobs.mix.stream.TestingStreamWriter.CONTEXT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A writer whose topics are not there, not there yet, or gone. */
final class StreamWriterTopicsTest {
  private final TestingStreamWriter out = new TestingStreamWriter();

  @AfterEach
  void close() {
    out.close();
  }

  private void look(int times) {
    for (int i = 0; i < times; i++) {
      out.writer.watch().look();
    }
  }

  @Test
  void anOutageThatTakesAllTopicsAwayForAWhileFailsNoRun() throws Exception {
    StreamGate gate = new StreamGate(() -> {});
    out.writer.write(TestingStreamWriter.record(A, 1, gate), CONTEXT);
    out.topics.refusals.put(A, "topic stream.a does not exist");
    out.producer.errorNext(new UnknownTopicOrPartitionException("not known"));
    out.writer.flush(false);
    assertThat(gate.hasLost()).isTrue();
    look(TopicWatch.LOOKS - 1);
    StreamGate again = new StreamGate(() -> {});
    out.writer.write(new StreamEnded(A), CONTEXT);
    out.writer.write(TestingStreamWriter.record(A, 1, again), CONTEXT);
    assertThat(again.hasLost()).as("it is left to the source again").isTrue();
    out.topics.refusals.clear();
    look(1);
    StreamGate back = new StreamGate(() -> {});
    out.writer.write(TestingStreamWriter.record(A, 1, back), CONTEXT);
    assertThat(back.hasLost()).isFalse();
    assertThat(out.streams()).containsExactly("stream.a", "stream.a");
    assertThat(out.failures()).isEmpty();
  }

  @Test
  void aTopicThatStaysAwayFailsItsRunThoughTheSourceEmitsAgain() throws Exception {
    out.topics.refusals.put(A, "topic stream.a does not exist");
    StreamGate gate = new StreamGate(() -> {});
    out.writer.write(TestingStreamWriter.record(A, 1, gate), CONTEXT);
    assertThat(gate.hasLost()).isTrue();
    look(TopicWatch.LOOKS);
    out.writer.flush(false);
    assertThat(out.streams()).isEmpty();
    assertThat(out.failures()).isEqualTo(Map.of("a-1", "topic stream.a does not exist"));
  }

  @Test
  void aRunWithoutTopicFailsAlone() throws Exception {
    out.topics.refusals.put(A, "topic stream.a does not exist");
    out.write(A, 1);
    out.write(B, 2);
    out.write(A, 3);
    out.writer.flush(false);
    assertThat(out.streams()).containsExactly("stream.b");
    assertThat(out.failures()).isEqualTo(Map.of("a-1", "topic stream.a does not exist"));
  }

  @Test
  void aTopicThatTheBrokerHasNotHeardOfYetIsLookedAtAgain() throws Exception {
    out.topics.once = true;
    out.topics.refusals.put(A, "topic stream.a does not exist");
    out.write(A, 1);
    out.producer.refusals = 1;
    out.topics.refusals.put(A, "topic stream.a does not exist");
    out.write(A, 2);
    out.writer.flush(false);
    assertThat(out.streams()).containsExactly("stream.a", "stream.a");
    assertThat(out.failures()).isEmpty();
  }

  @Test
  void leadersAreAwaitedBeforeTheFirstRecordOfATopic() throws Exception {
    out.write(A, 1);
    out.write(B, 2);
    out.write(A, 3);
    assertThat(out.topics.awaited).containsExactly("stream.a", "stream.b");
  }

  @Test
  void nobodyAwaitsTheLeadersOfATopicThatIsNotThere() throws Exception {
    out.topics.refusals.put(A, "topic stream.a does not exist");
    out.write(A, 1);
    assertThat(out.topics.awaited).isEmpty();
  }

  @Test
  void aRunWhoseTopicIsDeletedWhileItIsWrittenFailsAlone() throws Exception {
    out.write(A, 1);
    out.write(B, 2);
    out.topics.refusals.put(A, "topic stream.a does not exist");
    out.producer.errorNext(new TimeoutException("expired"));
    out.writer.flush(false);
    out.write(B, 3);
    out.write(A, 4);
    out.producer.completeNext();
    assertThat(out.streams()).containsExactly("stream.a", "stream.b", "stream.b");
    assertThat(out.failures()).isEqualTo(Map.of("a-1", "topic stream.a does not exist"));

    out.write(B, 5);
    out.topics.refusals.put(B, "topic stream.b does not exist");
    out.producer.errorNext(new UnknownTopicOrPartitionException("b is gone"));
    out.writer.flush(false);
    out.write(B, 6);
    assertThat(out.streams()).hasSize(4);
    assertThat(out.failures()).containsEntry("b-1", "topic stream.b does not exist");
  }

  @Test
  void oneWrongAnswerAfterAnOutageFailsNoRunForGood() throws Exception {
    for (RuntimeException error :
        List.of(
            new TimeoutException("expired"), new UnknownTopicOrPartitionException("not known"))) {
      try (TestingStreamWriter restarting = new TestingStreamWriter()) {
        restarting.write(A, 1);
        restarting.topics.once = true;
        restarting.topics.refusals.put(A, "topic stream.a does not exist");
        restarting.producer.errorNext(error);
        assertThatThrownBy(() -> restarting.writer.flush(false))
            .as("the record is written again by the task that restarts")
            .isInstanceOf(IOException.class)
            .hasMessage("cannot write the stream: " + error.getMessage());
        assertThat(restarting.failures()).isEmpty();
      }
    }
  }

  @Test
  void aTimestampThatATopicRefusesFailsItsRunAlone() throws Exception {
    out.write(A, 1);
    out.write(B, 2);
    out.producer.errorNext(new InvalidTimestampException("1 is too old"));
    out.producer.completeNext();
    out.writer.flush(false);
    assertThat(out.failures()).isEqualTo(Map.of("a-1", "topic stream.a: 1 is too old"));
  }

  @Test
  void aTopicThatIsGoneIsNoticedWithoutWaitingForARecordToTimeOut() throws Exception {
    out.write(A, 1);
    out.write(B, 2);
    out.topics.refusals.put(A, "topic stream.a has another id");
    look(TopicWatch.LOOKS - 1);
    out.write(A, 3);
    assertThat(out.failures()).as("a broker may be wrong for a while").isEmpty();
    look(1);
    out.write(A, 4);
    out.write(B, 5);
    assertThat(out.streams()).containsExactly("stream.a", "stream.b", "stream.a", "stream.b");
    assertThat(out.failures()).isEqualTo(Map.of("a-1", "topic stream.a has another id"));
  }

  @Test
  void recordsOfATopicThatIsGoneHoldNoCheckpointBack() throws Exception {
    out.write(A, 1);
    out.write(B, 2);
    out.producer.completeNext();
    out.producer.stuck = "stream.b";
    out.topics.refusals.put(B, "topic stream.b does not exist");
    look(TopicWatch.LOOKS);
    out.writer.flush(false);
    assertThat(out.producer.flushed()).isFalse();
    assertThat(out.failures()).isEqualTo(Map.of("b-1", "topic stream.b does not exist"));
  }

  @Test
  void aTopicThatComesBackIsNotGone() throws Exception {
    out.write(A, 1);
    for (int times = 0; times < 3; times++) {
      out.topics.refusals.put(A, "topic stream.a does not exist");
      look(TopicWatch.LOOKS - 1);
      out.topics.refusals.clear();
      look(1);
    }
    out.write(A, 2);
    assertThat(out.failures()).isEmpty();
  }

  @Test
  void aTopicIsNotLookedAtOnceItsRunHasEnded() throws Exception {
    out.write(A, 1);
    out.writer.write(new StreamEnded(A), CONTEXT);
    out.topics.refusals.put(A, "topic stream.a does not exist");
    look(TopicWatch.LOOKS);
    out.writer.flush(false);
    assertThat(out.failures()).isEmpty();
  }

  @Test
  void aRecordThatIsNotTakenBecauseItsTopicIsGoneHoldsNothingUp() throws Exception {
    out.write(A, 1);
    out.producer.refusals = 3;
    out.producer.onRefusal =
        () -> out.topics.refusals.put(out.producer.refusals == 0 ? A : B, "topic does not exist");
    out.write(A, 2);
    out.write(A, 3);
    out.writer.flush(false);
    assertThat(out.streams()).containsExactly("stream.a");
    assertThat(out.failures()).isEqualTo(Map.of("a-1", "topic does not exist"));
  }
}
