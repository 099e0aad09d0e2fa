package io.sluice.jobs.mix.tail;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.jobs.mix.fetch.TestingTopics;
import io.sluice.jobs.mix.mark.TestingMarks;
import io.sluice.jobs.mix.source.TestingRun;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Topics;
import io.sluice.schema.WholeStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs of which a mark says that nothing is left to be emitted. */
final class WholeStreamsTest {
  private static final String RUN = "a.1";

  private final TestingTopics topics = new TestingTopics();
  private final TestingTopicEnds ends = new TestingTopicEnds(topics);
  private final TestingMarks marks = new TestingMarks();
  private final TestingRun run = new TestingRun("a", 2).grant(Weights.uniform(2), 4, 8);
  private final TestingStream stream = TestingStream.withOwnLog(topics, ends, run);
  private int readOfLog;

  private StreamTails tails() {
    return new StreamTails(
        () -> topics.control("tails"), ends, marks, KafkaAccess.local("nowhere"), 1 << 20, () -> 0);
  }

  private SettledRuns settle() {
    try (StreamTails tails = tails()) {
      tails.add(run.splitsWithOwnLog());
      return tails.settle();
    }
  }

  private Set<String> whole() {
    try (StreamTails tails = tails()) {
      return tails.whole(List.of(RUN, "other.1"), Set.of(), true).splits();
    }
  }

  /** The run is completed, its stream whole, and a job without state has found that out. */
  @BeforeEach
  void settled() {
    run.phase(RunPhase.COMPLETED);
    stream.log();
    stream.write(stream.emitted(run.split()), header -> true);
    assertThat(settle().ended()).containsExactly("a.1/0");
    readOfLog = topics.polled(stream.control());
  }

  @Test
  void neitherTheStreamNorTheLogIsReadAgain() {
    int readOfStream = topics.polled(stream.topic());
    assertThat(whole()).containsExactly("a.1/0");
    assertThat(topics.polled(stream.topic())).isEqualTo(readOfStream);
    assertThat(topics.polled(stream.control())).isEqualTo(readOfLog + 1);
  }

  @Test
  void ofARunThatIsKnownToHaveEndedTheLogIsNotReadAndTheMarkStays() {
    try (StreamTails tails = tails()) {
      assertThat(tails.whole(List.of(RUN, "other.1"), Set.of(RUN), true).splits()).isEmpty();
    }
    assertThat(topics.polled(stream.control())).isEqualTo(readOfLog);
    assertThat(whole()).containsExactly("a.1/0");
    try (StreamTails tails = tails()) {
      assertThat(tails.whole(List.of("other.1"), Set.of(RUN), true).splits()).isEmpty();
    }
    assertThat(whole()).as("the mark of a run that is gone").isEmpty();
  }

  @Test
  void aStreamThatWasCutIsLookedAt() {
    ends.lose(stream.topic(), 2, 1);
    assertThat(whole()).isEmpty();
    ends.lose(stream.topic(), 2, 0);
    assertThat(whole()).as("the mark was taken back before anything is written").isEmpty();
  }

  @Test
  void aStreamThatHasGrownIsWhole() {
    stream.write(stream.emitted(run.split()), header -> header.index() > 20);
    assertThat(whole()).containsExactly("a.1/0");
  }

  @Test
  void aMarkIsOfOneStreamAndOneLog() {
    ends.remake(stream.topic());
    assertThat(whole()).isEmpty();
    settle();
    ends.remake(stream.control());
    assertThat(whole()).isEmpty();
  }

  @Test
  void aLogThatWentAnotherWayIsRead() {
    WholeStream mark = marks.read().get(RUN);
    mark.setLogDigest(mark.getLogDigest() + 1);
    marks.write(List.of(mark), List.of());
    assertThat(whole()).isEmpty();
  }

  @Test
  void aLogThatHasLostItsEndIsRead() {
    ends.lose(stream.control(), 0, 1);
    assertThat(whole()).isEmpty();
  }

  @Test
  void aMarkNamesItsRunAndNotWhateverAClientCannotAskFor() {
    for (String name : List.of("x".repeat(70_000), "other", "", "a.1")) {
      WholeStream mark = WholeStream.newBuilder(marks.read().get(RUN)).setRun(name).build();
      marks.write(List.of(mark), List.of());
      assertThat(whole()).as("a mark of a run called %.9s", name).isEmpty();
      assertThat(ends.asked())
          .allSatisfy(asked -> assertThat(asked).allMatch(topic -> topic.length() < 100));
      assertThat(settle().ended()).containsExactly("a.1/0");
    }
  }

  @Test
  void aMarkHasNoMoreLanesThanTheStreamHasPartitions() {
    WholeStream mark =
        WholeStream.newBuilder(marks.read().get(RUN)).setLanes(Integer.MAX_VALUE).build();
    marks.write(List.of(mark), List.of());
    assertThat(whole()).isEmpty();
  }

  @Test
  void theMarkOfARunThatIsGoneIsTakenBack() {
    try (StreamTails tails = tails()) {
      assertThat(tails.whole(List.of("other.1"), Set.of(), true).splits()).isEmpty();
    }
    assertThat(marks.read()).isEmpty();
  }

  @Test
  void aRunOfWhichSomethingIsMissingHasNoMark() {
    TestingRun half = new TestingRun("half", 2).grant(Weights.uniform(2), 4, 8);
    TestingStream part = TestingStream.withOwnLog(topics, ends, half);
    part.write(part.emitted(half.split()), header -> header.index() < 31);
    half.phase(RunPhase.STOPPED);
    part.log();
    try (StreamTails tails = tails()) {
      tails.add(half.splitsWithOwnLog());
      assertThat(tails.settle().splits()).hasSize(1);
    }
    assertThat(marks.read()).containsOnlyKeys(RUN);
  }

  @Test
  void whatTheJobHasWrittenItselfIsNotLookedAt() {
    String log = Topics.standard().control("b.1");
    topics.append(log, 7, 0, new byte[] {1, 2, 3});
    ends.stream(Topics.standard().stream("b"), 3);
    try (StreamTails tails = tails()) {
      tails.delivered(Map.of("b.1", 2));
      assertThat(tails.whole(List.of("b.1"), Set.of(), true).splits())
          .containsExactlyInAnyOrder("b.1/0", "b.1/1");
    }
    assertThat(marks.read().get("b.1").getLogOffset()).isEqualTo(7);
  }

  @Test
  void aMarkThatIsBelievedNamesTheLogsLastRecordFromThenOn() {
    long end = marks.read().get(RUN).getLogOffset() + 1;
    topics.append(stream.control(), end, 0, new byte[] {1, 2, 3});
    assertThat(whole()).containsExactly("a.1/0");
    assertThat(marks.read().get(RUN).getLogOffset()).isEqualTo(end);
    assertThat(whole()).containsExactly("a.1/0");
  }
}
