package io.sluice.jobs.mix.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.jobs.mix.fetch.TestingTopics;
import io.sluice.jobs.mix.mark.WrittenStreams;
import io.sluice.jobs.mix.source.TestingRun;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.split.StreamReach;
import io.sluice.jobs.mix.stream.StreamGate;
import io.sluice.jobs.mix.stream.TestingDelivery;
import io.sluice.schema.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** What is asked of the brokers, and what follows from their answers. */
final class StreamCheckTest {
  private static final Topics NAMES = Topics.standard();

  private final TestingTopics topics = new TestingTopics();
  private final TestingStreams streams = new TestingStreams(topics);
  private final List<StreamCheck.Finding> inbox = new ArrayList<>();
  private final StreamCheck check = streams.check(inbox::add);
  private final TestingRun run = new TestingRun("a", 1);

  private static TopicPartition partition(int number) {
    return new TopicPartition(NAMES.stream("a"), number);
  }

  private void ends(long end, long epoch) {
    for (int p = 0; p < TestingRun.PARTITIONS; p++) {
      streams.end(partition(p), end, epoch);
    }
  }

  /** A split that has written nothing that is known of. */
  private StreamGate begun() {
    return add(run.split());
  }

  /** A split of a checkpoint: each partition held so many records, under a leader's epoch. */
  private StreamGate restored(long end, long epoch) {
    long[] ends = {end, end, end};
    return add(run.split().reaching(new StreamReach(ends, new long[] {epoch, epoch, epoch})));
  }

  private StreamGate add(MixSplit split) {
    StreamGate gate =
        new StreamGate(() -> {}, split.reach(), TestingRun.PARTITIONS, split.reach().isAny());
    check.add(split, gate, false);
    return gate;
  }

  /** A split that has lost something for sure. */
  private StreamGate cut(MixSplit split) {
    StreamGate gate = new StreamGate(() -> {}, StreamReach.none(), TestingRun.PARTITIONS, true);
    check.add(split, gate, true);
    return gate;
  }

  private List<StreamCheck.Finding> messages() {
    List<StreamCheck.Finding> all = List.copyOf(inbox);
    inbox.clear();
    return all;
  }

  @Test
  void aSplitWithoutPastWaitsForNothing() {
    StreamGate gate = begun();
    assertThat(gate.isOpen(1)).isTrue();
    ends(10, 4);
    check.step();
    assertThat(gate.reach().ends()).as("what was there before it").containsExactly(10, 10, 10);
    assertThat(gate.reach().epochs()).containsExactly(4, 4, 4);
    assertThat(streams.doubted()).isEqualTo(0);
  }

  @Test
  void nothingPassesBeforeTheStreamIsKnownToBeWhole() {
    StreamGate gate = restored(10, 4);
    assertThat(gate.isOpen(1)).isFalse();
    assertThat(gate.isDelivered()).isFalse();
    check.step();
    assertThat(gate.isOpen(1)).as("no answer yet").isFalse();
    ends(10, 4);
    check.step();
    assertThat(gate.isOpen(1)).isTrue();
    assertThat(gate.isDelivered()).isTrue();
    assertThat(streams.doubted()).as("the same leader").isZero();
    assertThat(messages()).isEmpty();
  }

  @Test
  void anotherLeaderIsAskedOnceAndNothingIsSought() {
    ends(10, 4);
    ends(12, 6);
    StreamGate gate = restored(10, 4);
    check.step();
    assertThat(gate.isOpen(1)).isTrue();
    assertThat(gate.reach().epochs()).containsExactly(6, 6, 6);
    assertThat(streams.asked).hasValue(1);
    assertThat(streams.doubted()).isEqualTo(1);
    assertThat(messages()).isEmpty();
    TestingDelivery.acknowledged(gate, 1, 12);
    streams.end(partition(1), 13, 7);
    check.step();
    assertThat(gate.hasLost()).as("a change of leader that loses nothing").isFalse();
    assertThat(streams.doubted()).isEqualTo(1);
  }

  @Test
  void whatABrokerHasLostIsSoughtFromItsEnd() {
    streams.start(run);
    ends(10, 4);
    ends(3, 6);
    StreamGate gate = restored(10, 4);
    check.step();
    assertThat(gate.isOpen(1)).isFalse();
    assertThatItBegins();
  }

  @Test
  void whatWasLostIsNoticedAlsoWhenOthersHaveWrittenSince() {
    streams.start(run);
    ends(10, 4);
    ends(3, 6);
    ends(50, 6);
    StreamGate gate = restored(10, 4);
    check.step();
    assertThat(gate.isOpen(1)).isFalse();
    assertThatItBegins();
  }

  @Test
  void aRunWhoseLogDoesNotSayHowItBeginsFails() {
    topics.create(NAMES.control());
    ends(3, 6);
    restored(10, 4);
    check.step();
    assertThat(messages())
        .singleElement()
        .isEqualTo(
            new StreamCheck.Unplaced(
                "a.1/0",
                "its stream has lost records, and control log "
                    + NAMES.control()
                    + "-0 does not say how it begins"));
  }

  @Test
  void aRunWhoseLogIsGoneFailsAfterAWhileAndHoldsUpNobody() {
    MixSplit split = run.split();
    MixSplit gone =
        new MixSplit(split.runId(), 0, MixSplit.OWN_LOG, split.layout(), split.cursor());
    streams.ends.delete(NAMES.control("a.1"));
    cut(gone);
    TestingRun other = new TestingRun("b", 1);
    streams.start(other);
    StreamGate placed = cut(other.split());
    check.step();
    assertThat(messages())
        .singleElement()
        .isInstanceOfSatisfying(
            StreamCheck.Placed.class,
            found -> assertThat(found.place().splitId()).isEqualTo("b.1/0"));
    check.remove(placed);
    check.step();
    assertThat(messages()).as("a broker may not know a topic for a moment").isEmpty();
    streams.nanos.addAndGet(WrittenStreams.UNSURE.toNanos());
    check.step();
    assertThat(messages())
        .singleElement()
        .isInstanceOfSatisfying(
            StreamCheck.Unplaced.class,
            unplaced -> assertThat(unplaced.splitId()).isEqualTo("a.1/0"));
  }

  @Test
  void aRunWhoseLogDoesNotAnswerWaitsAndHoldsUpNobody() {
    MixSplit split = run.split();
    streams.ends.silence(NAMES.control("a.1"));
    cut(new MixSplit(split.runId(), 0, MixSplit.OWN_LOG, split.layout(), split.cursor()));
    TestingRun other = new TestingRun("b", 1);
    streams.start(other);
    StreamGate placed = cut(other.split());
    check.step();
    assertThat(messages()).extracting(StreamCheck.Finding::splitId).containsExactly("b.1/0");
    check.remove(placed);
    for (int i = 0; i < 3; i++) {
      streams.nanos.addAndGet(10 * WrittenStreams.UNSURE.toNanos());
      check.step();
      assertThat(messages()).as("it is not gone").isEmpty();
    }
    streams.ends.hear();
    streams.nanos.addAndGet(WrittenStreams.UNSURE.toNanos());
    check.step();
    assertThat(messages())
        .as("its log answers, and is empty")
        .singleElement()
        .isInstanceOf(StreamCheck.Unplaced.class);
  }

  @Test
  void anErrorEndsTheThreadAndTheReaderIsTold() {
    restored(10, 4);
    streams.breakDown(new AssertionError("broken"));
    assertThatThrownBy(check::run).isInstanceOf(AssertionError.class);
    assertThat(messages())
        .singleElement()
        .isInstanceOfSatisfying(
            StreamCheck.Broken.class,
            broken -> assertThat(broken.error()).hasMessageContaining("broken"));
  }

  @Test
  void whereARunBeginsIsReadUpToTheEndThatWasTold() {
    streams.start(run);
    topics.mute(NAMES.control());
    cut(run.split());
    check.step();
    assertThatItBegins();
  }

  @Test
  void aLogWhoseRecordsDoNotComeHoldsUpItsRunAlone() {
    MixSplit split = run.split();
    String silent = NAMES.control("a.1");
    topics.append(silent, 5, 0, new byte[1]);
    topics.swallow(silent, () -> streams.nanos.addAndGet(Duration.ofSeconds(7).toNanos()));
    cut(new MixSplit(split.runId(), 0, MixSplit.OWN_LOG, split.layout(), split.cursor()));
    TestingRun other = new TestingRun("b", 1);
    streams.start(other);
    cut(other.split());
    check.step();
    assertThat(messages()).extracting(StreamCheck.Finding::splitId).containsExactly("b.1/0");
  }

  @Test
  void aSplitOfWhichSomethingIsLostForSureIsSoughtUnasked() {
    streams.start(run);
    cut(run.split());
    check.step();
    assertThatItBegins();
    assertThat(streams.asked).hasValue(0);
  }

  @Test
  void anEndBelowWhatWasAcknowledgedIsALoss() {
    StreamGate gate = begun();
    ends(0, 4);
    check.step();
    TestingDelivery.acknowledged(gate, 2, 0);
    TestingDelivery.acknowledged(gate, 2, 1);
    streams.end(partition(2), 2, 4);
    check.step();
    assertThat(gate.hasLost()).isFalse();
    streams.end(partition(2), 1, 5);
    check.step();
    assertThat(gate.hasLost()).isTrue();
    assertThat(gate.isDelivered()).isFalse();
  }

  @Test
  void aRecordBelowWhatWasAcknowledgedIsALoss() {
    StreamGate gate = begun();
    TestingDelivery.acknowledged(gate, 0, 7);
    TestingDelivery.acknowledged(gate, 0, 8);
    TestingDelivery.acknowledged(gate, 0, -1);
    TestingDelivery.acknowledged(gate, 1, 3);
    assertThat(gate.hasLost()).isFalse();
    TestingDelivery.acknowledged(gate, 0, 8);
    assertThat(gate.hasLost()).isTrue();
  }

  @Test
  void aSplitThatHasEmittedAllIsLookedAtUntilThatIsFlushed() {
    StreamGate gate = begun();
    ends(0, 4);
    check.step();
    TestingDelivery.acknowledged(gate, 0, 0);
    streams.end(partition(0), 1, 4);
    check.finished(gate);
    check.step();
    ends(0, 5);
    check.step();
    check.step();
    assertThat(messages()).containsExactly(new StreamCheck.Unfinished("a.1/0"));
    assertThat(streams.asked).hasValue(3);
  }

  @Test
  void whatIsFlushedIsNotAskedFor() {
    StreamGate gate = begun();
    ends(0, 4);
    check.step();
    TestingDelivery.acknowledged(gate, 0, 0);
    streams.end(partition(0), 1, 4);
    check.step();
    streams.nanos.addAndGet(StreamCheck.UNFLUSHED.toNanos());
    check.step();
    check.step();
    assertThat(streams.asked).as("once more, as it is flushed by now").hasValue(3);
    TestingDelivery.acknowledged(gate, 0, 1);
    check.step();
    assertThat(streams.asked).hasValue(4);
  }

  @Test
  void aTopicThatIsGoneKeepsNobodyWaiting() {
    for (int p = 0; p < TestingRun.PARTITIONS; p++) {
      streams.delete(partition(p));
    }
    StreamGate gate = restored(10, 4);
    check.step();
    assertThat(gate.isOpen(1)).as("its writer says so").isTrue();
  }

  /** The split is told to begin, because nothing is in its stream. */
  private void assertThatItBegins() {
    assertThat(messages())
        .singleElement()
        .isInstanceOfSatisfying(
            StreamCheck.Placed.class,
            placed -> {
              assertThat(placed.place().splitId()).isEqualTo("a.1/0");
              assertThat(placed.place().cursor().batch()).isEqualTo(1);
              assertThat(placed.place().reach().isAny()).isFalse();
            });
  }
}
