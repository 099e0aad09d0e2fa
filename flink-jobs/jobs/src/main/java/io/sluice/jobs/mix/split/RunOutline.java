package io.sluice.jobs.mix.split;

import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.PhaseChange;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.mixture.log.Lineage;
import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.RunPhase;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a run's log says of its stream as a whole: which timeline owns which batch, how far it is
 * granted, and whether it has ended.
 */
public final class RunOutline {
  private final List<MixSplit> lanes;
  private final long firstBatch;
  private final Set<String> domains;
  private final TreeMap<Integer, Opening> openings = new TreeMap<>();
  private LogPosition position;
  private RunPhase phase = RunPhase.RUNNING;
  private Lineage lineage = Lineage.start();
  private long nextIndex;

  /**
   * Where a timeline begins.
   *
   * @param after its first batch is the next one
   * @param firstIndex global index of that batch's first sequence
   */
  public record Opening(int timeline, long after, long firstIndex) {}

  /** The outline of a log of one entry, which starts these splits, one for each lane. */
  public RunOutline(List<MixSplit> lanes) {
    this.lanes = List.copyOf(lanes);
    SplitCursor start = first().cursor();
    position = start.control();
    firstBatch = start.batch();
    nextIndex = start.firstIndex();
    domains = new HashSet<>(first().layout().domains());
    openings.put(0, new Opening(0, firstBatch - 1, nextIndex));
  }

  /**
   * Applies the entry if it is the next one.
   *
   * @throws io.sluice.mixture.log.BrokenLogException if the log does not continue
   */
  public void apply(ControlEntry entry, long offset) {
    if (!position.accepts(entry)) {
      return;
    }
    if (entry.body() instanceof Grant grant) {
      nextIndex += Arrays.stream(grant.batchSizes()).asLongStream().sum();
    } else if (entry.body() instanceof PhaseChange change) {
      phase = change.phase();
    } else if (entry.body() instanceof Revised revised) {
      long after = revised.snapshot().batch();
      nextIndex = revised.snapshot().nextSequence();
      domains.addAll(revised.settings().domains());
      if (entry.timeline() != position.timeline()) {
        lineage = lineage.opened(entry.timeline(), after);
        openings.put(entry.timeline(), new Opening(entry.timeline(), after, nextIndex));
      }
    }
    position = position.after(entry, offset);
  }

  /**
   * Looks at a record of the log that is no entry.
   *
   * @throws BrokenRunException if it stands where the next entry has to be
   */
  public void reject(long serial, long basedOn, long offset, String reason) {
    if (position.isNext(runId(), serial, basedOn)) {
      throw new BrokenRunException("control log at offset " + offset + ": " + reason);
    }
  }

  /** Whether a batch is granted, and a timeline's as the run now is. */
  public boolean owns(int timeline, long batch) {
    return batch >= firstBatch
        && batch <= position.granted()
        && lineage.owner(batch) == timeline
        && openings.containsKey(timeline);
  }

  /** Whether a batch is a timeline's, granted or not. */
  boolean isOwner(int timeline, long batch) {
    return lineage.owner(batch) == timeline;
  }

  /** Where a timeline that owns something begins. */
  public Opening opening(int timeline) {
    Opening found = openings.get(timeline);
    if (found == null) {
      throw new IllegalArgumentException("no timeline " + timeline + " in " + openings.keySet());
    }
    return found;
  }

  /** Where the timeline begins that a sequence is of, as the run now is. */
  public Opening openingOf(long index) {
    Opening found = oldest();
    for (Lineage.Opening each : lineage.openings()) {
      Opening opening = opening(each.timeline());
      found = opening.firstIndex() <= index ? opening : found;
    }
    return found;
  }

  /** The timeline that the run goes on with. */
  public Opening newest() {
    return opening(lineage.newest());
  }

  /** The timeline of the run's first batch that stands. */
  public Opening oldest() {
    return opening(lineage.owner(firstBatch));
  }

  /** Global index of the first sequence that is not granted. */
  public long nextIndex() {
    return nextIndex;
  }

  /** The run's phase. */
  public RunPhase phase() {
    return phase;
  }

  /** Every domain that the run has had. */
  public Set<String> domains() {
    return Set.copyOf(domains);
  }

  /** The splits at the run's start, one for each lane. */
  public List<MixSplit> lanes() {
    return lanes;
  }

  /** The first lane's. */
  public MixSplit first() {
    return lanes.get(0);
  }

  /** The run. */
  public String runId() {
    return first().runId();
  }
}
