package io.sluice.mixture.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.Refused;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.mixture.log.ControlEntry.RoundDecision;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.log.RunStateCodec;
import io.sluice.mixture.plan.Weights;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class RevisionsTest {
  private static final Offset<Double> ROUNDING = Offset.offset(1e-9);

  @Test
  void setsWeightsFromTheNextGrantOn() {
    TestingRun run = new TestingRun(TestingRun.velocitune().build());
    run.settle();
    ask(run, new Command.SetWeights("c1", shares("a", .3), Optional.empty(), "by hand"));
    assertThat(run.state.decided().share(0)).isCloseTo(.3, ROUNDING);
    assertThat(run.state.decided().share(1)).isCloseTo(.7, ROUNDING);
    assertThat(run.state.weightsVersion()).isEqualTo(2);
    assertThat(run.state.position().granted()).isEqualTo(10);
    measure(run, 0, 10);
    Grant next = run.grants().get(1);
    assertThat(next.weightsVersion()).isEqualTo(3);
    assertThat(next.decision().orElseThrow().kept()).isFalse();
  }

  @Test
  void letsRoundsGoOnUnderAPinWithoutMovingTheWeights() {
    TestingRun run = new TestingRun(TestingRun.velocitune().build());
    TestingRun free = new TestingRun(TestingRun.velocitune().build());
    ask(run, new Command.SetWeights("c1", shares("a", .25), Optional.of(true), "pin"));
    for (TestingRun each : List.of(run, free)) {
      measure(each, 0, 10, 20);
    }
    assertThat(run.state.decided()).isEqualTo(Weights.ofShares(1, 3));
    assertThat(run.state.round()).isEqualTo(2);
    assertThat(run.state.weightsVersion()).isEqualTo(2);
    assertThat(run.log.get(run.log.size() - 1).why())
        .isEqualTo("feedback of step 20: weights are pinned");
    ask(run, new Command.SetWeights("c2", shares(), Optional.of(false), "unpin"));
    assertThat(run.state.pinned()).isFalse();
    assertThat(run.state.decided()).isEqualTo(Weights.ofShares(1, 3));
    measure(run, 30);
    assertThat(run.state.decided()).isNotEqualTo(Weights.ofShares(1, 3));
  }

  @Test
  void refusesWeightsThatCannotBeInTheLog() {
    TestingRun run = new TestingRun(TestingRun.velocitune().build());
    run.settle();
    assertRefused(run, shares("c", .3), "weights must be of domains of [a, b]: 'c'");
    assertRefused(run, shares("a", 1.5), "weight of a must be in [0, 1]: 1.5");
    assertRefused(run, shares("a", Double.NaN), "weight of a must be in [0, 1]: NaN");
    assertRefused(
        run, shares("a", .4, "b", .5), "weights must sum to 1, since no other domain has any: 0.9");
    assertRefused(run, shares(), "neither weights nor a pin are given");
    assertThat(run.state.decided()).isEqualTo(Weights.uniform(2));
    assertThat(run.state.weightsVersion()).isEqualTo(1);
  }

  @Test
  void putsInAPolicyAtAStepThatTrainersHaveNotReached() {
    TestingRun.Settings settings = TestingRun.velocitune();
    settings.policy = "static";
    settings.policySettings = Map.of();
    settings.every = 0;
    TestingRun run = new TestingRun(settings.build());
    run.settle();
    assertThat(run.state.position().granted()).isEqualTo(256);
    ask(run, revise("c1", TestingRun.velocitune().build()));
    assertThat(run.state.round()).isEqualTo(26);
    assertThat(run.state.baseRound()).isEqualTo(26);
    assertThat(run.state.position().granted()).isEqualTo(270);
    assertThat(run.next())
        .isEqualTo(
            new Outcome.Wait(
                "round 27: waits for eval_loss of step 260 (heard none; trainers are at batch 0)",
                false));
    measure(run, 260, 270);
    RoundDecision first = run.grants().get(run.grants().size() - 1).decision().orElseThrow();
    assertThat(first.round()).isEqualTo(27);
    assertThat(first.step()).isEqualTo(270);
    assertThat(run.state.position().granted()).isEqualTo(280);
  }

  @Test
  void goesOnWithThePolicyWhenOnlyOtherSettingsChange() {
    TestingRun run = new TestingRun(TestingRun.velocitune().build());
    measure(run, 0, 10);
    byte[] state = run.state.policyState();
    TestingRun.Settings wider = TestingRun.velocitune();
    wider.lead = 3;
    ask(run, revise("c1", wider.build()));
    assertThat(run.state.policyState()).isEqualTo(state);
    assertThat(run.state.round()).isEqualTo(1);
    assertThat(run.state.weightsVersion()).isEqualTo(3);
    assertThat(run.state.settings().lead()).isEqualTo(3);
  }

  @Test
  void addsADomainAndScalesTheOthers() {
    TestingRun run = new TestingRun(TestingRun.velocitune().build());
    run.settle();
    run.supply.add(new DomainSupply(1_000, false));
    RunSettings three = three(run.state.settings(), Set.of());
    run.commands.add(new Command.Revise("c1", three, shares("c", .2), List.of(), "more data"));
    run.settle();
    assertThat(run.state.decided().shares()).containsExactly(new double[] {.4, .4, .2}, ROUNDING);
    assertThat(run.state.round()).isEqualTo(2);
    assertThat(run.state.position().granted()).isEqualTo(30);
    assertThat(run.state.ordinals()[2]).isPositive();
    assertThat(RunStateCodec.encode(replayed(run))).isEqualTo(RunStateCodec.encode(run.state));
  }

  @Test
  void anotherDomainTakesOverTheWholeWeightOfOneThatLeaves() {
    TestingRun run = new TestingRun(TestingRun.velocitune().build());
    ask(run, new Command.SetWeights("c0", shares("a", .3), Optional.empty(), "by hand"));
    Weights before = run.state.decided();
    run.supply.add(new DomainSupply(1_000, false));
    RunSettings three = three(run.state.settings(), Set.of("a"));
    List<Inheritance> heirs = List.of(new Inheritance("c", "a", 1));
    ask(run, new Command.Revise("c1", three, shares("c", .5), heirs, "both"));
    assertRefusal(run, "c inherits weight and can be given no share");
    ask(run, new Command.Revise("c2", three, shares(), heirs, "regrouped"));
    assertThat(run.state.decided().parts()).containsExactly(0, before.part(1), before.part(0));
    assertThat(run.state.masked().get(0)).isTrue();
    assertThat(run.state.round()).isEqualTo(2);
    assertThat(RunStateCodec.encode(replayed(run))).isEqualTo(RunStateCodec.encode(run.state));
  }

  @Test
  void takesADomainOutForEver() {
    TestingRun run = new TestingRun(TestingRun.velocitune().build());
    run.settle();
    long before = run.state.ordinals()[0];
    RunSettings without = removed(run.state.settings(), Set.of("a"));
    ask(run, revise("c1", without));
    assertThat(run.state.decided()).isEqualTo(Weights.ofShares(0, 1));
    assertThat(run.state.masked().get(0)).isTrue();
    assertThat(run.state.position().granted()).isEqualTo(30);
    assertThat(run.state.ordinals()[0]).isEqualTo(before);
    ask(run, revise("c2", removed(without, Set.of())));
    assertRefusal(run, "removed domains cannot come back, of [a]: []");
    ask(run, new Command.SetWeights("c3", shares("a", .5), Optional.empty(), ""));
    assertRefusal(run, "domain a has ended or was removed: it can have no weight");
  }

  @Test
  void refusesSettingsThatContradictWhatWasEmitted() {
    TestingRun run = new TestingRun(TestingRun.velocitune().build());
    run.settle();
    TestingRun.Settings shorter = TestingRun.velocitune();
    shorter.batches = 9;
    ask(run, revise("c1", shorter.build()));
    assertRefusal(run, "batches must be at least 10, which are granted: 9");
    assertThat(run.state.settings().batches()).isZero();
  }

  @Test
  void drainsAheadOfTrainersAndRounds() {
    TestingRun.Settings settings = TestingRun.velocitune();
    settings.lead = 4;
    TestingRun run = new TestingRun(settings.build());
    run.report(0, 4, 4);
    run.settle();
    ask(run, new Command.Drain("c1", 20, "upgrade"));
    assertThat(run.state.position().granted()).isEqualTo(24);
    RoundDecision first = run.grants().get(2).decision().orElseThrow();
    assertThat(first.kept()).isTrue();
    assertThat(run.log.get(4).why())
        .isEqualTo("no complete feedback of step 10 before a drain to batch 24: weights kept");
    assertThat(run.state.round()).isEqualTo(2);
    assertThat(run.next())
        .isEqualTo(new Outcome.Wait("lead: batch 24 is granted, trainers are at batch 0", false));
    ask(run, new Command.Drain("c2", 0, ""));
    assertRefusal(run, "ahead must be in [1, 1048576] batches: 0");
  }

  @Test
  void refusesToReviseARunThatHasEnded() {
    TestingRun run = new TestingRun(TestingRun.velocitune().build());
    ask(run, new Command.ChangePhase("c1", RunPhase.STOPPED, "enough"));
    ask(run, new Command.Drain("c2", 3, ""));
    assertRefusal(
        run, "the run has ended, it is stopped: fork it to go on from one of its batches");
    assertThat(run.state.phase()).isEqualTo(RunPhase.STOPPED);
  }

  @Test
  void answersEachCommandOnce() {
    TestingRun run = new TestingRun(TestingRun.velocitune().build());
    run.commands.add(new Command.Drain("c1", 3, ""));
    run.commands.add(new Command.Unreadable("c2", "batch must be at least 1: 0"));
    run.settle();
    run.settle();
    assertThat(run.log.stream().filter(e -> e.body() instanceof Revised)).hasSize(1);
    assertThat(run.log.stream().filter(e -> e.body() instanceof Refused)).hasSize(1);
    assertThat(run.log.get(2).why()).isEqualTo("refused: batch must be at least 1: 0");
  }

  @Test
  void saysWhichMeasurementsNoTrainerMakes() {
    TestingRun run = new TestingRun(TestingRun.velocitune().build());
    run.trainers = new Inputs.Trainers(0, 0, 1, 0, "rank 0 on host h measures only train_loss");
    assertThat(((Outcome.Wait) run.settle()).reason())
        .endsWith("trainers are at batch 0); rank 0 on host h measures only train_loss");
  }

  @Test
  void saysWhichLeadTheTrainersNeed() {
    TestingRun.Settings settings = TestingRun.velocitune();
    settings.lead = 4;
    TestingRun run = new TestingRun(settings.build());
    run.trainers = new Inputs.Trainers(0, 0, 8, 0, "");
    assertThat(run.settle())
        .isEqualTo(
            new Outcome.Wait(
                "lead: batch 4 is granted, trainers are at batch 0; they report every 8 batches,"
                    + " so apply.lead must be at least 8: 4",
                false));
  }

  /** A run with a third domain, c. */
  static RunSettings three(RunSettings of, Set<String> removed) {
    return new RunSettings(
        List.of("a", "b", "c"),
        of.batchSizes(),
        of.rowLengths(),
        Collections.emptySortedMap(),
        of.batches(),
        of.seed(),
        Weights.ofShares(2, 2, 1),
        of.policyName(),
        of.policySettings(),
        of.updateEvery(),
        of.lag(),
        of.keepWeightsOnTimeout(),
        of.timeoutMillis(),
        of.lead(),
        of.guards(),
        List.of(1, 1, 1),
        of.redistribute(),
        removed,
        of.lanes(),
        of.limits());
  }

  private static RunSettings removed(RunSettings of, Set<String> removed) {
    return new RunSettings(
        of.domains(),
        of.batchSizes(),
        of.rowLengths(),
        Collections.emptySortedMap(),
        of.batches(),
        of.seed(),
        of.initialWeights(),
        of.policyName(),
        of.policySettings(),
        of.updateEvery(),
        of.lag(),
        of.keepWeightsOnTimeout(),
        of.timeoutMillis(),
        of.lead(),
        of.guards(),
        of.epochs(),
        of.redistribute(),
        removed,
        of.lanes(),
        of.limits());
  }

  private static RunState replayed(TestingRun run) {
    RunState state = RunState.started(run.log.get(0), 10);
    for (int i = 1; i < run.log.size(); i++) {
      state.apply(run.log.get(i), 10 + 3L * i);
    }
    return state;
  }

  private static void ask(TestingRun run, Command command) {
    run.commands.add(command);
    run.settle();
  }

  private static Command.Revise revise(String id, RunSettings settings) {
    return new Command.Revise(id, settings, shares(), List.of(), "by hand");
  }

  private static void measure(TestingRun run, long... steps) {
    for (long step : steps) {
      run.settle();
      run.at(step);
      run.report(step, 4 - step / 100.0, 4);
    }
    run.settle();
  }

  private static void assertRefused(
      TestingRun run, SortedMap<String, Double> shares, String reason) {
    String id = "w" + run.commands.size();
    ask(run, new Command.SetWeights(id, shares, Optional.empty(), "by hand"));
    assertRefusal(run, reason);
  }

  private static void assertRefusal(TestingRun run, String reason) {
    String id = run.commands.get(run.commands.size() - 1).commandId();
    ControlEntry refusal =
        run.log.stream()
            .filter(e -> e.body() instanceof Refused refused && refused.commandId().equals(id))
            .findFirst()
            .orElseThrow();
    assertThat(refusal.why()).isEqualTo("refused: " + reason);
  }

  private static SortedMap<String, Double> shares(Object... entries) {
    SortedMap<String, Double> shares = new TreeMap<>();
    for (int i = 0; i < entries.length; i += 2) {
      shares.put((String) entries[i], (Double) entries[i + 1]);
    }
    return shares;
  }
}
