package io.sluice.jobs.mix.tail;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.jobs.mix.fetch.TestingTopics;
import io.sluice.jobs.mix.mark.TestingMarks;
import io.sluice.jobs.mix.source.TestingRun;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.stream.StreamRecord;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.StreamHeader;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A stream's end and its place, sought in a log that has snapshots. */
final class TailSnapshotsTest {
  private static final Weights EVEN = Weights.uniform(2);
  private static final long WINDOW = 1 << 20;
  private static final int EVERY = 40;

  private final TestingTopics topics = new TestingTopics();
  private final TestingTopicEnds ends = new TestingTopicEnds(topics);
  private final TestingMarks marks = new TestingMarks();
  private final TestingRun run = new TestingRun("a", 2);
  private final TestingStream stream = TestingStream.withOwnLog(topics, ends, run);

  /** Grants batches one by one, with a snapshot after each so many. */
  private void grant(int batches) {
    for (int i = 1; i <= batches; i++) {
      run.grant(EVEN, 1, 8);
      if (i % EVERY == 0) {
        run.sumUp();
      }
    }
    stream.log();
  }

  /** Writes what a split that has emitted nothing emits, up to an index. */
  private void write(long to) {
    stream.write(stream.emitted(run.split()), header -> header.index() < to);
  }

  private SettledRuns settle() {
    try (StreamTails tails =
        new StreamTails(
            () -> topics.control("tails"),
            ends,
            marks,
            KafkaAccess.local("nowhere"),
            WINDOW,
            () -> 0)) {
      tails.add(run.splitsWithOwnLog());
      return tails.settle();
    }
  }

  /** Settles the run, and checks that its split emits the rest of what it emits in all. */
  private void requireGoesOnAt(int timeline, long index) {
    List<MixSplit> splits = settle().splits();
    assertThat(splits).hasSize(1);
    List<StreamHeader> rest = headers(stream.emitted(splits.get(0)));
    List<StreamHeader> whole = headers(stream.emitted(run.split()));
    assertThat(rest).isEqualTo(whole.subList(whole.size() - rest.size(), whole.size()));
    assertThat(rest.get(0).timeline()).isEqualTo(timeline);
    assertThat(rest.get(0).index()).isEqualTo(index);
  }

  private static List<StreamHeader> headers(List<StreamRecord> records) {
    return records.stream().map(record -> StreamHeader.decode(record.header())).toList();
  }

  @Test
  void whatIsBeforeTheNewestSnapshotIsNotRead() {
    grant(10 * EVERY + 5);
    write((10 * EVERY + 2) * 8);
    requireGoesOnAt(0, (10 * EVERY + 2) * 8);
    assertThat(topics.polled(stream.control())).as("of 415 entries").isLessThan(EVERY);
  }

  @Test
  void aStreamThatIsFarBehindIsSoughtFromAnEarlierSnapshot() {
    grant(10 * EVERY + 5);
    write((3 * EVERY + 7) * 8 + 3);
    requireGoesOnAt(0, (3 * EVERY + 7) * 8 + 3);
    assertThat(topics.polled(stream.control())).as("of 415 entries").isLessThan(5 * EVERY);
  }

  @Test
  void aStreamBehindAllSnapshotsIsSoughtFromTheStart() {
    grant(3 * EVERY);
    write(11);
    requireGoesOnAt(0, 11);
  }

  @Test
  void aRewindMayTakeBackWhatTheNewestSnapshotCounts() {
    grant(2 * EVERY + 5);
    write((EVERY + 20) * 8);
    run.rewind(EVERY + 10, EVERY + 12);
    grant(5);
    // Of the first timeline up to the rewind, all that stands; nothing of the second.
    requireGoesOnAt(1, (EVERY + 10) * 8);
  }

  @Test
  void aStreamThatIsBehindARewindIsSoughtBeforeTheSnapshotThatThisTookBack() {
    grant(2 * EVERY + 5);
    write((EVERY + 3) * 8);
    run.rewind(EVERY + 10, EVERY + 10);
    grant(EVERY + 3);
    requireGoesOnAt(0, (EVERY + 3) * 8);
    run.rewind(3, 3);
    grant(2);
    requireGoesOnAt(2, 3 * 8);
  }

  @Test
  void aRunThatEndedAtItsSnapshotNeedsNoSplit() {
    grant(EVERY + 2);
    write(Long.MAX_VALUE);
    run.phase(RunPhase.COMPLETED).sumUp();
    stream.log();
    SettledRuns settled = settle();
    assertThat(settled.splits()).isEmpty();
    assertThat(settled.ended()).containsExactly("a.1/0");
  }
}
