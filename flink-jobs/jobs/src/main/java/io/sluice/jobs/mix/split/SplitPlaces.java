package io.sluice.jobs.mix.split;

import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.PhaseChange;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.plan.BatchOrder;
import io.sluice.mixture.plan.LaneShare;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * The splits of a run that go on where its stream ends, as its log says where that is: a split that
 * had emitted all before would have the same cursor.
 */
public final class SplitPlaces {
  private final RunOutline outline;
  private final List<LaneEnd> open;
  private final List<MixSplit> found = new ArrayList<>();
  private LogPosition position;
  private RunPhase phase;
  private RunLayout layout;
  private long[] used;
  private long index;

  /** Places that are sought from the run's start on. */
  public SplitPlaces(RunOutline outline, Collection<LaneEnd> ends) {
    this(outline, LogPrefix.start(outline.first()), ends);
  }

  /**
   * Places that are sought in what follows a part of the log.
   *
   * @param prefix so short that the entries after it grant every lane's end, or what follows it
   * @param ends the lanes that are to go on
   */
  public SplitPlaces(RunOutline outline, LogPrefix prefix, Collection<LaneEnd> ends) {
    this.outline = outline;
    this.open = new ArrayList<>(ends);
    position = prefix.position();
    phase = prefix.phase();
    layout = prefix.layout();
    used = prefix.used().clone();
    index = prefix.index();
  }

  /** Whether each lane has its place, so that no more entries are needed. */
  public boolean isComplete() {
    return open.isEmpty();
  }

  /**
   * Applies the entry if it is the next one.
   *
   * @throws BrokenRunException if it does not fit the run
   */
  public void apply(ControlEntry entry, long offset) {
    if (!position.accepts(entry)) {
      return;
    }
    if (entry.body() instanceof Grant grant) {
      walk(entry.timeline(), grant);
    } else if (entry.body() instanceof PhaseChange change) {
      phase = change.phase();
    } else if (entry.body() instanceof Revised revised) {
      layout = layout.revised(revised.settings());
      used = revised.snapshot().ordinals().clone();
      index = revised.snapshot().nextSequence();
    }
    position = position.after(entry, offset);
  }

  private void walk(int timeline, Grant grant) {
    if (grant.effective().size() * layout.lanes() != used.length) {
      throw new BrokenRunException(
          "batch "
              + (grant.after() + 1)
              + " is granted "
              + grant.effective().size()
              + " domains, the run has "
              + used.length / layout.lanes());
    }
    for (long batch = grant.after() + 1; batch <= grant.to() && !open.isEmpty(); batch++) {
      LaneShare share = LaneShare.of(grant.countsOf(batch), index, used);
      long end = index + grant.sizeOf(batch);
      if (outline.isOwner(timeline, batch)) {
        for (LaneEnd lane : List.copyOf(open)) {
          if (lane.index() < end) {
            int[] order = BatchOrder.order(layout.seed(), timeline, batch, share, lane.lane());
            place(lane, RunPhase.RUNNING, batch, order);
          }
        }
      }
      share.addTo(used);
      index = end;
    }
  }

  /**
   * The splits, once the log has no more entries: a lane that has all that is granted waits for
   * more.
   *
   * @throws BrokenRunException if a lane has more than that
   */
  public List<MixSplit> end() {
    for (LaneEnd lane : List.copyOf(open)) {
      int lanes = layout.lanes();
      if (lane.index() != index + LaneShare.position(index, lane.lane(), lanes)) {
        throw new BrokenRunException(
            "lane "
                + lane.lane()
                + " of the stream ends before sequence "
                + lane.index()
                + ", its log before "
                + index);
      }
      place(lane, phase, position.granted() + 1, new int[0]);
    }
    found.sort((a, b) -> Integer.compare(a.lane(), b.lane()));
    return List.copyOf(found);
  }

  private void place(LaneEnd lane, RunPhase then, long batch, int[] order) {
    int lanes = layout.lanes();
    long before = lane.index() - index - LaneShare.position(index, lane.lane(), lanes);
    int place = order.length == 0 ? 0 : Math.toIntExact(before / lanes);
    int domains = layout.domains().size();
    long[] ordinals = Arrays.copyOfRange(used, lane.lane() * domains, (lane.lane() + 1) * domains);
    for (int i = 0; i < place; i++) {
      ordinals[order[i]]++;
    }
    SplitCursor cursor =
        new SplitCursor(
            position,
            then,
            batch,
            place,
            index,
            ordinals,
            lanes == 1 ? new long[0] : used.clone(),
            SplitCursor.resized(new long[0], domains),
            lane.chains());
    MixSplit start = outline.lanes().get(lane.lane());
    found.add(start.at(layout, cursor));
    open.remove(lane);
  }
}
