package io.sluice.control.audit;

import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.log.Snapshot;
import io.sluice.mixture.plan.BatchOrder;
import io.sluice.mixture.plan.LaneShare;
import io.sluice.mixture.plan.MixturePlan;
import io.sluice.mixture.plan.Weights;
import java.util.ArrayList;
import java.util.List;

/**
 * The stream of one timeline as the control log implies it, one sequence after the other: which
 * batch, which domain, which of its ordinals, under which weights.
 */
final class Expectation {
  private final int timeline;
  private final List<ControlEntry> entries = new ArrayList<>();
  private final int planVersion;
  private RunSettings settings;
  private MixturePlan plan;
  private long[] ordinals;
  private int entryIndex;
  private int version;
  private long batch;
  private int position;
  private int[] order = {};
  private final long begin;
  private long firstIndex;
  private double mostBehind;
  private double mostAhead;

  /**
   * One expected sequence.
   *
   * @param lane that emits it
   * @param domain its index
   * @param name of the domain
   * @param ordinal of the lane's part of the domain
   */
  record Sequence(
      long index,
      long batch,
      long firstIndex,
      int batchSize,
      int version,
      int lane,
      int domain,
      String name,
      long ordinal) {}

  /**
   * A timeline that begins with a snapshot.
   *
   * @param planVersion of the run
   */
  Expectation(int planVersion, int timeline, RunSettings settings, Snapshot begin) {
    this.planVersion = planVersion;
    this.timeline = timeline;
    this.settings = settings;
    this.plan = MixturePlan.resume(planVersion, begin.planError());
    this.ordinals = begin.ordinals().clone();
    this.begin = begin.batch();
    this.batch = this.begin;
    this.firstIndex = begin.nextSequence();
  }

  /** Takes an entry of the timeline, in the log's order. */
  void add(ControlEntry entry) {
    if (entry.body() instanceof Grant || entry.body() instanceof Revised) {
      entries.add(entry);
    }
  }

  /** Index of the first sequence that is not granted, once there is no next one. */
  long end() {
    return firstIndex + order.length;
  }

  /** The batch that the timeline begins behind. */
  long begin() {
    return begin;
  }

  int timeline() {
    return timeline;
  }

  /** Whether another sequence is granted. */
  boolean hasNext() {
    while (position == order.length
        && entryIndex < entries.size()
        && entries.get(entryIndex).body() instanceof Revised revised) {
      settings = revised.settings();
      plan = MixturePlan.resume(planVersion, revised.snapshot().planError());
      ordinals = revised.snapshot().ordinals().clone();
      entryIndex++;
    }
    return position < order.length || entryIndex < entries.size();
  }

  /** The next sequence in the order of the global index, if there {@link #hasNext}. */
  Sequence next() {
    if (position == order.length) {
      openBatch();
    }
    int domain = order[position];
    int lane = (int) ((firstIndex + position) % settings.lanes());
    Sequence sequence =
        new Sequence(
            firstIndex + position,
            batch,
            firstIndex,
            order.length,
            version,
            lane,
            domain,
            settings.domains().get(domain),
            ordinals[lane * settings.domains().size() + domain]++);
    position++;
    if (position == order.length && batch == ((Grant) entries.get(entryIndex).body()).to()) {
      entryIndex++;
    }
    return sequence;
  }

  private void openBatch() {
    Grant grant = (Grant) entries.get(entryIndex).body();
    firstIndex += order.length;
    batch++;
    version = grant.weightsVersion();
    int[] counts = grant.replay(batch, plan, ordinals);
    for (long error : plan.error()) {
      mostBehind = Math.max(mostBehind, (double) error / Weights.UNIT);
      mostAhead = Math.min(mostAhead, (double) error / Weights.UNIT);
    }
    LaneShare share = LaneShare.of(counts, firstIndex, ordinals);
    order = BatchOrder.whole(settings.seed(), timeline, batch, share, firstIndex);
    position = 0;
  }

  double mostBehind() {
    return mostBehind;
  }

  double mostAhead() {
    return mostAhead;
  }
}
