package io.sluice.mixture.log;

import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.RoundDecision;
import io.sluice.mixture.plan.MixturePlan;
import io.sluice.mixture.plan.Weights;

/**
 * What holds of every grant, besides that its counts follow from the plan: whoever proposes one
 * checks it before it is written, whoever reads one before it is applied.
 */
public record GrantRules(RunSettings settings, RunProgress before, Grant grant) {
  /**
   * Checks the grant.
   *
   * @throws InvariantViolatedException if it breaks a rule
   */
  void check() {
    require("first sequence", before.nextSequence, grant.firstSequence());
    grant.decision().ifPresent(this::checkDecision);
    boolean moved = grant.decision().filter(d -> !d.kept()).isPresent() && !before.pinned;
    require("weights version", before.weightsVersion + (moved ? 1 : 0), grant.weightsVersion());
    checkReach();
    checkEffective();
    for (int row = 0; row < grant.batchSizes().length; row++) {
      checkBatch(grant.after() + 1 + row, grant.batchSizes()[row]);
    }
  }

  private void checkDecision(RoundDecision decision) {
    long round = before.round + 1;
    require("round", round, decision.round());
    require("step of round " + round, round * settings.updateEvery(), decision.step());
    if ((decision.kept() || before.pinned) && !decision.weights().equals(before.decided)) {
      throw new InvariantViolatedException(
          "weights of round " + round, before.decided, decision.weights());
    }
  }

  /** No batch is beyond what its round governs, nor beyond the run's last. */
  private void checkReach() {
    long round = grant.decision().map(RoundDecision::round).orElse(before.round);
    long governed = Math.max(before.drainTo, settings.lastBatchOf(round));
    long last = settings.batches() == 0 ? governed : Math.min(governed, settings.batches());
    if (grant.to() > last) {
      throw new InvariantViolatedException(
          "last batch granted in round " + round, "at most " + last, grant.to());
    }
  }

  private void checkEffective() {
    Weights expected = before.decidedBy(grant).without(before.maskedBy(grant));
    for (int i = 0; i < expected.size(); i++) {
      if (expected.part(i) != grant.effective().part(i)) {
        throw new InvariantViolatedException(
            "effective weight of domain " + i, expected.part(i), grant.effective().part(i));
      }
    }
  }

  private void checkBatch(long batch, int size) {
    require("sequences of batch " + batch, settings.batchSize(batch), size);
    checkCounts(grant, batch);
  }

  /**
   * Checks what the grant says of one of its batches against itself, so that a reader who knows
   * nothing of the run's settings makes nothing in proportion to a number that cannot be true.
   *
   * @throws InvariantViolatedException if it breaks a rule
   */
  public static void checkCounts(Grant grant, long batch) {
    int size = grant.sizeOf(batch);
    if (size < 1 || size > MixturePlan.MAX_BATCH) {
      throw new InvariantViolatedException(
          "sequences of batch " + batch, "in [1, " + MixturePlan.MAX_BATCH + "]", size);
    }
    int[] counts = grant.countsOf(batch);
    long sum = 0;
    for (int i = 0; i < counts.length; i++) {
      int count = counts[i];
      if (count < 0 || (count > 0 && grant.effective().part(i) == 0)) {
        throw new InvariantViolatedException(
            "sequences of domain " + i + " in batch " + batch,
            grant.effective().part(i) == 0 ? "0, its weight is" : "at least 0",
            count);
      }
      sum += count;
    }
    require("sum of the counts of batch " + batch, size, sum);
  }

  private static void require(String what, long expected, long actual) {
    if (expected != actual) {
      throw new InvariantViolatedException(what, expected, actual);
    }
  }
}
