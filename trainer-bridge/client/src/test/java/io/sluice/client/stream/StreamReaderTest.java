package io.sluice.client.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.client.error.BatchNoLongerRetainedException;
import io.sluice.client.error.RunEndedException;
import io.sluice.client.error.StreamCorruptException;
import io.sluice.client.error.StreamGapException;
import io.sluice.client.error.StreamMissingException;
import io.sluice.client.error.StreamStalledException;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.StreamState;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.RunSpec;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StreamReaderTest {
  private static final String TOPIC = "sluice.stream.r";
  private static final String CONTROL = TestingReaders.CONTROL;
  private static final Duration WAIT = Duration.ofSeconds(20);

  private final TestingStream written = new TestingStream(4, 8, 8, 3, 8, 2, 8);
  private final TestingConsumer<ByteBuffer> topic = TestingConsumer.ofViews(5);
  private final TestingConsumer<byte[]> control = TestingConsumer.of(100);

  StreamReaderTest() {
    topic.create(TOPIC, 4);
    control.create(CONTROL, 1);
    log(TestingLog.started(written.run()));
  }

  @Test
  void handsOutEveryBatchInOrder() {
    write(0, 37);
    try (StreamReader stream = open(StreamOptions.defaults())) {
      assertThat(batches(stream, 6)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
      assertThat(stream.state()).isEqualTo(new StreamState("r-1", 0, 6, 37));
    }
    assertThat(topic.wasClosed()).isTrue();
  }

  @Test
  void handsOutEveryBatchWhenNothingMayBeBuffered() {
    for (int p = 0; p < 4; p++) {
      written.of(p).forEach(sequence -> topic.append(TOPIC, sequence));
    }
    StreamReader stream = open(StreamOptions.defaults().withBufferBytes(0));
    assertThat(batches(stream, 6)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
  }

  @Test
  void takesNoRecordOfAnotherRunOfItsName() {
    TestingStream own = new TestingStream("r-2", 2, 4, 8, 8);
    TestingStream other = new TestingStream("r-3", 2, 4, 8, 8);
    own.sequences().subList(0, 8).forEach(each -> topic.append(TOPIC, each));
    log(TestingLog.started(own.run(), 2));
    try (StreamReader stream = stream(own.run(), topic, StreamOptions.defaults())) {
      assertThat(stream.next(WAIT).batch()).isEqualTo(1);
      other.sequences().forEach(each -> topic.append(TOPIC, each));
      assertThatThrownBy(() -> stream.next(WAIT))
          .isInstanceOf(StreamCorruptException.class)
          .hasMessageContaining("sequence 8: the chain hash is");
    }
  }

  @Test
  void takesNotEvenTheFirstRecordOfAnotherRunOfItsName() {
    TestingStream other = new TestingStream("r-3", 2, 4, 8, 8);
    other.sequences().forEach(each -> topic.append(TOPIC, each));
    RunInfo own = new RunInfo("r-2", other.run().spec());
    log(TestingLog.started(own, 2));
    try (StreamReader stream = stream(own, topic, StreamOptions.defaults())) {
      assertThatThrownBy(() -> stream.next(WAIT))
          .isInstanceOf(StreamCorruptException.class)
          .hasMessageContaining("sequence 0: the chain hash is");
    }
  }

  @Test
  void refusesARunOfAPlanThatItDoesNotKnow() {
    RunInfo later = new RunInfo("r-2", written.run().spec());
    log(TestingLog.started(later, 99));
    assertThatThrownBy(() -> stream(later, topic, StreamOptions.defaults()))
        .isInstanceOf(StreamCorruptException.class)
        .hasMessage("control log of run r-2: plan version must be in [1, 2]: 99");
  }

  @Test
  void goesToABatchAndToAState() {
    write(0, 37);
    StreamReader stream = open(StreamOptions.defaults());
    batches(stream, 2);
    StreamState state = stream.state();
    List<Long> rest = batches(stream, 4);

    stream.seekToBatch(5);
    GlobalBatch fifth = stream.next(WAIT);
    assertThat(fifth.batch()).isEqualTo(5);
    assertThat(fifth.firstIndex()).isEqualTo(27);
    stream.seek(state);
    assertThat(batches(stream, 4)).isEqualTo(rest);
    assertThatThrownBy(() -> stream.seek(StreamState.start("r-9")))
        .hasMessage(
            "the state is of run r-9, this stream is of run r-1: open the run that the checkpoint was"
                + " trained on");
    assertThatThrownBy(() -> stream.seekToBatch(0))
        .hasMessage("batch must be at least 1, the first of run r-1: 0");
  }

  @Test
  void waitsForABatchThatNobodyWroteYet() {
    write(0, 20);
    StreamReader stream = open(StreamOptions.defaults());
    stream.seekToBatch(5);
    write(20, 37);
    assertThat(batches(stream, 2)).containsExactly(5L, 6L);
  }

  @Test
  void saysThatTheAwaitedBatchIsNotGrantedYet() {
    write(0, 16);
    log(TestingLog.grant("r-1", 1, 0, 0, 2));
    StreamReader stream = open(StreamOptions.defaults());
    batches(stream, 2);
    assertThatThrownBy(() -> stream.next(WAIT))
        .isInstanceOfSatisfying(
            StreamStalledException.class, stalled -> assertThat(stalled.batch()).isEqualTo(3))
        .hasMessage(
            "batch 3 did not come within 20 s: sequence 16 of stream partition 0 is awaited;"
                + " batch 3 is not granted yet: the last grant ends at batch 2");

    log(TestingLog.grant("r-1", 2, 1, 2, 4));
    write(16, 18);
    assertThatThrownBy(() -> stream.next(WAIT))
        .hasMessageEndingWith("batch 3 is granted (to 4) but not all of it was emitted");
    write(18, 19);
    assertThat(stream.next(WAIT).batch()).isEqualTo(3);
  }

  @Test
  void endsWithTheRunWhenItsLogAndItsStreamAreDeleted() {
    control.create(CONTROL + ".r-1", 1);
    control.append(
        CONTROL + ".r-1",
        0,
        0,
        WireCodec.encode(TestingLog.started(written.run())),
        new RecordHeaders());
    write(0, 10);
    StreamReader stream = open(StreamOptions.defaults());
    assertThat(batches(stream, 1)).containsExactly(1L);
    topic.delete(TOPIC);
    control.delete(CONTROL + ".r-1");
    assertThatThrownBy(() -> stream.next(WAIT))
        .isInstanceOf(RunEndedException.class)
        .hasMessage(
            "run r-1 is deleted (its control log is gone): batch 1 was the last one handed out");
  }

  @Test
  void endsOnlyAfterReadingWhatAnEndedRunHasLeft() {
    StreamReader stream = open(StreamOptions.defaults());
    log(TestingLog.state("r-1", 1, 0, "failed", "stream topic was deleted"));
    write(0, 10);
    assertThat(stream.next(WAIT).batch()).isEqualTo(1);
    assertThatThrownBy(() -> stream.next(WAIT))
        .isInstanceOfSatisfying(
            RunEndedException.class,
            ended -> {
              assertThat(ended.state()).isEqualTo("failed");
              assertThat(ended.lastBatch()).isEqualTo(1);
            })
        .hasMessage(
            "run r-1 is failed (stream topic was deleted): batch 1 was the last one handed out");
    assertThat(topic.nanoTime()).isLessThan(Duration.ofSeconds(6).toNanos());
  }

  @Test
  void endsAtOnceAfterTheLastBatchOfTheSpecification() {
    write(0, 37);
    RunInfo bounded =
        new RunInfo("r-1", RunSpec.newBuilder(written.run().spec()).setBatches(6).build());
    StreamReader stream =
        TestingReaders.open(
            bounded,
            TOPIC,
            topic,
            TestingReaders.log(List.of(TestingLog.started(bounded))),
            StreamOptions.defaults());
    batches(stream, 6);
    long before = topic.nanoTime();
    assertThatThrownBy(() -> stream.next(WAIT))
        .isInstanceOf(RunEndedException.class)
        .hasMessage("run r-1 is completed (6 batches): batch 6 was the last one handed out");
    assertThat(topic.nanoTime()).isEqualTo(before);
  }

  @Test
  void reportsAHoleThatStays() {
    write(0, 5);
    write(6, 37);
    StreamReader stream = open(StreamOptions.defaults().withGapTimeout(Duration.ofSeconds(7)));
    assertThatThrownBy(() -> stream.next(WAIT))
        .isInstanceOf(StreamGapException.class)
        .hasMessageStartingWith("sequence 5 is missing from stream partition 1: later ones, up to");
  }

  @Test
  void goesOnOnceWhatItsBrokersHaveLostComesAgain() {
    write(0, 27);
    StreamReader stream = open(StreamOptions.defaults());
    batches(stream, 2);
    stream.follow();
    topic.cut(TOPIC, 1, 3);
    topic.cut(TOPIC, 2, 2);
    topic.beforePoll(() -> write(8, 37));
    assertThat(batches(stream, 4)).containsExactly(3L, 4L, 5L, 6L);
  }

  @Test
  void looksAgainBeforeItReportsAHole() {
    write(0, 5);
    write(6, 37);
    StreamReader stream = open(StreamOptions.defaults().withGapTimeout(Duration.ofSeconds(7)));
    topic.cut(TOPIC, 1, 1);
    for (int polls = 0; polls < 20; polls++) {
      topic.beforePoll(() -> {});
    }
    topic.beforePoll(
        () -> {
          topic.cut(TOPIC, 1, 0);
          written.of(1).forEach(sequence -> topic.append(TOPIC, sequence));
        });
    topic.cut(TOPIC, 1, 1);
    written.of(1).stream().skip(2).forEach(sequence -> topic.append(TOPIC, sequence));
    assertThat(batches(stream, 6)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    assertThat(topic.nanoTime()).isLessThan(Duration.ofSeconds(7).toNanos());
  }

  @Test
  void namesTheOldestBatchThatIsLeft() {
    write(0, 37);
    topic.trim(TOPIC, 0, 3);
    topic.trim(TOPIC, 1, 3);
    topic.trim(TOPIC, 2, 4);
    topic.trim(TOPIC, 3, 4);
    StreamReader stream = open(StreamOptions.defaults());
    assertThatThrownBy(() -> stream.next(WAIT))
        .isInstanceOf(BatchNoLongerRetainedException.class)
        .hasMessage(
            "batch 1 is no longer retained in "
                + TOPIC
                + ": the oldest batch left is 4; resume from a later checkpoint, or keep the stream"
                + " for longer");
    stream.seekToBatch(4);
    assertThat(stream.next(WAIT).batch()).isEqualTo(4);
  }

  @Test
  void noticesThatRecordsWereRemovedWhileItWasReading() {
    write(0, 37);
    StreamReader stream = open(StreamOptions.defaults());
    trim(5);
    assertThatThrownBy(() -> stream.next(WAIT))
        .isInstanceOf(BatchNoLongerRetainedException.class)
        .hasMessageContaining("the oldest batch left is 5;");
  }

  @Test
  void findsTheOldestBatchWhileMoreIsRemoved() {
    write(0, 37);
    StreamReader stream = open(StreamOptions.defaults());
    trim(3);
    topic.beforePoll(() -> {});
    topic.beforePoll(() -> {});
    topic.beforePoll(() -> trim(5));
    assertThatThrownBy(() -> stream.next(WAIT))
        .isInstanceOf(BatchNoLongerRetainedException.class)
        .hasMessageContaining("the oldest batch left is 5;");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3})
  void goesOnWhereWhatItNeedsIsLeft(int unanswered) {
    write(0, 19);
    write(0, 37);
    StreamReader stream = open(StreamOptions.defaults());
    assertThat(batches(stream, 3)).containsExactly(1L, 2L, 3L);
    // The second copies of what it has already; it has not come to them yet.
    for (int p = 0; p < 4; p++) {
      topic.trim(TOPIC, p, p < 3 ? 9 : 8);
    }
    topic.doNotAnswer(unanswered);
    assertThat(batches(stream, 3)).containsExactly(4L, 5L, 6L);
  }

  @Test
  void noticesThatRecordsAreRemovedWhileItLooksThemUp() {
    write(0, 37);
    topic.afterLookUp(() -> trim(3));
    StreamReader stream = open(StreamOptions.defaults());
    assertThatThrownBy(() -> stream.next(WAIT))
        .isInstanceOf(BatchNoLongerRetainedException.class)
        .hasMessageContaining("the oldest batch left is 3;");
  }

  @Test
  void saysThatNothingIsLeft() {
    write(0, 37);
    trim(10);
    log(TestingLog.grant("r-1", 1, 0, 0, 6));
    StreamReader stream = open(StreamOptions.defaults());
    assertThatThrownBy(() -> stream.next(WAIT))
        .isInstanceOf(StreamStalledException.class)
        .hasMessageEndingWith(
            "not all of it was emitted; "
                + TOPIC
                + " has no record left, so the batch may have been removed from it");
    log(TestingLog.state("r-1", 2, 1, "failed", "by hand"));
    assertThatThrownBy(() -> stream.next(WAIT))
        .isInstanceOfSatisfying(
            BatchNoLongerRetainedException.class, gone -> assertThat(gone.oldest()).isZero())
        .hasMessageContaining("no batch is left;");
  }

  private void trim(long offset) {
    for (int p = 0; p < 4; p++) {
      topic.trim(TOPIC, p, Math.min(offset, written.of(p).size()));
    }
  }

  @Test
  void refusesATopicOfAnotherShape() {
    TestingConsumer<ByteBuffer> other = TestingConsumer.ofViews(5);
    other.create(TOPIC, 3);
    assertThatThrownBy(() -> stream(written.run(), other, StreamOptions.defaults()))
        .isInstanceOf(StreamMissingException.class)
        .hasMessage(
            "stream topic "
                + TOPIC
                + " has 3 partitions instead of the run's 4: was the run deleted?");
    assertThat(other.wasClosed()).isTrue();
  }

  @Test
  void refusesARecordWithoutItsHeader() {
    topic.append(TOPIC, 2, 1, new byte[] {1}, new RecordHeaders());
    StreamReader stream = open(StreamOptions.defaults());
    assertThatThrownBy(() -> stream.next(WAIT))
        .isInstanceOf(StreamCorruptException.class)
        .hasMessage("stream partition 2, offset 0: the record has no header 'sluice'");
  }

  private StreamReader open(StreamOptions options) {
    return stream(written.run(), topic, options);
  }

  private StreamReader stream(
      RunInfo run, TestingConsumer<ByteBuffer> consumer, StreamOptions options) {
    return TestingReaders.open(run, TOPIC, consumer, control, options);
  }

  private void log(ControlRecord message) {
    control.append(CONTROL, 0, 0, WireCodec.encode(message), new RecordHeaders());
  }

  private void write(int from, int to) {
    for (int i = from; i < to; i++) {
      topic.append(TOPIC, written.sequence(i));
    }
  }

  private static List<Long> batches(StreamReader stream, int count) {
    List<Long> numbers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      numbers.add(stream.next(WAIT).batch());
    }
    return numbers;
  }
}
