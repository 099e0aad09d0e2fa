package io.sluice.cli.audit;

import io.sluice.cli.history.RunHistory;
import io.sluice.mixture.control.ControlEntry.Grant;
import io.sluice.mixture.plan.Deal;
import io.sluice.mixture.plan.EpochOrder;
import io.sluice.mixture.plan.MixturePlan;
import io.sluice.mixture.plan.Weights;
import java.util.List;

/**
 * The stream as the control log implies it, one sequence after the other: which batch, which
 * domain, which of its ordinals, under which weights.
 */
final class Expectation {
  private final RunHistory history;
  private final List<Grant> grants;
  private final MixturePlan plan;
  private final long[] ordinals;
  private int grantIndex;
  private long batch;
  private int position;
  private int[] order = {};
  private long firstIndex;
  private double mostBehind;
  private double mostAhead;

  /** One expected sequence. */
  record Sequence(
      long index,
      long batch,
      long firstIndex,
      int batchSize,
      int version,
      int domain,
      long ordinal) {}

  Expectation(RunHistory history) {
    this.history = history;
    this.grants = history.grants();
    int domains = history.state().settings().domains().size();
    this.plan = MixturePlan.start(domains);
    this.ordinals = new long[domains];
  }

  /** Whether another sequence is granted. */
  boolean hasNext() {
    return position < order.length || grantIndex < grants.size();
  }

  /** The next sequence in the order of the global index. */
  Sequence next() {
    if (position == order.length) {
      openBatch();
    }
    int domain = order[position];
    Sequence sequence =
        new Sequence(
            firstIndex + position,
            batch,
            firstIndex,
            order.length,
            grants.get(grantIndex).weightsVersion(),
            domain,
            ordinals[domain]++);
    position++;
    if (position == order.length && batch == grants.get(grantIndex).to()) {
      grantIndex++;
    }
    return sequence;
  }

  private void openBatch() {
    firstIndex += order.length;
    batch++;
    Grant grant = grants.get(grantIndex);
    int[] counts = grant.countsOf(batch);
    plan.replay(grant.effective(), grant.batchSizes()[(int) (batch - grant.after() - 1)], counts);
    for (long error : plan.error()) {
      mostBehind = Math.max(mostBehind, (double) error / Weights.UNIT);
      mostAhead = Math.min(mostAhead, (double) error / Weights.UNIT);
    }
    var settings = history.state().settings();
    order = Deal.order(settings.seed(), 0, batch, counts);
    position = 0;
  }

  /** The block that an ordinal stands for, given the domain's size if it has ended. */
  EpochOrder orderOf(int domain, java.util.OptionalLong size) {
    long seed = history.state().settings().seed();
    return size.isPresent() && size.getAsLong() > 0
        ? EpochOrder.ended(seed, domain, size.getAsLong())
        : EpochOrder.growing(seed, domain);
  }

  double mostBehind() {
    return mostBehind;
  }

  double mostAhead() {
    return mostAhead;
  }
}
