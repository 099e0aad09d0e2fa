package io.sluice.client.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.run.WaitCause;
import io.sluice.schema.ControlRecord;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a batch that is not there waits for. Each poll that finds nothing takes 0.1 s. */
final class StreamReaderWaitsTest {
  private static final String TOPIC = TestingReaders.STREAM;
  private static final Duration WAIT = Duration.ofSeconds(60);

  private final TestingStream written = new TestingStream(4, 8, 8, 3);
  private final TestingConsumer<ByteBuffer> topic = TestingConsumer.ofViews(5);

  StreamReaderWaitsTest() {
    topic.create(TOPIC, 4);
  }

  @Test
  void aBatchWithoutAGrantWaitsForThat() {
    StreamReader stream = open(TestingReaders.log(Stream.of(started()).toList()));
    pollsInVain(3);
    topic.beforePoll(() -> write(0, 8));
    assertThat(waited(stream)).isEqualTo(Map.of(WaitCause.GRANT, 300L));
  }

  @Test
  void oneThatIsGrantedWaitsForTheServiceToWriteIt() {
    StreamReader stream = open(granted());
    pollsInVain(2);
    topic.beforePoll(() -> write(0, 8));
    assertThat(waited(stream)).isEqualTo(Map.of(WaitCause.EMISSION, 200L));
  }

  @Test
  void oneThatTheBrokerHasIsOnItsWay() {
    StreamReader stream = open(granted());
    write(0, 7);
    topic.beforePoll(() -> {});
    pollsInVain(2);
    topic.beforePoll(() -> write(7, 8));
    stream.awaited(true);
    stream.next(WAIT);
    Map<WaitCause, Long> nanos = stream.takeMarks().between(0, topic.nanoTime());
    // Two polls found seven sequences, in a nanosecond each.
    assertThat(nanos).containsEntry(WaitCause.NETWORK, 2L);
    assertThat(nanos.keySet()).containsExactly(WaitCause.EMISSION, WaitCause.NETWORK);
  }

  @Test
  void whatIsNotAnsweredWaitsForTheBroker() {
    TestingConsumer<byte[]> control = granted();
    StreamReader stream = open(control);
    control.deafen();
    pollsInVain(4);
    topic.beforePoll(control::hear);
    pollsInVain(9);
    topic.beforePoll(() -> write(0, 8));
    Map<WaitCause, Long> waited = waited(stream);
    assertThat(waited.keySet()).containsExactly(WaitCause.EMISSION, WaitCause.BROKER);
    assertThat(waited).containsEntry(WaitCause.BROKER, 700L);
  }

  @Test
  void aGrantIsSoonNoticedWhereTheLoopStandsStill() {
    assertThat(emissionAfterAGrant(true))
        .isEqualTo(Map.of(WaitCause.GRANT, 100L, WaitCause.EMISSION, 900L));
  }

  @Test
  void whoReadsAheadDoesNotAskForIt() {
    assertThat(emissionAfterAGrant(false)).isEqualTo(Map.of(WaitCause.GRANT, 1000L));
  }

  private Map<WaitCause, Long> emissionAfterAGrant(boolean awaited) {
    TestingConsumer<byte[]> control = TestingReaders.log(Stream.of(started()).toList());
    StreamReader stream = open(control);
    topic.beforePoll(() -> TestingReaders.append(control, grant()));
    pollsInVain(9);
    topic.beforePoll(() -> write(0, 8));
    return waited(stream, awaited);
  }

  private Map<WaitCause, Long> waited(StreamReader stream) {
    return waited(stream, true);
  }

  /** Milliseconds that the first batch takes, by cause; a poll that finds something takes none. */
  private Map<WaitCause, Long> waited(StreamReader stream, boolean awaited) {
    stream.awaited(awaited);
    assertThat(stream.next(WAIT).batch()).isEqualTo(1);
    Map<WaitCause, Long> nanos = stream.takeMarks().between(0, topic.nanoTime());
    nanos.replaceAll((cause, time) -> TimeUnit.NANOSECONDS.toMillis(time));
    nanos.values().removeIf(millis -> millis == 0);
    return nanos;
  }

  private void pollsInVain(int times) {
    for (int polls = 0; polls < times; polls++) {
      topic.beforePoll(() -> {});
    }
  }

  private ControlRecord started() {
    return TestingLog.started(written.run());
  }

  private static ControlRecord grant() {
    return TestingLog.grant("r-1", 1, 0, 0, 3);
  }

  private TestingConsumer<byte[]> granted() {
    return TestingReaders.log(Stream.of(started(), grant()).toList());
  }

  private StreamReader open(TestingConsumer<byte[]> control) {
    return TestingReaders.open(written.run(), TOPIC, topic, control, StreamOptions.defaults());
  }

  private void write(int from, int to) {
    for (int i = from; i < to; i++) {
      topic.append(TOPIC, written.sequence(i));
    }
  }
}
