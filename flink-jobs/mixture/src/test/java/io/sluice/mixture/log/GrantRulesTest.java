package io.sluice.mixture.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mixture.decide.Command;
import io.sluice.mixture.decide.Outcome;
import io.sluice.mixture.decide.TestingRun;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.mixture.log.ControlEntry.RoundDecision;
import io.sluice.mixture.plan.MixturePlan;
import io.sluice.mixture.plan.Weights;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class GrantRulesTest {
  private static final long MAX = MixturePlan.MAX_ERROR;

  private final TestingRun run = new TestingRun(TestingRun.velocitune().build());

  /** What comes next, if feedback of steps 0 and 10 closes a round. */
  private ControlEntry second() {
    run.settle();
    run.report(0, 4, 4);
    run.report(10, 3, 4);
    return ((Outcome.Propose) run.next()).entry();
  }

  private void assertBroken(ControlEntry right, UnaryOperator<Grant> wrong, String message) {
    Grant grant = wrong.apply((Grant) right.body());
    ControlEntry entry =
        new ControlEntry(right.runId(), 0, right.serial(), right.basedOn(), "", grant);
    assertThatThrownBy(() -> run.state.apply(entry, 99))
        .isInstanceOf(InvariantViolatedException.class)
        .hasMessage(message);
  }

  private static Grant with(Grant grant, int version, long first, int[] sizes, int[] counts) {
    return new Grant(
        grant.after(),
        grant.after() + sizes.length,
        first,
        version,
        sizes,
        counts,
        grant.effective(),
        new long[0],
        grant.decision());
  }

  private static Grant with(Grant grant, UnaryOperator<RoundDecision> changed) {
    return new Grant(
        grant.after(),
        grant.to(),
        grant.firstSequence(),
        grant.weightsVersion(),
        grant.batchSizes(),
        grant.counts(),
        grant.effective(),
        new long[0],
        grant.decision().map(changed));
  }

  @Test
  void aVersionIsOneMixture() {
    ControlEntry right = second();
    assertBroken(
        right,
        g -> with(g, 1, g.firstSequence(), g.batchSizes(), g.counts()),
        "weights version must be 2: 1");
    assertBroken(
        right,
        g -> with(g, 3, g.firstSequence(), g.batchSizes(), g.counts()),
        "weights version must be 2: 3");
    assertBroken(right, g -> with(g, round -> null), "weights version must be 1: 2");
  }

  @Test
  void indexesGoOn() {
    assertBroken(
        second(),
        g -> with(g, 2, g.firstSequence() - 1, g.batchSizes(), g.counts()),
        "first sequence must be 80: 79");
  }

  @Test
  void countsOfABatchSumToItsSize() {
    ControlEntry right = second();
    assertBroken(
        right,
        g -> {
          int[] counts = g.counts().clone();
          counts[3]++;
          return with(g, 2, g.firstSequence(), g.batchSizes(), counts);
        },
        "sum of the counts of batch 12 must be 8: 9");
    assertBroken(
        right,
        g -> {
          int[] counts = g.counts().clone();
          counts[0] = -1;
          return with(g, 2, g.firstSequence(), g.batchSizes(), counts);
        },
        "sequences of domain 0 in batch 11 must be at least 0: -1");
    assertBroken(
        right,
        g -> {
          int[] sizes = g.batchSizes().clone();
          sizes[0] = 7;
          return with(g, 2, g.firstSequence(), sizes, g.counts());
        },
        "sequences of batch 11 must be 8: 7");
  }

  @Test
  void aDomainWithoutWeightHasNoSeat() {
    ControlEntry right = ((Outcome.Propose) run.next()).entry();
    assertBroken(
        right,
        g ->
            new Grant(
                g.after(),
                g.to(),
                g.firstSequence(),
                1,
                g.batchSizes(),
                g.counts(),
                Weights.ofShares(1, 0),
                new long[0],
                Optional.empty()),
        "sequences of domain 1 in batch 1 must be 0, its weight is: 4");
  }

  @Test
  void effectiveWeightsAreTheDecidedOnes() {
    Weights other = Weights.ofShares(.25, .75);
    ControlEntry right = second();
    assertBroken(
        right,
        g ->
            new Grant(
                g.after(),
                g.to(),
                g.firstSequence(),
                2,
                g.batchSizes(),
                g.counts(),
                other,
                new long[0],
                g.decision()),
        "effective weight of domain 0 must be "
            + ((Grant) right.body()).effective().part(0)
            + ": "
            + other.part(0));
  }

  @Test
  void roundsFollowEachOther() {
    ControlEntry right = second();
    assertBroken(
        right, g -> with(g, d -> round(d, 2, 20, d.kept(), d.weights())), "round must be 1: 2");
    assertBroken(
        right,
        g -> with(g, d -> round(d, 1, 11, d.kept(), d.weights())),
        "step of round 1 must be 10: 11");
    assertBroken(
        right,
        g -> with(g, d -> round(d, 1, 10, true, Weights.ofShares(1, 3))),
        "weights of round 1 must be [0.5, 0.5]: [0.25, 0.75]");
  }

  private static RoundDecision round(
      RoundDecision from, long round, long step, boolean kept, Weights weights) {
    return new RoundDecision(
        round,
        step,
        kept,
        from.attempt(),
        weights,
        from.policyState(),
        from.scores(),
        from.levels());
  }

  @Test
  void nothingIsGrantedBeyondWhatItsRoundGoverns() {
    assertBroken(
        second(),
        g -> {
          int[] sizes = Arrays.copyOf(g.batchSizes(), 11);
          sizes[10] = 8;
          int[] counts = Arrays.copyOf(g.counts(), 22);
          return with(g, 2, g.firstSequence(), sizes, counts);
        },
        "last batch granted in round 1 must be at most 20: 21");
  }

  @Test
  void aRevisionInPlaceIsAVersionOfItsOwn() {
    run.settle();
    run.commands.add(
        new Command.SetWeights("c-1", new TreeMap<>(Map.of("a", .8)), Optional.empty(), "test"));
    ControlEntry right = ((Outcome.Propose) run.next()).entry();
    Revised revised = (Revised) right.body();
    Revised again =
        new Revised(
            revised.commandId(), revised.settings(), run.state.snapshot(), revised.skippedTo());
    ControlEntry entry =
        new ControlEntry(right.runId(), 0, right.serial(), right.basedOn(), "", again);
    assertThatThrownBy(() -> run.state.apply(entry, 99))
        .isInstanceOf(InvariantViolatedException.class)
        .hasMessage("weights version of revision c-1 must be 2: 1");
  }

  @Test
  void aPlanKeepsItsBounds() {
    Snapshot start = run.state.snapshot();
    RunProgress progress = new RunProgress(MixturePlan.VERSION, owing(start, MAX, -MAX));
    Grant grant =
        new Grant(
            0,
            1,
            0,
            1,
            new int[] {8},
            new int[] {0, 8},
            start.decided(),
            new long[] {0, 8},
            Optional.empty());
    assertThatThrownBy(() -> progress.take(grant, 1))
        .isInstanceOf(InvariantViolatedException.class)
        .hasMessageStartingWith(
            "what the plan owes domain 0 after batch 1 must be in [-" + MAX + ", " + MAX + "]: ");
  }

  @Test
  void aSnapshotOwesWhatAPlanCanOwe() {
    Snapshot start = run.state.snapshot();
    assertThat(owing(start, MAX, -MAX).planError()).containsExactly(MAX, -MAX);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> owing(start, MAX + 1, -MAX - 1))
        .withMessage("planError of domain 0 must be in [-2^60, 2^60]: " + (MAX + 1));
    // Of these, the next batch had counts of −8,388,599.
    assertThatIllegalArgumentException()
        .isThrownBy(() -> owing(start, 0, Long.MIN_VALUE))
        .withMessage("planError of domain 1 must be in [-2^60, 2^60]: " + Long.MIN_VALUE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> owing(start, 5, -4))
        .withMessage("planError must sum to 0: 1");
  }

  private static Snapshot owing(Snapshot start, long... owed) {
    return new Snapshot(
        0,
        0,
        1,
        0,
        0,
        start.decided(),
        false,
        0,
        start.policyState(),
        owed,
        start.ordinals(),
        start.masked());
  }
}
