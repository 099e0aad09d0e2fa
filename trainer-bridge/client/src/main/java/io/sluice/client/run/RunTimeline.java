package io.sluice.client.run;

import io.sluice.client.error.InvalidStateException;
import io.sluice.client.error.RewoundException;
import io.sluice.schema.ChainHash;
import io.sluice.schema.ForkPoint;
import io.sluice.schema.GoverningEntry;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.RunOrigin;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStarted;
import io.sluice.schema.TimelineOpening;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the log has decided about where a run's batches lie and which specification governs them;
 * immutable.
 *
 * @param origin what the run was forked from; null for a run of its own
 * @param specifications in the order of their batches
 */
public record RunTimeline(
    @Nullable ForkPoint origin,
    Timelines timelines,
    BatchSchedule schedule,
    List<Governing> specifications) {

  /** A specification and the batch that it takes effect after. */
  record Governing(long after, RunSpec spec) {}

  public RunTimeline {
    specifications = List.copyOf(specifications);
  }

  /** The runTimeline of a run that nothing but its start is known of. */
  public static RunTimeline of(RunSpec spec) {
    return starting(null, spec, 0, 0, ChainHash.START);
  }

  /** The runTimeline of a run after its first control entry. */
  public static RunTimeline of(String runId, RunStarted started) {
    RunOrigin origin = started.getOrigin();
    long chainStart = ChainHash.start(started.getPlanVersion(), runId);
    if (origin == null) {
      return starting(null, started.getSpec(), 0, 0, chainStart);
    }
    long after = origin.getSnapshot().getBatch();
    long firstIndex = origin.getSnapshot().getNextSequence();
    ForkPoint from = new ForkPoint(origin.getRunId(), origin.getTimeline(), after, firstIndex);
    return starting(from, started.getSpec(), after, firstIndex, chainStart);
  }

  /**
   * The runTimeline of a run as a snapshot of its log has it.
   *
   * @param specs of the entries that it names as governing
   */
  static RunTimeline of(String runId, LogSnapshot snapshot, List<RunSpec> specs) {
    long chainStart = ChainHash.start(snapshot.getPlanVersion(), runId);
    TimelineOpening first = snapshot.getOpenings().get(0);
    RunTimeline known =
        starting(
            snapshot.getOrigin(),
            specs.get(0),
            first.getAfter(),
            first.getFirstSequence(),
            chainStart);
    Timelines timelines = known.timelines();
    for (TimelineOpening each : snapshot.getOpenings()) {
      timelines =
          each.equals(first)
              ? timelines
              : timelines.opening(each.getTimeline(), each.getAfter(), each.getFirstSequence());
    }
    BatchSchedule schedule = known.schedule();
    List<Governing> specifications = new ArrayList<>();
    for (int i = 0; i < specs.size(); i++) {
      GoverningEntry entry = snapshot.getGoverning().get(i);
      schedule = schedule.revised(specs.get(i), entry.getAfter(), entry.getFirstSequence());
      specifications.add(new Governing(entry.getAfter(), specs.get(i)));
    }
    return new RunTimeline(snapshot.getOrigin(), timelines, schedule, specifications);
  }

  private static RunTimeline starting(
      @Nullable ForkPoint origin, RunSpec spec, long after, long firstIndex, long chainStart) {
    return new RunTimeline(
        origin,
        Timelines.startingAfter(after, firstIndex, chainStart),
        BatchSchedule.of(spec, after, firstIndex),
        List.of(new Governing(after, spec)));
  }

  /** The runTimeline after a revision, which opens a timeline unless it is of the newest one. */
  RunTimeline revised(int timeline, RunRevised revision) {
    long after = revision.getSnapshot().getBatch();
    long firstIndex = revision.getSnapshot().getNextSequence();
    List<Governing> stand = new ArrayList<>(specifications);
    stand.removeIf(each -> each.after() >= after);
    stand.add(new Governing(after, revision.getSpec()));
    return new RunTimeline(
        origin,
        timeline == timelines.newest() ? timelines : timelines.opening(timeline, after, firstIndex),
        schedule.revised(revision.getSpec(), after, firstIndex),
        stand);
  }

  /** The specification that governs a batch. */
  RunSpec specAt(long batch) {
    RunSpec found = specifications.get(0).spec();
    for (Governing each : specifications) {
      if (each.after() < batch) {
        found = each.spec();
      }
    }
    return found;
  }

  /** The specification that the run goes on with. */
  public RunSpec spec() {
    return specifications.get(specifications.size() - 1).spec();
  }

  /** The state before the run's first batch. */
  public StreamState start(String runId) {
    Timelines.Opened first = timelines.first();
    return new StreamState(runId, first.timeline(), first.after(), first.firstIndex());
  }

  /** The state before a batch. */
  public StreamState before(String runId, long batch) {
    Timelines.Opened first = timelines.first();
    if (batch <= first.after()) {
      throw new InvalidStateException(
          "batch must be at least "
              + (first.after() + 1)
              + ", the first of run "
              + runId
              + ": "
              + batch);
    }
    return new StreamState(
        runId, timelines.owner(batch - 1), batch - 1, schedule.firstIndex(batch));
  }

  /**
   * The state that a trainer goes on from.
   *
   * @param state of this run, or of the run that it was forked from at exactly the fork's batch
   * @throws RewoundException if the state is of batches that the run was rewound before
   * @throws InvalidStateException if it is of another run, or cannot be one of this run's
   */
  public StreamState resume(String runId, StreamState state) {
    if (!state.runId().equals(runId)) {
      return ofOrigin(runId, state);
    }
    StreamState start = start(runId);
    if (state.batch() == 0 || state.batch() == start.batch()) {
      return start;
    }
    requireOwned(runId, state);
    long firstIndex = schedule.firstIndex(state.batch() + 1);
    if (state.batch() < start.batch() || state.firstIndex() != firstIndex) {
      throw new InvalidStateException(
          "the state is not one of run "
              + runId
              + ": batch "
              + (state.batch() + 1)
              + " starts at sequence "
              + firstIndex
              + ", the state has "
              + state.firstIndex());
    }
    return state;
  }

  private void requireOwned(String runId, StreamState state) {
    int timeline = state.timeline();
    if (timeline > timelines.newest()) {
      throw new InvalidStateException(
          "the state is of timeline "
              + timeline
              + ", run "
              + runId
              + " has timelines 0 to "
              + timelines.newest());
    }
    if (timelines.owner(state.batch()) != timeline) {
      throw new RewoundException(
          timeline, timelines.newest(), Math.min(state.batch() - 1, timelines.end(timeline)));
    }
  }

  private StreamState ofOrigin(String runId, StreamState state) {
    ForkPoint from = origin;
    if (from == null || !from.getRunId().equals(state.runId())) {
      throw new InvalidStateException(
          "the state is of run "
              + state.runId()
              + ", this stream is of run "
              + runId
              + ": open the run that the checkpoint was trained on");
    }
    long batch = from.getBatch();
    if (state.batch() != batch || state.timeline() != from.getTimeline()) {
      throw new InvalidStateException(
          "run "
              + runId
              + " continues run "
              + from.getRunId()
              + " after batch "
              + batch
              + " of timeline "
              + from.getTimeline()
              + ": resume from a checkpoint of exactly that batch, not of batch "
              + state.batch()
              + " of timeline "
              + state.timeline());
    }
    return start(runId);
  }
}
