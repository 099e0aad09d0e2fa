package io.sluice.jobs.mix.split;

import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.PhaseChange;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.mixture.log.EntryLink;
import io.sluice.mixture.log.Lineage;
import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.RunPhase;
import io.sluice.schema.EarlierSnapshot;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What a run's log says of its stream as a whole: which timeline owns which batch, how far it is
 * granted, and whether it has ended.
 */
public final class RunOutline {
  private final List<MixSplit> lanes;
  private final LogPrefix prefix;
  private final long firstBatch;
  private final Set<String> domains;
  private final TreeMap<Integer, Opening> openings = new TreeMap<>();
  private LogPosition position;
  private RunPhase phase;
  private Lineage lineage = Lineage.start();
  private long nextIndex;
  private long firstCovered;

  /**
   * Where a timeline begins.
   *
   * @param after its first batch is the next one
   * @param firstIndex global index of that batch's first sequence
   */
  public record Opening(int timeline, long after, long firstIndex) {}

  /** The outline of a log of one entry, which starts these splits, one for each lane. */
  public RunOutline(List<MixSplit> lanes) {
    this(lanes, LogPrefix.start(lanes.get(0)));
  }

  /**
   * The outline of a log of which no more is known than this.
   *
   * @param lanes splits that the log's first entry starts, one for each lane
   */
  public RunOutline(List<MixSplit> lanes, LogPrefix prefix) {
    this.lanes = List.copyOf(lanes);
    this.prefix = prefix;
    firstBatch = first().cursor().batch();
    position = prefix.position();
    phase = prefix.phase();
    nextIndex = prefix.index();
    firstCovered = prefix.index();
    domains = new HashSet<>(prefix.layout().domains());
    for (Opening each : prefix.openings()) {
      openings.put(each.timeline(), each);
      lineage = each.timeline() == 0 ? lineage : lineage.opened(each.timeline(), each.after());
    }
  }

  /**
   * Applies the entry if it is the next one.
   *
   * @return whether it was
   * @throws io.sluice.mixture.log.BrokenLogException if the log does not continue
   * @throws BrokenRunException if the entry shows that the log has lost what was there
   */
  public boolean apply(ControlEntry entry, long offset) {
    BrokenRunException.requireKept(position, entry, offset);
    if (!position.accepts(entry)) {
      return false;
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
        firstCovered = Math.min(firstCovered, nextIndex);
      }
    }
    position = position.after(entry, offset);
    return true;
  }

  /** What it began with. */
  public LogPrefix prefix() {
    return prefix;
  }

  /** Place in the log of the last entry that applied. */
  public LogPosition position() {
    return position;
  }

  /**
   * What the place of a sequence can be sought from: the entries after it say where that is. A
   * rewind may take back batches of the prefix and grant them anew; else that of an earlier
   * snapshot is needed.
   *
   * @param index of the first sequence that is to be emitted
   * @param snapshots what a log has come to at a snapshot, if that is there
   */
  public LogPrefix before(long index, Function<EarlierSnapshot, Optional<LogPrefix>> snapshots) {
    if (index >= firstCovered) {
      return prefix;
    }
    List<EarlierSnapshot> named = prefix.earlier();
    for (int i = named.size() - 1; i >= 0; i--) {
      Optional<LogPrefix> found =
          snapshots.apply(named.get(i)).filter(earlier -> earlier.index() <= index);
      if (found.isPresent()) {
        return found.get();
      }
    }
    return LogPrefix.start(first());
  }

  /**
   * Looks at a record of the log that is no entry.
   *
   * @throws BrokenRunException if it stands where the next entry has to be
   */
  public void reject(EntryLink record, long offset, String reason) {
    if (position.isNext(record)) {
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
