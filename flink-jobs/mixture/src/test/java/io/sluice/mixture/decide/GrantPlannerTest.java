package io.sluice.mixture.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.PhaseChange;
import io.sluice.mixture.log.ControlEntry.RoundDecision;
import io.sluice.mixture.log.RunLimits;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.log.Snapshot;
import io.sluice.mixture.plan.Weights;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class GrantPlannerTest {
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 3})
  void governsExactlyFromStepPlusLagPlusOne(long lag) {
    TestingRun.Settings settings = TestingRun.velocitune();
    settings.lag = lag;
    TestingRun run = new TestingRun(settings.build());
    run.report(0, 4, 4);
    for (long step = 10; step <= 50; step += 10) {
      run.settle();
      assertThat(run.state.position().granted()).isEqualTo(step + lag);
      run.at(step);
      run.report(step, 4 - step / 40.0, 4);
    }
    run.settle();
    List<Grant> rounds = run.grants().stream().filter(g -> g.decision().isPresent()).toList();
    assertThat(rounds).hasSize(5);
    for (Grant grant : rounds) {
      RoundDecision decision = grant.decision().orElseThrow();
      assertThat(grant.after() + 1).isEqualTo(decision.step() + lag + 1);
      assertThat(decision.step()).isEqualTo(decision.round() * 10);
      assertThat(grant.weightsVersion()).isEqualTo(decision.round() + 1);
    }
    assertThat(run.state.decided().part(1)).isGreaterThan(run.state.decided().part(0));
  }

  @Test
  void grantsBatchesAndSequencesWithoutAGap() {
    TestingRun run = new TestingRun(TestingRun.velocitune().build());
    run.report(0, 4, 4);
    run.report(10, 3, 4);
    run.report(20, 3, 4);
    run.report(30, 3, 4);
    run.settle();
    long batch = 0;
    long sequence = 0;
    for (Grant grant : run.grants()) {
      assertThat(grant.after()).isEqualTo(batch);
      assertThat(grant.firstSequence()).isEqualTo(sequence);
      for (int size : grant.batchSizes()) {
        batch++;
        assertThat(size).isEqualTo(batch < 26 ? 8 : 12);
        assertThat(Arrays.stream(grant.countsOf(batch)).sum()).isEqualTo(size);
        sequence += size;
      }
    }
    assertThat(batch).isEqualTo(40);
    assertThat(sequence).isEqualTo(run.state.nextSequence());
  }

  @Test
  void saysWhichReportItWaitsFor() {
    TestingRun run = new TestingRun(TestingRun.velocitune().build());
    assertThat(run.settle())
        .isEqualTo(
            new Outcome.Wait(
                "round 1: waits for eval_loss of step 0 (heard none; trainers are at batch 0)",
                false));
    run.report(0, 4, 4);
    run.at(10);
    run.report(TestingRun.report(10, "x", 2, 1, 3, 3));
    assertThat(run.settle())
        .isEqualTo(
            new Outcome.Wait(
                "round 1: waits for eval_loss of step 10 (heard eval_loss x: 1 of 2 ranks; trainers"
                    + " are at batch 10)",
                true));
  }

  @Test
  void keepsTheWeightsWhenARoundTimesOutAndNeverReopensIt() {
    TestingRun.Settings settings = TestingRun.velocitune();
    settings.keep = true;
    TestingRun run = new TestingRun(settings.build());
    run.report(0, 4, 4);
    run.settle();
    run.waitedMillis = 60_000;
    assertThat(run.next()).isInstanceOf(Outcome.Wait.class);
    run.at(10);
    run.settle();
    RoundDecision kept = run.grants().get(1).decision().orElseThrow();
    assertThat(kept.kept()).isTrue();
    assertThat(run.grants().get(1).weightsVersion()).isEqualTo(1);
    run.report(10, 1, 4);
    run.waitedMillis = 0;
    run.settle();
    assertThat(run.state.decided()).isEqualTo(Weights.uniform(2));
    assertThat(
            TestingRun.report(10, "late", 1, 0, 1, 4)
                .refusal(run.state, run.policies.of(run.state.settings())))
        .contains("feedback step must be after the last closed round's: 10");
  }

  @Test
  void boundsHowFarTheStreamRunsAhead() {
    TestingRun.Settings settings = TestingRun.velocitune();
    settings.lead = 4;
    TestingRun run = new TestingRun(settings.build());
    assertThat(run.settle())
        .isEqualTo(new Outcome.Wait("lead: batch 4 is granted, trainers are at batch 0", false));
    run.at(3);
    run.settle();
    assertThat(run.state.position().granted()).isEqualTo(7);
    run.at(Long.MAX_VALUE);
    run.settle();
    assertThat(run.state.position().granted()).isEqualTo(10);
  }

  @Test
  void grantsOnceHalfOfTheLeadIsFree() {
    TestingRun run = new TestingRun(led(40));
    run.settle();
    for (long progress = 1; progress <= 10_000; progress++) {
      run.trainers = new Inputs.Trainers(progress, 0, 1, 0, "");
      run.settle();
      assertThat(run.state.position().granted()).isBetween(progress + 21, progress + 40);
    }
    assertThat(run.log).hasSizeBetween(500, 502);
  }

  @Test
  void trainersThatReportSeldomReachTheirNextReport() {
    for (int every = 1; every <= 12; every++) {
      TestingRun run = new TestingRun(led(12));
      run.settle();
      long before = 0;
      for (long progress = 0; progress <= 240; progress += every) {
        run.trainers = new Inputs.Trainers(progress, 0, progress - before, 0, "");
        run.settle();
        assertThat(run.state.position().granted()).isGreaterThanOrEqualTo(progress + every);
        before = progress;
      }
    }
  }

  @Test
  void silentTrainersAreGrantedWhatTheLeadHas() {
    TestingRun run = new TestingRun(led(12));
    run.settle();
    run.trainers = new Inputs.Trainers(5, 0, 1, 9_999, "");
    run.settle();
    assertThat(run.state.position().granted()).isEqualTo(12);
    run.trainers = new Inputs.Trainers(5, 0, 1, 10_000, "");
    run.settle();
    assertThat(run.state.position().granted()).isEqualTo(17);
  }

  @Test
  void grantsWhatTheStreamMayHoldBeyondTheOldestCheckpoint() {
    // Of 8 sequences up to batch 25, of 12 from there on.
    TestingRun run = new TestingRun(held(20 * 8 + 7));
    assertThat(run.settle())
        .isEqualTo(
            new Outcome.Wait(
                "limits.stream: batch 20 is granted, and the stream holds what it may after batch"
                    + " 0, the oldest checkpoint of the trainers",
                false));
    run.trainers = new Inputs.Trainers(19, 9, 1, 0, "");
    run.settle();
    assertThat(run.state.position().granted()).isEqualTo(28);
    run.trainers = new Inputs.Trainers(28, 25, 1, 0, "");
    run.settle();
    assertThat(run.state.position().granted()).isEqualTo(38);
  }

  @Test
  void oneBatchIsGrantedHoweverLittleTheStreamMayHold() {
    TestingRun run = new TestingRun(held(1));
    run.settle();
    assertThat(run.state.position().granted()).isEqualTo(1);
    run.trainers = new Inputs.Trainers(1, 0, 1, 0, "");
    run.settle();
    assertThat(run.state.position().granted()).isEqualTo(1);
    run.trainers = new Inputs.Trainers(1, 1, 1, 0, "");
    run.settle();
    assertThat(run.state.position().granted()).isEqualTo(2);
  }

  private static RunSettings held(long sequences) {
    TestingRun.Settings settings = TestingRun.velocitune();
    settings.policy = "static";
    settings.policySettings = Map.of();
    settings.every = 0;
    settings.lead = 1_000;
    settings.limits = new RunLimits(1, 0, sequences);
    return settings.build();
  }

  private static RunSettings led(long lead) {
    TestingRun.Settings settings = TestingRun.velocitune();
    settings.policy = "static";
    settings.policySettings = Map.of();
    settings.every = 0;
    settings.lead = lead;
    return settings.build();
  }

  @Test
  void completesAfterItsLastBatch() {
    TestingRun.Settings settings = TestingRun.velocitune();
    settings.batches = 7;
    TestingRun run = new TestingRun(settings.build());
    assertThat(run.settle()).isEqualTo(new Outcome.Ended());
    assertThat(run.state.position().granted()).isEqualTo(7);
    assertThat(run.state.phase()).isEqualTo(RunPhase.COMPLETED);
  }

  @Test
  void waitsForADomainThatIsBehindAndGrantsTheSameBatchesLater() {
    TestingRun fed = new TestingRun(TestingRun.velocitune().build());
    fed.settle();
    TestingRun starved = new TestingRun(TestingRun.velocitune().build());
    starved.supply = List.of(new DomainSupply(1_000, false), new DomainSupply(6, false));
    assertThat(starved.settle())
        .isEqualTo(
            new Outcome.Wait(
                "supply: domain b is behind: batch 2 needs 8 blocks, 6 are ready", false));
    starved.supply = fed.supply;
    starved.settle();
    assertThat(starved.state.ordinals()).isEqualTo(fed.state.ordinals());
    assertThat(starved.state.plan().error()).isEqualTo(fed.state.plan().error());
  }

  @Test
  void redistributesTheSeatsOfADomainThatIsBehindAndGivesThemBack() {
    TestingRun.Settings settings = TestingRun.velocitune();
    settings.redistribute = true;
    TestingRun run = new TestingRun(settings.build());
    run.supply = List.of(new DomainSupply(1_000, false), new DomainSupply(6, false));
    run.report(0, 4, 4);
    run.settle();
    Grant short6 = run.grants().get(0);
    assertThat(run.state.ordinals()).containsExactly(74, 6);
    assertThat(short6.bounds()).containsExactly(1_000, 6);
    assertThat(run.log.get(1).why())
        .contains("domain b is behind: others took its seats, it is owed 34 sequences");
    run.supply = List.of(new DomainSupply(1_000, false), new DomainSupply(1_000, false));
    run.report(10, 4, 4);
    run.settle();
    assertThat(run.state.ordinals()).containsExactly(80, 80);
    assertThat(run.grants().get(1).bounds()).isEmpty();
  }

  @Test
  void waitsWhenAllThatIsThereCannotFillABatch() {
    TestingRun.Settings settings = TestingRun.velocitune();
    settings.redistribute = true;
    TestingRun run = new TestingRun(settings.build());
    run.supply = List.of(new DomainSupply(5, false), new DomainSupply(6, false));
    assertThat(run.settle())
        .isEqualTo(
            new Outcome.Wait(
                "supply: domain a is behind: batch 2 needs 8 blocks, 5 are ready", false));
  }

  @Test
  void masksADomainThatHasEndedWhereverTheNewsArrives() {
    DomainSupply plenty = new DomainSupply(1_000, false);
    DomainSupply ended = new DomainSupply(18, true);
    TestingRun early = new TestingRun(TestingRun.velocitune().build());
    early.supply = List.of(plenty, ended);
    early.settle();
    TestingRun late = new TestingRun(TestingRun.velocitune().build());
    late.supply = List.of(plenty, new DomainSupply(18, false));
    assertThat(late.settle()).isInstanceOf(Outcome.Wait.class);
    late.supply = List.of(plenty, ended);
    late.settle();
    assertThat(late.state.ordinals()).isEqualTo(early.state.ordinals()).containsExactly(64, 16);
    assertThat(late.state.masked()).isEqualTo(early.state.masked());
    assertThat(early.grants().get(1).effective()).isEqualTo(Weights.ofShares(1, 0));
    assertThat(early.log.get(2).why()).contains("domain b has ended after 16 sequences");
  }

  @Test
  void repeatsADomainAsOftenAsItsEpochs() {
    TestingRun.Settings settings = TestingRun.velocitune();
    settings.epochs = List.of(1, 3);
    TestingRun run = new TestingRun(settings.build());
    run.supply = List.of(new DomainSupply(1_000, false), new DomainSupply(10, true));
    run.settle();
    assertThat(run.state.ordinals()).containsExactly(52, 28);
  }

  @Test
  void waitsForTheLaneThatIsBehindAndEndsADomainWithItsFirstLane() {
    TestingRun.Settings settings = TestingRun.velocitune();
    settings.lanes = 2;
    TestingRun run = new TestingRun(settings.build());
    List<DomainSupply> lanes = new ArrayList<>(run.supply);
    lanes.set(3, new DomainSupply(5, false));
    run.supply = lanes;
    run.settle();
    assertThat(run.state.position().granted()).isEqualTo(2);
    assertThat(run.state.ordinals()).containsExactly(4, 4, 4, 4);
    assertThat(GrantPlanner.next(run.state, run.policies, run.inputs()))
        .isEqualTo(
            new Outcome.Wait(
                "supply: domain b, lane 1, is behind: batch 3 needs 6 blocks, 5 are ready", false));

    lanes.set(3, new DomainSupply(5, true));
    run.settle();
    assertThat(run.state.position().granted()).isEqualTo(10);
    assertThat(run.state.ordinals()).containsExactly(36, 4, 36, 4);
    assertThat(run.log).anyMatch(e -> e.why().contains("domain b, lane 1, has ended after 4"));
  }

  @Test
  void redistributesWhatTheLaneWithTheFewestBlocksLacks() {
    TestingRun run = new TestingRun(redistributing());
    run.supply = lanes(new DomainSupply(3, false), new DomainSupply(5, false));
    run.report(0, 4, 4);
    run.settle();
    assertThat(run.state.ordinals()).containsExactly(37, 3, 37, 3);
    assertThat(run.grants().get(0).bounds()).containsExactly(1_000, 3, 1_000, 5);
    assertThat(run.log.get(1).why())
        .contains("domain b is behind: others took its seats, it is owed 34 sequences");
    run.supply = lanes(new DomainSupply(1_000, false), new DomainSupply(1_000, false));
    run.report(10, 4, 4);
    run.settle();
    assertThat(run.state.ordinals()).containsExactly(40, 40, 40, 40);
    assertThat(run.grants().get(1).bounds()).isEmpty();
  }

  @Test
  void masksADomainWithItsFirstEndedLaneAlsoWhereSeatsAreRedistributed() {
    TestingRun run = new TestingRun(redistributing());
    run.supply = lanes(new DomainSupply(1_000, false), new DomainSupply(5, true));
    run.settle();
    assertThat(run.state.ordinals()).containsExactly(36, 4, 36, 4);
    assertThat(run.log).anyMatch(e -> e.why().contains("domain b, lane 1, has ended after 4"));
  }

  @Test
  void neverGrantsWhatALaneLacksHoweverSupplyGrows() {
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      TestingRun run = new TestingRun(redistributing());
      long[] blocks = new long[4];
      for (int step = 0; step < 40; step++) {
        List<DomainSupply> supply = new ArrayList<>();
        for (int part = 0; part < blocks.length; part++) {
          blocks[part] += (long) random.nextInt(3) * random.nextInt(6);
          supply.add(new DomainSupply(blocks[part], false));
        }
        run.supply = supply;
        run.report(10L * random.nextInt(8), 4, 4);
        run.settle();
        for (int part = 0; part < blocks.length; part++) {
          assertThat(run.state.ordinals()[part]).isLessThanOrEqualTo(blocks[part]);
        }
      }
      assertThat(run.grants()).as("seed " + seed).anyMatch(grant -> grant.bounds().length > 0);
    }
  }

  private static RunSettings redistributing() {
    TestingRun.Settings settings = TestingRun.velocitune();
    settings.lanes = 2;
    settings.redistribute = true;
    return settings.build();
  }

  /** Plenty of the first domain, and two lanes' parts of the second. */
  private static List<DomainSupply> lanes(DomainSupply first, DomainSupply second) {
    DomainSupply plenty = new DomainSupply(1_000, false);
    return List.of(plenty, first, plenty, second);
  }

  @Test
  void stopsWhenADomainEndsThatMustNot() {
    TestingRun.Settings settings = TestingRun.velocitune();
    settings.epochs = List.of(1, 0);
    TestingRun run = new TestingRun(settings.build());
    run.supply = List.of(new DomainSupply(1_000, false), new DomainSupply(10, true));
    run.settle();
    assertThat(run.state.phase()).isEqualTo(RunPhase.STOPPED);
    assertThat(run.state.position().granted()).isEqualTo(2);
    assertThat(run.log.get(run.log.size() - 1).why())
        .isEqualTo("domain b has ended after 8 sequences");
  }

  @Test
  void stopsWhenEveryDomainHasEnded() {
    TestingRun run = new TestingRun(TestingRun.velocitune().build());
    run.supply = List.of(new DomainSupply(10, true), new DomainSupply(0, true));
    run.settle();
    assertThat(run.state.phase()).isEqualTo(RunPhase.STOPPED);
    assertThat(run.state.ordinals()).containsExactly(8, 0);
  }

  @Test
  void obeysEachCommandOnce() {
    TestingRun run = new TestingRun(TestingRun.velocitune().build());
    run.commands.add(new Command.ChangePhase("c1", RunPhase.PAUSED, "maintenance"));
    assertThat(run.settle()).isEqualTo(new Outcome.Wait("paused: waits for `resume`", false));
    run.commands.add(new Command.ChangePhase("c2", RunPhase.RUNNING, "done"));
    run.settle();
    assertThat(run.state.position().granted()).isEqualTo(10);
    run.commands.add(new Command.ChangePhase("c3", RunPhase.STOPPED, "enough"));
    assertThat(run.settle()).isEqualTo(new Outcome.Ended());
    assertThat(run.log.stream().filter(e -> e.body() instanceof PhaseChange)).hasSize(3);
  }

  @ParameterizedTest
  @EnumSource(
      value = RunPhase.class,
      names = {"STOPPED", "COMPLETED", "FAILED"})
  void deletesARunThatHasEndedAndDoesNothingElseWithIt(RunPhase end) {
    TestingRun run = new TestingRun(TestingRun.velocitune().build());
    run.commands.add(new Command.ChangePhase("c1", end, "it ends"));
    run.commands.add(new Command.ChangePhase("c2", RunPhase.RUNNING, "once more"));
    assertThat(run.settle()).isEqualTo(new Outcome.Ended());
    assertThat(run.state.phase()).isEqualTo(end);
    run.commands.add(new Command.ChangePhase("c3", RunPhase.DELETED, "gone"));
    run.commands.add(new Command.ChangePhase("c4", RunPhase.DELETED, "gone again"));
    run.commands.add(new Command.ChangePhase("c5", RunPhase.RUNNING, "back"));
    assertThat(run.settle()).isEqualTo(new Outcome.Ended());
    assertThat(run.log.stream().filter(entry -> entry.body() instanceof PhaseChange))
        .extracting(ControlEntry::body)
        .containsExactly(new PhaseChange(end, "c1"), new PhaseChange(RunPhase.DELETED, "c3"));
  }

  @Test
  void smoothsDecidedWeights() {
    TestingRun.Settings settings = TestingRun.velocitune();
    settings.newWeight = .25;
    TestingRun smooth = new TestingRun(settings.build());
    TestingRun plain = new TestingRun(TestingRun.velocitune().build());
    for (TestingRun run : List.of(smooth, plain)) {
      run.report(0, 4, 4);
      run.report(10, 3, 4);
      run.settle();
    }
    double moved = plain.state.decided().share(1) - .5;
    assertThat(smooth.state.decided().share(1) - .5)
        .isCloseTo(.25 * moved, org.assertj.core.data.Offset.offset(1e-11));
  }

  @Test
  void completesTheRunOfAPolicyThatHasFinished() {
    TestingRun.Settings settings = TestingRun.velocitune();
    settings.policy = "estimate-targets";
    settings.policySettings = Map.of("at", "1000 batches", "cap", "0.01");
    TestingRun run = new TestingRun(settings.build());
    for (long step = 0; step <= 20; step += 10) {
      run.report(step, 4 - step / 40.0, 2);
    }
    Outcome outcome = run.settle();
    while (outcome instanceof Outcome.Wait wait) {
      assertThat(wait.reason()).isEqualTo("policy estimate-targets works on step 20");
      LockSupport.parkNanos(100_000);
      outcome = run.settle();
    }
    assertThat(run.state.phase()).isEqualTo(RunPhase.COMPLETED);
    assertThat(run.state.position().granted()).isEqualTo(20);
    assertThat(run.log.get(run.log.size() - 1).why())
        .startsWith("feedback of step 20: 1 % of the tokens are used, targets are: a 3.5000");
  }

  @Test
  void failsTheRunOfAPolicyThatFails() {
    TestingRun.Settings settings = TestingRun.velocitune();
    settings.policy = "loss-share";
    settings.policySettings = Map.of();
    TestingRun run = new TestingRun(settings.build());
    run.report(10, -1, 2);
    run.settle();
    assertThat(run.state.phase()).isEqualTo(RunPhase.FAILED);
    assertThat(run.log.get(run.log.size() - 1).why())
        .isEqualTo(
            "policy loss-share failed on step 10: java.lang.IllegalArgumentException: share of"
                + " domain 0 must be finite and at least 0: -1.0");
  }

  @Test
  void closesTheRoundsOfAPolicyThatNeedsNoFeedback() {
    TestingRun.Settings settings = TestingRun.velocitune();
    settings.policy = "recorded";
    settings.policySettings = Map.of("at.0", "a=3 b=1", "at.20", "a=1 b=1");
    settings.initial = Weights.uniform(2);
    TestingRun run = new TestingRun(settings.build());
    run.settle();
    assertThat(run.state.position().granted()).isEqualTo(256);
    assertThat(run.grants().get(0).effective()).isEqualTo(Weights.ofShares(3, 1));
    assertThat(run.grants().get(2).effective()).isEqualTo(Weights.uniform(2));
  }

  @Test
  void startsFromTheWeightsThatThePolicyDetermines() {
    TestingRun.Settings settings = TestingRun.velocitune();
    settings.policy = "importance-sampling";
    settings.policySettings = Map.of("histogram.a", "3", "histogram.b", "1");
    settings.every = 0;
    assertThat(RunPolicy.start(settings.build()).decided()).isEqualTo(Weights.ofShares(3, 1));
  }

  @Test
  void waitsForAPolicyThatIsNotOnTheClassPathButStillObeys() {
    TestingRun.Settings settings = TestingRun.velocitune();
    Snapshot begin = RunPolicy.start(settings.build());
    settings.policy = "elsewhere";
    RunSettings named = settings.build();
    TestingRun run = new TestingRun(GrantPlanner.start(TestingRun.ID, named, begin, "applied"));
    assertThat(run.next())
        .isEqualTo(
            new Outcome.Wait(
                "policy 'elsewhere' is not on the class path of the job (--plugins DIR)", false));
    run.commands.add(new Command.ChangePhase("c1", RunPhase.STOPPED, "enough"));
    assertThat(run.settle()).isEqualTo(new Outcome.Ended());
    assertThat(run.state.phase()).isEqualTo(RunPhase.STOPPED);
  }

  @Test
  void staticKeepsItsWeightsAndRunsAheadByItsDefaultLead() {
    TestingRun.Settings settings = TestingRun.velocitune();
    settings.policy = "static";
    settings.policySettings = Map.of();
    settings.every = 0;
    settings.initial = Weights.ofShares(3, 1);
    TestingRun run = new TestingRun(settings.build());
    run.settle();
    assertThat(run.state.position().granted()).isEqualTo(256);
    assertThat(run.state.weightsVersion()).isEqualTo(1);
    assertThat(run.state.ordinals()[0]).isEqualTo(3 * run.state.ordinals()[1]);
  }

  @Test
  void refusesSettingsThatContradictEachOther() {
    TestingRun.Settings settings = TestingRun.velocitune();
    settings.every = 0;
    assertThatThrownBy(() -> RunPolicy.make(settings.build()))
        .hasMessage("policy.every must be at least 1 for velocitune: 0");
    settings.policy = "static";
    settings.policySettings = Map.of();
    settings.every = 3;
    assertThatThrownBy(() -> RunPolicy.make(settings.build()))
        .hasMessage("policy.every must be absent for static: 3");
    settings.every = 0;
    settings.newWeight = 0;
    assertThatThrownBy(settings::build).hasMessage("smoothing.new-weight must be in (0, 1]: 0.0");
  }
}
