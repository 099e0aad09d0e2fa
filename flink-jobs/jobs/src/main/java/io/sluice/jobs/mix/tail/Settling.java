package io.sluice.jobs.mix.tail;

import io.sluice.jobs.mix.split.BrokenRunException;
import io.sluice.jobs.mix.split.LaneEnd;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.split.RunLayout;
import io.sluice.jobs.mix.split.RunOutline;
import io.sluice.jobs.mix.stream.StreamTarget;
import io.sluice.jobs.mix.tail.TopicEnds.Ends;
import io.sluice.mixture.log.BrokenLogException;
import io.sluice.mixture.log.InvariantViolatedException;
import io.sluice.mixture.plan.LaneShare;
import io.sluice.schema.Topics;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What comes of some runs, one after another. */
final class Settling {
  private static final Logger LOG = LoggerFactory.getLogger(Settling.class);

  private final Topics topics;
  private final List<MixSplit> splits = new ArrayList<>();
  private final Set<String> ended = new HashSet<>();
  private final List<SettledRuns.Failed> failed = new ArrayList<>();
  private final List<WholeStreams.Whole> whole = new ArrayList<>();

  /** Of no run yet. */
  Settling(Topics topics) {
    this.topics = topics;
  }

  /** A run's stream begins. */
  void begin(List<MixSplit> lanes) {
    splits.addAll(lanes);
  }

  /** A run has nothing to emit. */
  void end(List<MixSplit> lanes) {
    lanes.forEach(lane -> ended.add(lane.splitId()));
  }

  /** A run that is over, or has ended with all in its stream: that need not be found out again. */
  void keep(RunOutline run, Ends stream) {
    MixSplit first = run.first();
    if (first.controlPartition() == MixSplit.OWN_LOG) {
      whole.add(
          new WholeStreams.Whole(
              run.runId(),
              first.layout().run(),
              first.layout().lanes(),
              run.position().offset(),
              stream));
    }
  }

  /** What need not be found out again. */
  List<WholeStreams.Whole> whole() {
    return whole;
  }

  /** A run cannot go on. */
  void fail(List<MixSplit> lanes, RuntimeException why) {
    MixSplit run = lanes.get(0);
    LOG.error("Run {} cannot go on; other runs do", run.runId(), why);
    RunLayout layout = run.layout();
    failed.add(
        new SettledRuns.Failed(
            new StreamTarget(run.runId(), topics.stream(layout.run()), layout.streamTopicId()),
            lanes.stream().map(MixSplit::splitId).collect(Collectors.toSet()),
            String.valueOf(why.getMessage())));
  }

  /**
   * A run goes on where its stream ends, which it must not lose; it has nothing to emit if it has
   * ended and that is all.
   */
  void goOn(RunOutline run, Ends stream, RunReading reading, RunLogReading logs) {
    List<LaneEnd> ends;
    List<MixSplit> found;
    try {
      ends = new ArrayList<>(reading.ends(run, stream));
      ends.removeIf(end -> isAllThere(run, end));
      found = ends.isEmpty() ? List.of() : logs.splits(run, ends);
    } catch (BrokenRunException
        | BrokenLogException
        | InvariantViolatedException
        | IllegalArgumentException e) {
      fail(run.lanes(), e);
      return;
    }
    if (ends.isEmpty()) {
      keep(run, stream);
    }
    for (MixSplit lane : run.lanes()) {
      if (ends.stream().noneMatch(end -> end.lane() == lane.lane())) {
        ended.add(lane.splitId());
      }
    }
    for (MixSplit split : found) {
      splits.add(split.reaching(stream.reach()));
      LOG.info(
          "Run {}, lane {}, goes on where its stream ends: batch {}, {} of it written",
          split.runId(),
          split.lane(),
          split.cursor().batch(),
          split.cursor().position());
    }
  }

  /** Whether a run has ended and a lane has all that was granted. */
  private static boolean isAllThere(RunOutline run, LaneEnd end) {
    int lanes = run.first().layout().lanes();
    return run.phase().ended()
        && end.index() >= run.nextIndex() + LaneShare.position(run.nextIndex(), end.lane(), lanes);
  }

  /** What came of them. */
  SettledRuns settled() {
    return new SettledRuns(splits, ended, failed);
  }
}
