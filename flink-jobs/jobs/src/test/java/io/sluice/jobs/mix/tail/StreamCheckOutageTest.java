package io.sluice.jobs.mix.tail;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.jobs.mix.fetch.TestingTopics;
import io.sluice.jobs.mix.mark.WrittenStreams;
import io.sluice.jobs.mix.source.TestingRun;
import io.sluice.jobs.mix.stream.StreamGate;
import io.sluice.jobs.mix.stream.TestingDelivery;
import io.sluice.schema.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** A broker that comes back late, or does not know its topics at first, may have lost something. */
final class StreamCheckOutageTest {
  private static final Topics NAMES = Topics.standard();

  private final TestingStreams streams = new TestingStreams(new TestingTopics());
  private final List<StreamCheck.Finding> inbox = new ArrayList<>();
  private final StreamCheck check = streams.check(inbox::add);
  private final TestingRun run = new TestingRun("a", 1);
  private final StreamGate gate =
      new StreamGate(() -> {}, run.split().reach(), TestingRun.PARTITIONS, false);

  private static TopicPartition partition(int number) {
    return new TopicPartition(NAMES.stream("a"), number);
  }

  private void ends(long end, long epoch) {
    for (int p = 0; p < TestingRun.PARTITIONS; p++) {
      streams.end(partition(p), end, epoch);
    }
  }

  private void written() {
    check.add(run.split(), gate, false);
    ends(0, 4);
    check.step();
    TestingDelivery.acknowledged(gate, 0, 0);
    streams.end(partition(0), 1, 4);
    check.step();
  }

  /** Nobody answers for as long. */
  private void outage(Duration length) {
    streams.forget();
    for (long s = 0; s < length.toSeconds(); s++) {
      streams.nanos.addAndGet(Duration.ofSeconds(1).toNanos());
      check.step();
    }
  }

  @Test
  void whatIsLostInALongOutageIsNoticed() {
    written();
    outage(StreamCheck.UNFLUSHED.plusSeconds(60));
    ends(0, 5);
    check.step();
    assertThat(gate.isCut()).isTrue();
  }

  @Test
  void soItIsOfASplitThatHasEmittedAll() {
    written();
    check.finished(gate);
    outage(StreamCheck.UNFLUSHED.plusSeconds(60));
    ends(0, 5);
    check.step();
    check.step();
    assertThat(inbox).containsExactly(new StreamCheck.Unfinished("a.1/0"));
  }

  @Test
  void aBrokerThatDoesNotKnowATopicForAMomentEndsNoLook() {
    written();
    check.finished(gate);
    for (int p = 0; p < TestingRun.PARTITIONS; p++) {
      streams.delete(partition(p));
    }
    check.step();
    ends(0, 5);
    check.step();
    check.step();
    assertThat(inbox).containsExactly(new StreamCheck.Unfinished("a.1/0"));
  }

  @Test
  void aSplitThatHasEmittedAllIsLetGoOnceAnAnswerSaysThatItIsFlushed() {
    written();
    check.finished(gate);
    outage(StreamCheck.UNFLUSHED.plusSeconds(60));
    assertThat(inbox).as("nobody has said so").isEmpty();
    streams.end(partition(0), 1, 5);
    streams.end(partition(1), 0, 5);
    streams.end(partition(2), 0, 5);
    check.step();
    assertThat(inbox).containsExactly(new StreamCheck.Flushed("a.1/0"));
    int asked = streams.asked.get();
    check.step();
    assertThat(streams.asked).hasValue(asked);
  }

  @Test
  void aTopicThatStaysAwayIsNotWaitedFor() {
    written();
    check.finished(gate);
    for (int p = 0; p < TestingRun.PARTITIONS; p++) {
      streams.delete(partition(p));
    }
    streams.nanos.addAndGet(StreamCheck.UNFLUSHED.toNanos());
    check.step();
    assertThat(inbox).as("it may be there in a moment").isEmpty();
    streams.nanos.addAndGet(WrittenStreams.UNSURE.toNanos());
    check.step();
    assertThat(inbox).containsExactly(new StreamCheck.Flushed("a.1/0"));
  }
}
