package io.sluice.client.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.client.error.RunEndedException;
import io.sluice.client.error.StreamGapException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Brokers that give no answer for a while, or not to this consumer. */
final class StreamReaderOutageTest {
  private static final String TOPIC = TestingReaders.STREAM;
  private static final Duration WAIT = Duration.ofSeconds(60);

  private final TestingStream written = new TestingStream(4, 8, 8, 3, 8, 2, 8);
  private final TestingConsumer<ByteBuffer> topic = TestingConsumer.ofViews(5);
  private final TestingConsumer<byte[]> control =
      TestingReaders.log(List.of(TestingLog.started(written.run())));

  StreamReaderOutageTest() {
    topic.create(TOPIC, 4);
  }

  @Test
  void aConsumerThatHearsNothingOfWhatIsThereGivesWayToAnother() {
    write(0, 8);
    StreamReader stream = open(StreamOptions.defaults());
    assertThat(batches(stream, 1)).containsExactly(1L);
    topic.deafen();
    write(8, 37);
    assertThat(batches(stream, 5)).containsExactly(2L, 3L, 4L, 5L, 6L);
    assertThat(topic.wasClosed()).isTrue();
  }

  @Test
  void oneThatHearsNothingWhereNothingIsStays() {
    write(0, 8);
    StreamReader stream = open(StreamOptions.defaults());
    assertThat(batches(stream, 1)).containsExactly(1L);
    for (int polls = 0; polls < 300; polls++) {
      topic.beforePoll(() -> {});
    }
    topic.beforePoll(() -> write(8, 37));
    assertThat(batches(stream, 5)).containsExactly(2L, 3L, 4L, 5L, 6L);
    assertThat(topic.wasClosed()).isFalse();
  }

  @Test
  void oneThatNobodyAskedForLongIsGivenTimeToAnswer() {
    write(0, 37);
    StreamReader stream = open(StreamOptions.defaults());
    topic.pass(Duration.ofMinutes(1));
    topic.beforePoll(topic::deafen);
    topic.beforePoll(topic::hear);
    assertThat(batches(stream, 2)).containsExactly(1L, 2L);
    assertThat(topic.wasClosed()).isFalse();
  }

  @Test
  void timeInWhichKafkaIsAwayMakesNoGap() {
    write(0, 5);
    write(6, 37);
    StreamReader stream =
        open(
            StreamOptions.defaults()
                .withGapTimeout(Duration.ofSeconds(7))
                .withStatusInterval(Duration.ofSeconds(2)));
    control.deafen();
    for (int polls = 0; polls < 200; polls++) {
      topic.beforePoll(() -> {});
    }
    topic.beforePoll(control::hear);
    assertThatThrownBy(() -> stream.next(WAIT)).isInstanceOf(StreamGapException.class);
    assertThat(Duration.ofNanos(topic.nanoTime())).isGreaterThan(Duration.ofSeconds(24));
  }

  @Test
  void anEndedRunIsAtItsEndOnlyWhereItsStreamIsKnownToBe() {
    TestingReaders.append(control, TestingLog.state("r-1", 1, 0, "failed", "by hand"));
    write(0, 10);
    StreamReader stream = open(StreamOptions.defaults().withStatusInterval(Duration.ofSeconds(1)));
    assertThat(batches(stream, 1)).containsExactly(1L);
    topic.doNotAnswer(1);
    for (int polls = 0; polls < 15; polls++) {
      topic.beforePoll(() -> {});
    }
    topic.beforePoll(() -> write(10, 16));
    assertThat(batches(stream, 1)).containsExactly(2L);
    assertThatThrownBy(() -> stream.next(WAIT)).isInstanceOf(RunEndedException.class);
  }

  private StreamReader open(StreamOptions options) {
    return TestingReaders.open(written.run(), TOPIC, topic, control, options);
  }

  private void write(int from, int to) {
    for (int i = from; i < to; i++) {
      topic.append(TOPIC, written.sequence(i));
    }
  }

  private static List<Long> batches(StreamReader stream, int count) {
    return LongStream.range(0, count).mapToObj(i -> stream.next(WAIT).batch()).toList();
  }
}
