package io.sluice.client.derive;

import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.GrantRules;
import io.sluice.mixture.log.InvariantViolatedException;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.MixtureGrant;
import java.util.List;
import java.util.Optional;

/**
 * What is left of a grant.
 *
 * @param to last batch of it that no later timeline has taken
 */
record Granted(Grant grant, long to) implements Step {
  /**
   * All of a grant.
   *
   * @throws IllegalArgumentException naming the batch and the numbers, if these cannot be true
   */
  static Granted of(MixtureGrant body) {
    Grant grant =
        new Grant(
            body.getAfter(),
            body.getTo(),
            body.getFirstSequence(),
            body.getWeightsVersion(),
            ints(body.getBatchSizes()),
            ints(body.getCounts()),
            Weights.of(body.getEffectiveWeights().stream().mapToLong(Long::longValue).toArray()),
            new long[0],
            Optional.empty());
    try {
      for (long batch = grant.after() + 1; batch <= grant.to(); batch++) {
        GrantRules.checkCounts(grant, batch);
      }
    } catch (InvariantViolatedException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    return new Granted(grant, grant.to());
  }

  private static int[] ints(List<Integer> values) {
    return values.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Sequences of all its batches. */
  long sequences() {
    long sum = 0;
    for (int size : grant.batchSizes()) {
      sum += size;
    }
    return sum;
  }

  @Override
  public boolean isAfter(long batch) {
    return grant.after() >= batch;
  }

  @Override
  public Granted until(long batch) {
    return new Granted(grant, Math.min(to, batch));
  }
}
