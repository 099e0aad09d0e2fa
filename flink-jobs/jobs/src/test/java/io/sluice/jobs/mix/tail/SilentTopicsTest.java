package io.sluice.jobs.mix.tail;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.jobs.mix.fetch.TestingTopics;
import io.sluice.jobs.mix.mark.TestingMarks;
import io.sluice.jobs.mix.source.TestingRun;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.KafkaAccess;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A topic that is there and does not answer holds up its run, and no other. */
final class SilentTopicsTest {
  private static final Weights EVEN = Weights.uniform(2);

  private long nanos;
  private final TestingTopics topics = new TestingTopics();
  private final TestingTopicEnds ends = new TestingTopicEnds(topics);
  private final TestingMarks marks = new TestingMarks();
  private final TestingRun silent = new TestingRun("silent", 2, 7).grant(EVEN, 4, 8);
  private final TestingRun other = new TestingRun("other", 2, 1_007).grant(EVEN, 4, 8);
  private final TestingStream silentStream = TestingStream.withOwnLog(topics, ends, silent);
  private final TestingStream otherStream = TestingStream.withOwnLog(topics, ends, other);
  private final StreamTails tails =
      new StreamTails(
          () -> topics.control("tails"),
          ends,
          marks,
          KafkaAccess.local("nowhere"),
          1 << 20,
          () -> nanos);

  @AfterEach
  void close() {
    tails.close();
  }

  private void write(TestingRun run, TestingStream stream) {
    stream.log();
    stream.write(stream.emitted(run.split()), header -> header.index() < 21);
  }

  /** Of the two runs, only the other's end is told, until the topic answers. */
  private void requireWaitsAlone(String topic) {
    write(silent, silentStream);
    write(other, otherStream);
    ends.silence(topic);
    tails.add(silent.splitsWithOwnLog());
    tails.add(other.splitsWithOwnLog());
    SettledRuns settled = tails.settle();
    assertThat(settled.splits()).extracting(MixSplit::runId).containsExactly("other.1");
    assertThat(settled.ended()).isEmpty();
    assertThat(settled.failed()).isEmpty();
    assertThat(tails.waiting()).isEqualTo(1);
    assertThat(tails.isBusy()).isFalse();
    int asked = ends.asked().size();
    assertThat(tails.settle().splits()).isEmpty();
    assertThat(ends.asked()).as("not before a pause").hasSize(asked);
    nanos += Unanswered.PAUSE.toNanos();
    assertThat(tails.settle().splits()).isEmpty();
    assertThat(tails.waiting()).isEqualTo(1);
    topics.lead(topic);
    ends.hear();
    nanos += Unanswered.PAUSE.toNanos();
    List<MixSplit> found = tails.settle().splits();
    assertThat(found).extracting(MixSplit::runId).containsExactly("silent.1");
    assertThat(silentStream.emitted(found.get(0))).as("what is left of 32 records").hasSize(11);
    assertThat(tails.waiting()).isZero();
  }

  @Test
  void aRunWhoseStreamDoesNotAnswerNeitherBeginsNorHoldsUpAnother() {
    requireWaitsAlone(silentStream.topic());
  }

  @Test
  void aRunWhoseLogDoesNotAnswerNeitherEndsNorHoldsUpAnother() {
    topics.stand(silentStream.control());
    requireWaitsAlone(silentStream.control());
  }

  @Test
  void whatIsSettledIsToldWhateverComesOfOthers() {
    write(other, otherStream);
    tails.add(silent.splitsWithOwnLog());
    tails.add(other.splitsWithOwnLog());
    ends.fail(otherStream.control(), new IllegalStateException("odd"));
    assertThat(tails.settle().splits()).extracting(MixSplit::runId).containsExactly("silent.1");
    assertThat(tails.waiting()).isEqualTo(1);
    ends.hear();
    assertThat(tails.settle().splits()).extracting(MixSplit::runId).containsExactly("other.1");
  }

  @Test
  void aMarkThatCannotBeLookedAtIsNeitherBelievedNorTakenBack() {
    for (TestingRun run : List.of(silent, other)) {
      TestingStream stream = run == silent ? silentStream : otherStream;
      run.phase(RunPhase.COMPLETED);
      stream.log();
      stream.write(stream.emitted(run.split()), header -> true);
      tails.add(run.splitsWithOwnLog());
    }
    tails.settle();
    assertThat(marks.read()).containsOnlyKeys("silent.1", "other.1");
    for (String topic : List.of(silentStream.topic(), silentStream.control())) {
      ends.silence(topic);
      StreamTails.Whole found = tails.whole(List.of("silent.1", "other.1"), Set.of(), true);
      assertThat(found.splits()).containsExactly("other.1/0");
      assertThat(found.unknown()).containsExactly("silent.1");
      assertThat(marks.read()).containsOnlyKeys("silent.1", "other.1");
      ends.hear();
    }
    assertThat(tails.whole(Set.of("silent.1"), Set.of(), false).splits())
        .containsExactly("silent.1/0");
    assertThat(marks.read()).as("others were not asked for").containsKey("other.1");
    ends.lose(silentStream.topic(), 0, 1);
    assertThat(tails.whole(Set.of("silent.1"), Set.of(), false).splits()).isEmpty();
    assertThat(marks.read()).containsOnlyKeys("other.1");
  }
}
