package io.sluice.control.controller;

import static io.sluice.control.controller.TestingRuns.apply;
import static io.sluice.control.controller.TestingRuns.change;
import static io.sluice.control.controller.TestingRuns.feedback;
import static io.sluice.control.controller.TestingRuns.progress;
import static io.sluice.control.controller.TestingRuns.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.wire.RunSpecs;
import io.sluice.control.wire.Snapshots;
import io.sluice.mixture.decide.BatchSnapshots;
import io.sluice.mixture.decide.BatchSnapshots.Past;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.DomainShare;
import io.sluice.schema.DrainRun;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.ReviseRun;
import io.sluice.schema.RewindRun;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunOrigin;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStarted;
import io.sluice.schema.RunStateChanged;
import io.sluice.schema.SetWeights;
import io.sluice.schema.TrainerAttached;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.TrainerProgress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunControllerRevisionsTest {
  @Test
  void logsEachRevisionWithTheSpecificationThatItLeadsTo() {
    TestingController controller = TestingController.started(spec().build());
    controller.command(weights("w1", "a", .25));
    controller.settle();
    RunRevised weights = revisions(controller).get(0);
    assertThat(weights.getSpec()).isEqualTo(RunSpecs.complete(spec().build()));
    assertThat(weights.getSnapshot().getWeights()).containsExactly(1L << 38, 3L << 38);
    assertThat(controller.status().getWeightsVersion()).isEqualTo(2);
    RunSpec calm = calm();
    controller.command(
        new RunCommand(
            "p1", TestingRuns.RUN, 0L, new ReviseRun(calm, List.of(), "calm", -1L, List.of())));
    controller.crash();
    controller.settle();
    assertThat(revisions(controller).get(1).getSpec()).isEqualTo(RunSpecs.complete(calm));
    assertThat(controller.status().getGranted()).isEqualTo(256);
    controller.crash();
    controller.command(new RunCommand("d1", TestingRuns.RUN, 0L, new DrainRun(50L, "upgrade")));
    controller.settle();
    assertThat(revisions(controller).get(2).getSpec()).isEqualTo(RunSpecs.complete(calm));
    assertThat(controller.status().getGranted()).isEqualTo(306);
    assertThat(controller.log.grants())
        .last()
        .extracting(MixtureGrant::getWeightsVersion)
        .isEqualTo(4);
  }

  private static RunSpec calm() {
    return spec().setPolicy("static").setPolicySettings(Map.of()).setUpdateEvery(0).build();
  }

  private static ControlRecord last(TestingController controller) {
    List<ControlRecord> all = controller.log.all();
    return all.get(all.size() - 1);
  }

  @Test
  void refusesASpecificationThatWasMadeFromAnOlderOne() {
    TestingController controller = TestingController.started(calm());
    long read = last(controller).getSerial();
    controller.command(weights("w1", "a", .25));
    controller.command(revise("p1", spec().setLead(7).build(), read));
    controller.settle();
    assertThat(revisions(controller)).hasSize(2);
    long changed = revised(controller, "p1").getSerial();
    controller.crash();
    controller.command(revise("p2", spec().setLead(9).build(), read));
    controller.settle();
    assertThat(refusals(controller))
        .extracting(ControlRecord::getWhy)
        .containsExactly(
            "refused: the specification was changed meanwhile, by entry "
                + changed
                + " of the control log: this change is based on entry "
                + read
                + ", look at the run again");
    controller.command(revise("p3", spec().setLead(9).build(), changed));
    controller.settle();
    assertThat(revisions(controller)).hasSize(3);
  }

  private static ControlRecord revised(TestingController controller, String commandId) {
    return controller.log.all().stream()
        .filter(
            record ->
                record.getBody() instanceof RunRevised revised
                    && revised.getCommandId().equals(commandId))
        .findFirst()
        .orElseThrow();
  }

  private static RunCommand revise(String id, RunSpec to, long basedOn) {
    ReviseRun body = new ReviseRun(to, List.of(), "by hand", basedOn, List.of());
    return new RunCommand(id, TestingRuns.RUN, 0L, body);
  }

  @Test
  void holdsReportsUntilThePolicyOfTheirStepIsRead() {
    TestingController controller = TestingController.started(calm());
    TestingController behind = new TestingController(controller.log, "behind");
    behind.echoAll();
    ReviseRun revise = new ReviseRun(spec().build(), List.of(), "another policy", -1L, List.of());
    controller.command(new RunCommand("p1", TestingRuns.RUN, 0L, revise));
    controller.settle();
    assertThat(controller.status().getGranted()).isEqualTo(270);
    for (TestingController each : List.of(controller, behind)) {
      each.feedback(feedback(260, 3, 4));
      each.feedback(feedback(270, 2, 4));
    }
    assertThat(behind.status().getRefusedFeedback()).isZero();
    behind.proposed.clear();
    behind.echoAll();
    behind.pass(1_000);
    assertThat(controller.proposed).hasSize(1);
    assertThat(behind.proposed.get(behind.proposed.size() - 1).getBody())
        .isEqualTo(controller.proposed.get(0).getBody());
  }

  @Test
  void answersWhatItRefusesInTheLog() {
    TestingController controller = TestingController.started(spec().build());
    controller.command(weights("w1", "z", .25));
    RunSpec other = spec().setStreamPartitions(8).build();
    controller.command(
        new RunCommand(
            "p1", TestingRuns.RUN, 0L, new ReviseRun(other, List.of(), "", -1L, List.of())));
    controller.settle();
    List<ControlRecord> refusals = refusals(controller);
    assertThat(refusals.stream().map(ControlRecord::getWhy))
        .containsExactly(
            "refused: weights must be of domains of [a, b]: 'z'",
            "refused: stream-partitions must stay 4, a changed one is a new run: 8");
    int logged = controller.log.size();
    controller.command(weights("w1", "a", .25));
    controller.settle();
    assertThat(controller.log.size()).isEqualTo(logged);
  }

  @Test
  void rewindsAndHearsEachStepUnderTheTimelineThatOwnsIt() {
    TestingController controller = trained();
    assertThat(controller.status().getGranted()).isEqualTo(40);
    assertThat(controller.status().getProgress()).isEqualTo(30);
    controller.feedback(inTimeline(1, feedback(30, 2, 3)));
    controller.progress(inTimeline(1, progress(25)));
    controller.command(rewind(controller, "r1", 0, 25));
    controller.crash();
    controller.settle();
    assertThat(controller.status().getTimeline()).isEqualTo(1);
    assertThat(controller.status().getProgress()).isEqualTo(25);
    assertThat(controller.status().getGranted()).isEqualTo(40);
    controller.progress(progress(26));
    assertThat(controller.status().getLastRefusal())
        .isEqualTo("progress must be at least 0 in timeline 1: 26 in 0");
    controller.progress(inTimeline(1, progress(26)));
    assertThat(controller.status().getProgress()).isEqualTo(26);
    assertThat(
            controller.log.grants().get(controller.log.grants().size() - 1).getDecision().getStep())
        .isEqualTo(30);
    controller.command(rewind(controller, "r2", 0, 20));
    controller.settle();
    assertThat(refusals(controller).get(0).getWhy())
        .isEqualTo("refused: timeline must be the current one, 1: 0");
  }

  @Test
  void staysPausedThroughARewindAndGoesOnWhenItIsResumed() {
    TestingController controller = trained();
    controller.command(change("c1", "paused"));
    controller.command(rewind(controller, "r1", 0, 12));
    controller.settle();
    assertThat(controller.status().getPhase()).isEqualTo("paused");
    assertThat(controller.status().getGranted()).isEqualTo(12);
    controller.command(change("c2", "running"));
    controller.settle();
    assertThat(controller.status().getGranted()).isEqualTo(20);
  }

  @Test
  void startsAForkWithItsParentsState() {
    TestingController parent = trained();
    Past past = parent.log.past().forked(25, parent.log.past().state().settings());
    RunSpec own = spec().setRun("fork").build();
    RunOrigin origin = new RunOrigin(TestingRuns.RUN, 0, Snapshots.write(past.snapshot()));
    TestingController fork = new TestingController(new TestingLog(), "f");
    fork.command(
        new RunCommand(
            "a", TestingRuns.RUN, 0L, new ApplyRun(own, TestingRuns.STREAM, origin, false, false)));
    fork.settle();
    ControlRecord start = fork.log.all().get(0);
    assertThat(((RunStarted) start.getBody()).getOrigin()).isEqualTo(origin);
    assertThat(start.getWhy()).isEqualTo("forked from velo-1a2b at batch 25");
    assertThat(fork.status().getGranted()).isEqualTo(30);
    assertThat(fork.status().getProgress()).isEqualTo(25);
    fork.feedback(feedback(30, 2, 3));
    fork.settle();
    assertThat(fork.status().getGranted()).isEqualTo(40);
  }

  @Test
  void deletesARunThatNeverStarted() {
    TestingController controller = new TestingController(new TestingLog(), "w");
    controller.command(apply(spec().setUpdateEvery(0).build()));
    assertThat(controller.status().getPhase()).isEqualTo("failed");
    controller.command(change("c1", "deleted"));
    assertThat(controller.status().getPhase()).isEqualTo("deleted");
    assertThat(controller.store.load()).containsOnlyKeys("deleted");
    assertThat(controller.log.size()).isZero();
  }

  @Test
  void neverStartsARunThatWasWithdrawnBeforeAnybodyCouldStartIt() {
    TestingController controller = new TestingController(new TestingLog(), "w");
    controller.openAt(60_000);
    controller.command(apply(spec().build()));
    controller.command(change("c1", "deleted"));
    controller.pass(60_000);
    controller.crash();
    controller.pass(60_000);
    assertThat(controller.proposed).isEmpty();
    assertThat(controller.status().getPhase()).isEqualTo("deleted");
    assertThat(controller.status().getWaiting())
        .as("asked for before this instance began")
        .isEqualTo("deleted, or withdrawn before it was started");
    controller.pass(RunController.UNKNOWN_MILLIS);
    assertThat(controller.proposed).isEmpty();
    assertThat(controller.status().getPhase()).isEqualTo("deleted");
    assertThat(controller.store.load()).containsOnlyKeys("deleted");
  }

  @Test
  void deletesARunThatTheLogStartsAfterAll() {
    TestingController first = TestingController.started(spec().build());
    TestingController controller = new TestingController(first.log, "w2");
    controller.openAt(60_000);
    controller.command(apply(spec().build()));
    controller.command(change("c1", "deleted"));
    controller.pass(1_000);
    assertThat(controller.proposed).isEmpty();
    controller.echoAll();
    controller.settle();
    controller.pass(1_000);
    controller.settle();
    assertThat(((RunStateChanged) last(controller).getBody()).getState()).isEqualTo("deleted");
    assertThat(controller.status().getPhase()).isEqualTo("deleted");
  }

  @Test
  void deletesARunWhoseLogIsBroken() {
    TestingController controller = TestingController.started(spec().build());
    controller.feedback(feedback(0, 4, 4));
    controller.feedback(feedback(10, 3, 4));
    ControlRecord next = controller.proposed.get(0);
    ((MixtureGrant) next.getBody()).setAfter(3L);
    controller.settle();
    assertThat(controller.status().getPhase()).isEqualTo("failed");
    controller.command(change("c1", "stopped"));
    controller.crash();
    assertThat(controller.status().getPhase()).isEqualTo("failed");
    controller.command(change("c2", "deleted"));
    assertThat(controller.status().getPhase()).isEqualTo("deleted");
    assertThat(controller.store.load()).containsOnlyKeys("deleted");
  }

  @Test
  void namesAnotherWriterThatIsAlive() {
    TestingController controller = TestingController.started(spec().build());
    assertThat(controller.status().getOtherWriter()).isEmpty();
    ControlRecord foreign =
        ControlRecord.newBuilder(controller.log.all().get(0))
            .setWriter("old-deployment")
            .setSerial(7)
            .setTimeMillis(5_000)
            .build();
    controller.log.append(foreign);
    controller.echoAll();
    assertThat(controller.status().getOtherWriter())
        .isEqualTo("old-deployment, last at 1970-01-01T00:00:05Z");
    assertThat(controller.status().getIgnoredControl()).isEqualTo(1);
    controller.pass(120_000);
    assertThat(controller.status().getOtherWriter()).isEmpty();
  }

  @Test
  void showsWhoTrainsAndWhatTheyDoNotMeasure() {
    TestingController controller = TestingController.started(spec().build());
    controller.attached(attached(0, 2, 0, "h-1", "train_loss"));
    controller.attached(attached(1, 2, 0, "h-1", "eval_loss"));
    controller.attached(attached(1, 2, 1, "h-1"));
    assertThat(controller.status().getTrainers())
        .containsExactly(
            "rank 0 of 2 on host, pid 4, from batch 3, measures [train_loss]",
            "rank 1 of 2 on host, pid 4, from batch 3, measures [eval_loss]",
            "rank 1 of 2 (replica 1) on host, pid 4, from batch 3, measures []");
    assertThat(controller.status().getWaiting())
        .endsWith("; rank 0 of 2 on host, pid 4 does not measure [eval_loss]");
    controller.attached(attached(0, 1, 0, "h-2", "eval_loss"));
    controller.crash();
    assertThat(controller.status().getTrainers())
        .containsExactly("rank 0 of 1 on host, pid 4, from batch 3, measures [eval_loss]");
    assertThat(controller.status().getWaiting()).doesNotContain("does not measure");
    controller.attached(attached(3, 2, 0, "h-3"));
    assertThat(controller.status().getLastRefusal())
        .isEqualTo("trainer rank must be in [0, world size): 3 of 2");
    controller.attached(attached(0, 2, 0, "h-4", "Eval loss"));
    assertThat(controller.status().getLastRefusal())
        .isEqualTo("trainer metric must be named as [a-z][a-z0-9_.-]{0,63}: 'Eval loss'");
    controller.attached(attached(0, 2, 0, "h-5", "m ".repeat(65).split(" ")));
    assertThat(controller.status().getLastRefusal())
        .isEqualTo("trainer at most 64 metrics may be named: 65");
  }

  @Test
  void showsWhenEachTrainerWasHeardLastButNotEachOfTheirWords() {
    TestingController controller = TestingController.started(spec().build());
    controller.attached(attached(0, 2, 0, "h-1", "eval_loss"));
    controller.attached(attached(1, 2, 0, "h-1", "eval_loss"));
    long first = controller.now;
    assertThat(controller.status().getHeardMillis()).containsExactly(first, first);
    controller.progress(keeping(1, 2, 4));
    controller.status();
    int published = controller.statuses.size();
    controller.pass(5_000);
    controller.progress(keeping(1, 2, 4));
    controller.status();
    assertThat(controller.statuses).as("said again soon").hasSize(published);
    controller.pass(20_000);
    long later = controller.now;
    controller.progress(keeping(1, 2, 4));
    assertThat(controller.status().getHeardMillis()).containsExactly(first, later);
    controller.crash();
    assertThat(controller.status().getHeardMillis()).containsExactly(0L, 0L);
  }

  @Test
  void refusesAPolicyThatTheAttachedTrainersDoNotMeasureFor() {
    TestingController controller = trained();
    controller.attached(attached(0, 2, 0, "h-1", "eval_loss"));
    controller.attached(attached(1, 2, 0, "h-1", "eval_loss"));
    controller.command(dga("c1"));
    controller.settle();
    assertThat(refusals(controller))
        .extracting(ControlRecord::getWhy)
        .containsExactly(
            "refused: policy dga needs [alignment], and rank 0 of 2 on host, pid 4 does not measure"
                + " [alignment], nor do 1 other ranks: attach trainers that do, then ask again");
    assertThat(revisions(controller)).isEmpty();
    controller.command(revise("c2", spec().setLag(1).build()));
    controller.settle();
    assertThat(revisions(controller)).hasSize(1);
    controller.attached(attached(0, 1, 0, "h-2", "eval_loss", "alignment"));
    controller.command(dga("c3"));
    controller.settle();
    assertThat(revisions(controller)).hasSize(2);
    assertThat(refusals(controller)).hasSize(1);
  }

  @Test
  void namesTrainersThatDoNotSayWhatTheyMeasureToWhoChangesThePolicy() {
    TestingController controller = trained();
    controller.attached(attached(0, 1, 0, "h-1"));
    controller.command(revise("c0", spec().setLag(1).build()));
    controller.command(dga("c1"));
    controller.settle();
    assertThat(whys(controller))
        .containsExactly(
            "by hand",
            "by hand; policy dga needs [alignment], and rank 0 of 1 on host, pid 4 has not said what"
                + " it measures: until that is reported, its rounds wait");
    controller.attached(attached(0, 3, 0, "h-2", "alignment", "eval_loss"));
    controller.attached(attached(1, 3, 0, "h-2"));
    controller.attached(attached(2, 3, 0, "h-2"));
    controller.command(revise("c2", spec().build()));
    controller.command(dga("c3"));
    controller.settle();
    assertThat(whys(controller).get(3))
        .contains(
            "rank 1 of 3 on host, pid 4 has not said what it measures, nor have 1 other ranks");
  }

  private static RunCommand dga(String id) {
    return revise(id, spec().setPolicy("dga").setPolicySettings(Map.of()).build());
  }

  private static RunCommand revise(String id, RunSpec to) {
    return new RunCommand(
        id, TestingRuns.RUN, 0L, new ReviseRun(to, List.of(), "by hand", -1L, List.of()));
  }

  @Test
  void knowsTheOldestCheckpointOnceEveryRankHasNamedOne() {
    TestingController controller = TestingController.started(spec().build());
    controller.progress(keeping(0, 2, 6));
    assertThat(controller.status().getOldestCheckpoint()).isEqualTo(-1);
    controller.progress(keeping(1, 2, 4));
    controller.crash();
    assertThat(controller.status().getOldestCheckpoint()).isEqualTo(4);
    for (int rank = 0; rank < 4; rank++) {
      controller.progress(keeping(rank, 4, 9));
    }
    assertThat(controller.status().getOldestCheckpoint()).isEqualTo(9);
  }

  @Test
  void reclaimsWhatNoCheckpointOfAnyRankNeedsAndNotTooOften() {
    TestingController controller =
        TestingController.started(spec().setReclaim("checkpoint").build());
    controller.progress(keeping(0, 2, 6));
    assertThat(controller.reclaims).isEmpty();
    controller.progress(keeping(1, 2, 4));
    controller.progress(keeping(1, 2, 5));
    assertThat(controller.reclaims).hasSize(1);
    assertThat(controller.reclaims.get(0).before()).isEqualTo(5);
    assertThat(controller.reclaims.get(0).run()).isEqualTo("velo");
    assertThat(controller.reclaims.get(0).streamTopicId()).isEqualTo(TestingRuns.STREAM);
    controller.pass(20_000);
    assertThat(controller.reclaims.get(1).before()).isEqualTo(6);
    controller.progress(keeping(1, 2, 11));
    assertThat(controller.status().getLastRefusal())
        .isEqualTo("progress oldest checkpoint must be in [-1, 9]: 11");
    controller.pass(60_000);
    assertThat(controller.reclaims).hasSize(2);
  }

  @Test
  void whatAProcessBesideTheAttachedOnesKeepsCutsNothing() {
    TestingController controller =
        TestingController.started(spec().setReclaim("checkpoint").build());
    controller.attached(attached(0, 2, 0, "h-0", "eval_loss"));
    controller.attached(attached(1, 2, 0, "h-1", "eval_loss"));
    controller.progress(keeping(0, 2, 6));
    controller.progress(keeping(1, 2, 4));
    controller.progress(keeping(0, 1, 9));
    controller.pass(60_000);
    assertThat(controller.reclaims).hasSize(1);
    assertThat(controller.reclaims.get(0).before()).isEqualTo(5);
    assertThat(controller.status().getOldestCheckpoint()).isEqualTo(4);
    assertThat(controller.status().getProgress()).isEqualTo(9);
  }

  @Test
  void reclaimsNothingUnlessTheRunAsksForIt() {
    TestingController controller = TestingController.started(spec().build());
    controller.progress(keeping(0, 1, 6));
    controller.pass(60_000);
    assertThat(controller.reclaims).isEmpty();
  }

  private static TestingController trained() {
    TestingController controller = TestingController.started(spec().build());
    controller.feedback(feedback(0, 4, 4));
    for (long step = 10; step <= 30; step += 10) {
      controller.feedback(feedback(step, 4 - step * 0.05, 4));
      controller.progress(progress(step));
      controller.settle();
    }
    return controller;
  }

  private static RunCommand weights(String id, String domain, double share) {
    var set = new SetWeights(List.of(new DomainShare(domain, share)), null, "by hand");
    return new RunCommand(id, TestingRuns.RUN, 0L, set);
  }

  private static RunCommand rewind(
      TestingController controller, String id, int timeline, long batch) {
    BatchSnapshots past = controller.log.past();
    var snapshot = Snapshots.write(past.rewound(batch, batch).snapshot());
    return new RunCommand(
        id,
        TestingRuns.RUN,
        0L,
        new RewindRun(timeline, spec().build(), snapshot, batch, "loss spike"));
  }

  private static TrainerFeedback inTimeline(int timeline, TrainerFeedback feedback) {
    return TrainerFeedback.newBuilder(feedback).setTimeline(timeline).build();
  }

  private static TrainerProgress inTimeline(int timeline, TrainerProgress progress) {
    return TrainerProgress.newBuilder(progress).setTimeline(timeline).build();
  }

  private static TrainerProgress keeping(int rank, int world, long checkpoint) {
    return TrainerProgress.newBuilder(progress(9))
        .setRank(rank)
        .setWorldSize(world)
        .setOldestCheckpoint(checkpoint)
        .build();
  }

  static TrainerAttached attached(
      int rank, int world, int replica, String holder, String... metrics) {
    return TrainerAttached.newBuilder()
        .setRunId(TestingRuns.RUN)
        .setTimeline(0)
        .setBatch(3)
        .setWorldSize(world)
        .setRank(rank)
        .setReplica(replica)
        .setHolder(holder)
        .setHost("host")
        .setPid(4)
        .setMetrics(List.of(metrics))
        .setTimeMillis(0)
        .build();
  }

  private static List<RunRevised> revisions(TestingController controller) {
    return controller.log.all().stream()
        .map(ControlRecord::getBody)
        .filter(RunRevised.class::isInstance)
        .map(RunRevised.class::cast)
        .toList();
  }

  /** Why each revision was made. */
  private static List<String> whys(TestingController controller) {
    return controller.log.all().stream()
        .filter(entry -> entry.getBody() instanceof RunRevised)
        .map(ControlRecord::getWhy)
        .toList();
  }

  private static List<ControlRecord> refusals(TestingController controller) {
    return controller.log.all().stream()
        .filter(r -> r.getBody() instanceof RunStateChanged change && change.getRefused())
        .toList();
  }
}
