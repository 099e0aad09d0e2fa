package io.sluice.jobs.mix.tail;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.jobs.mix.fetch.TestingTopics;
import io.sluice.jobs.mix.mark.TestingMarks;
import io.sluice.jobs.mix.source.TestingRun;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.split.StreamReach;
import io.sluice.jobs.mix.stream.StreamRecord;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.StreamHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.junit.jupiter.api.Test;

final class StreamTailsTest {
  private static final Weights EVEN = Weights.uniform(2);
  private static final long WINDOW = 1 << 20;

  private final TestingTopics topics = new TestingTopics();
  private final TestingTopicEnds ends = new TestingTopicEnds(topics);
  private final TestingMarks marks = new TestingMarks();

  private SettledRuns settle(List<TestingRun> runs, long window) {
    List<MixSplit> splits = new ArrayList<>();
    List<String> ended = new ArrayList<>();
    List<SettledRuns.Failed> failed = new ArrayList<>();
    try (StreamTails tails =
        new StreamTails(
            () -> topics.control("tails"),
            ends,
            marks,
            KafkaAccess.local("nowhere"),
            window,
            () -> 0)) {
      runs.forEach(run -> tails.add(run.splits()));
      while (tails.waiting() > 0) {
        SettledRuns some = tails.settle();
        splits.addAll(some.splits());
        ended.addAll(some.ended());
        failed.addAll(some.failed());
      }
    }
    return new SettledRuns(splits, Set.copyOf(ended), failed);
  }

  /** Settles one run, and checks that what its splits emit is the rest of what it emits in all. */
  private SettledRuns settleAndCompare(TestingRun run, TestingStream stream, long window) {
    SettledRuns settled = settle(List.of(run), window);
    for (MixSplit split : settled.splits()) {
      List<StreamRecord> whole = stream.emitted(run.splits().get(split.lane()));
      List<StreamRecord> rest = stream.emitted(split);
      assertThat(headers(rest))
          .isEqualTo(headers(whole.subList(whole.size() - rest.size(), whole.size())));
    }
    return settled;
  }

  private static List<StreamHeader> headers(List<StreamRecord> records) {
    return records.stream().map(record -> StreamHeader.decode(record.header())).toList();
  }

  private TestingStream stream(TestingRun run) {
    return new TestingStream(topics, ends, run).log();
  }

  @Test
  void aRunWithoutARecordBegins() {
    TestingRun run = new TestingRun("a", 2).grant(EVEN, 3, 8);
    stream(run);
    assertThat(settle(List.of(run), WINDOW).splits()).isEqualTo(run.splits());
  }

  @Test
  void aSplitThatGoesOnKeepsWhatItsStreamHolds() {
    TestingRun run = new TestingRun("a", 2).grant(EVEN, 3, 8);
    TestingStream stream = stream(run);
    stream.write(stream.emitted(run.split()), header -> header.index() < 10);
    StreamReach reach = settle(List.of(run), WINDOW).splits().get(0).reach();
    assertThat(reach.ends()).containsExactly(4, 3, 3);
    assertThat(reach.epochs()).containsOnly(TestingTopicEnds.EPOCH);
  }

  @Test
  void goesOnWhereTheStreamEnds() {
    TestingRun run = new TestingRun("a", 2).grant(EVEN, 3, 8).reweigh().grant(EVEN, 3, 8);
    TestingStream stream = stream(run);
    List<StreamRecord> all = stream.emitted(run.split());
    for (int written = 1; written <= all.size(); written++) {
      stream.write(all.subList(written - 1, written), header -> true);
      SettledRuns settled = settleAndCompare(run, stream, WINDOW);
      assertThat(stream.emitted(settled.splits().get(0))).hasSize(all.size() - written);
      assertThat(settleAndCompare(run, stream, 2 * 60).splits().get(0).cursor().batch())
          .as("read back as little as can be")
          .isEqualTo(settled.splits().get(0).cursor().batch());
    }
  }

  @Test
  void theConsumerIsLetGoOnceNoRunWaits() {
    List<MockConsumer<byte[], byte[]>> opened = new ArrayList<>();
    TestingRun run = new TestingRun("a", 2).grant(EVEN, 3, 8);
    TestingStream stream = stream(run);
    stream.write(stream.emitted(run.split()), header -> true);
    try (StreamTails tails =
        new StreamTails(
            () -> {
              opened.add((MockConsumer<byte[], byte[]>) topics.control("tails"));
              return opened.get(opened.size() - 1);
            },
            ends,
            marks,
            KafkaAccess.local("nowhere"),
            WINDOW,
            () -> 0)) {
      for (int time = 1; time <= 2; time++) {
        tails.add(run.splits());
        tails.rest();
        assertThat(tails.settle().splits()).hasSize(1);
        assertThat(opened).hasSize(time);
        assertThat(opened.get(time - 1).closed()).isFalse();
        tails.rest();
        assertThat(opened.get(time - 1).closed()).isTrue();
      }
    }
  }

  @Test
  void goesBackToAHoleBeforeTheLastHeader() {
    TestingRun run = new TestingRun("a", 2).grant(EVEN, 10, 8);
    TestingStream stream = stream(run);
    List<StreamRecord> all = stream.emitted(run.split());
    long lost = 73;
    stream.write(all, header -> header.index() != lost);
    MixSplit split = settleAndCompare(run, stream, 3 * 70).splits().get(0);
    assertThat(headers(stream.emitted(split)).get(0).index()).isEqualTo(lost);
  }

  @Test
  void lanesGoOnEachWhereItEnds() {
    TestingRun run = TestingRun.ofLanes("a", 2, 3).grant(EVEN, 4, 8);
    TestingStream stream = stream(run);
    for (MixSplit lane : run.splits()) {
      stream.write(stream.emitted(lane), header -> header.index() < 10 + 7 * lane.lane());
    }
    SettledRuns settled = settleAndCompare(run, stream, WINDOW);
    assertThat(settled.splits())
        .extracting(split -> headers(stream.emitted(split)).get(0).index())
        .containsExactly(12L, 19L, 26L);
  }

  @Test
  void goesOnInTheNewestTimelineThatStands() {
    TestingRun run = new TestingRun("a", 2).grant(EVEN, 6, 8);
    TestingStream stream = stream(run);
    stream.write(stream.emitted(run.split()), header -> true);
    run.rewind(4, 4).grant(EVEN, 5, 8);
    stream.log();
    MixSplit before = settleAndCompare(run, stream, WINDOW).splits().get(0);
    assertThat(before.cursor().batch()).isEqualTo(5);
    stream.write(stream.emitted(before), header -> header.index() < 45);
    MixSplit split = settleAndCompare(run, stream, WINDOW).splits().get(0);
    StreamHeader next = headers(stream.emitted(split)).get(0);
    assertThat(next.timeline()).isEqualTo(1);
    assertThat(next.index()).isEqualTo(45);
  }

  @Test
  void aRunThatHasEndedNeedsNoSplitOnceAllIsThere() {
    TestingRun run = new TestingRun("a", 2).grant(EVEN, 4, 8);
    TestingStream stream = stream(run);
    List<StreamRecord> all = stream.emitted(run.split());
    run.phase(RunPhase.COMPLETED);
    stream.log();
    stream.write(all, header -> header.index() < 31);
    assertThat(settleAndCompare(run, stream, WINDOW).splits()).hasSize(1);
    stream.write(all, header -> header.index() == 31);
    SettledRuns settled = settle(List.of(run), WINDOW);
    assertThat(settled.splits()).isEmpty();
    assertThat(settled.ended()).containsExactly("a.1/0");
  }

  @Test
  void aRunThatHasFailedNeedsNoSplitAndItsStreamIsNotRead() {
    TestingRun run = new TestingRun("a", 2).grant(EVEN, 4, 8);
    TestingStream stream = stream(run);
    topics.append(
        new TopicPartition(stream.topic(), 0), 1, new byte[0], new RecordHeader("none", null));
    run.phase(RunPhase.FAILED);
    stream.log();
    assertThat(settle(List.of(run), WINDOW).ended()).containsExactly("a.1/0");
  }

  @Test
  void theEndsOfManyStreamsAreAskedForAtOnce() {
    List<TestingRun> runs = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      TestingRun run = new TestingRun("r" + i, 2, 1_000L * i + 7).grant(EVEN, 2, 8);
      TestingStream stream = stream(run);
      stream.write(stream.emitted(run.split()), header -> true);
      run.phase(RunPhase.COMPLETED);
      stream.log();
      runs.add(run);
    }
    SettledRuns settled = settle(runs, WINDOW);
    assertThat(settled.ended()).hasSize(40);
    assertThat(ends.asked()).as("the streams, and the log").hasSize(2);
  }

  @Test
  void aRecordThatStopsReadersStopsItsRunAlone() {
    TestingRun bad = new TestingRun("bad", 2, 7).grant(EVEN, 2, 8);
    TestingRun good = new TestingRun("good", 2, 1_007).grant(EVEN, 2, 8);
    TestingStream broken = stream(bad);
    TestingStream whole = stream(good);
    topics.append(
        new TopicPartition(broken.topic(), 1), 1, new byte[0], new RecordHeader("none", null));
    whole.write(whole.emitted(good.split()), header -> header.index() < 5);
    SettledRuns settled = settle(List.of(bad, good), WINDOW);
    assertThat(settled.splits()).extracting(MixSplit::runId).containsExactly("good.1");
    assertThat(settled.failed()).hasSize(1);
    SettledRuns.Failed failed = settled.failed().get(0);
    assertThat(failed.target().runId()).isEqualTo("bad.1");
    assertThat(failed.splits()).containsExactly("bad.1/0");
    assertThat(failed.reason())
        .isEqualTo("stream partition 1, offset 0: the record has no header 'sluice'");
  }

  @Test
  void aStreamWhoseTopicIsGoneIsItsWritersToReport() {
    TestingRun run = new TestingRun("a", 2).grant(EVEN, 2, 8);
    TestingStream stream = stream(run);
    stream.write(stream.emitted(run.split()), header -> true);
    ends.delete(stream.topic());
    assertThat(settle(List.of(run), WINDOW).splits()).isEqualTo(run.splits());
  }

  @Test
  void anEndedRunWhoseTopicIsAnotherOneNeedsNoSplit() {
    TestingRun run = new TestingRun("a", 2).grant(EVEN, 2, 8);
    TestingStream stream = stream(run);
    stream.write(stream.emitted(run.split()), header -> header.index() < 5);
    ends.stream(stream.topic(), TestingRun.PARTITIONS + 1);
    assertThat(settle(List.of(run), WINDOW).splits()).isEqualTo(run.splits());
    run.phase(RunPhase.STOPPED);
    stream.log();
    assertThat(settle(List.of(run), WINDOW).ended()).containsExactly("a.1/0");
  }

  @Test
  void whatWasWrittenAgainCountsOnce() {
    TestingRun run = new TestingRun("a", 2).grant(EVEN, 10, 8);
    TestingStream stream = stream(run);
    List<StreamRecord> all = stream.emitted(run.split());
    stream.write(all, header -> header.index() < 60);
    IntStream.range(0, 3)
        .forEach(again -> stream.write(all, h -> h.index() >= 30 && h.index() < 60));
    MixSplit split = settleAndCompare(run, stream, 3 * 70).splits().get(0);
    assertThat(headers(stream.emitted(split)).get(0).index()).isEqualTo(60);
  }
}
