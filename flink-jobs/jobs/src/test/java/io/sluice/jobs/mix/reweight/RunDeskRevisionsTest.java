package io.sluice.jobs.mix.reweight;

import static io.sluice.jobs.mix.reweight.TestingRuns.apply;
import static io.sluice.jobs.mix.reweight.TestingRuns.change;
import static io.sluice.jobs.mix.reweight.TestingRuns.feedback;
import static io.sluice.jobs.mix.reweight.TestingRuns.progress;
import static io.sluice.jobs.mix.reweight.TestingRuns.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.jobs.control.Snapshots;
import io.sluice.mixture.control.BatchSnapshots;
import io.sluice.mixture.control.BatchSnapshots.Past;
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

class RunDeskRevisionsTest {
  @Test
  void logsEachRevisionWithTheSpecificationThatItLeadsTo() {
    TestingDesk desk = TestingDesk.started(spec().build());
    desk.command(weights("w1", "a", .25));
    desk.settle();
    RunRevised weights = revisions(desk).get(0);
    assertThat(weights.getSpec()).isEqualTo(spec().build());
    assertThat(weights.getSnapshot().getWeights()).containsExactly(1L << 38, 3L << 38);
    assertThat(desk.status().getWeightsVersion()).isEqualTo(2);
    RunSpec calm = calm();
    desk.command(new RunCommand("p1", TestingRuns.RUN, 0L, new ReviseRun(calm, List.of(), "calm")));
    desk.crash();
    desk.settle();
    assertThat(revisions(desk).get(1).getSpec()).isEqualTo(calm);
    assertThat(desk.status().getGranted()).isEqualTo(256);
    desk.crash();
    desk.command(new RunCommand("d1", TestingRuns.RUN, 0L, new DrainRun(50L, "upgrade")));
    desk.settle();
    assertThat(revisions(desk).get(2).getSpec()).isEqualTo(calm);
    assertThat(desk.status().getGranted()).isEqualTo(306);
    assertThat(desk.log.grants()).last().extracting(MixtureGrant::getWeightsVersion).isEqualTo(4);
  }

  private static RunSpec calm() {
    return spec().setPolicy("static").setPolicySettings(Map.of()).setUpdateEvery(0).build();
  }

  @Test
  void holdsReportsUntilThePolicyOfTheirStepIsRead() {
    TestingDesk desk = TestingDesk.started(calm());
    TestingDesk behind = new TestingDesk(desk.log, "behind");
    behind.echoAll();
    ReviseRun revise = new ReviseRun(spec().build(), List.of(), "another policy");
    desk.command(new RunCommand("p1", TestingRuns.RUN, 0L, revise));
    desk.settle();
    assertThat(desk.status().getGranted()).isEqualTo(270);
    for (TestingDesk each : List.of(desk, behind)) {
      each.feedback(feedback(260, 3, 4));
      each.feedback(feedback(270, 2, 4));
    }
    assertThat(behind.status().getRefusedFeedback()).isZero();
    behind.proposed.clear();
    behind.echoAll();
    behind.pass(1_000);
    assertThat(desk.proposed).hasSize(1);
    assertThat(behind.proposed.get(behind.proposed.size() - 1).getBody())
        .isEqualTo(desk.proposed.get(0).getBody());
  }

  @Test
  void answersWhatItRefusesInTheLog() {
    TestingDesk desk = TestingDesk.started(spec().build());
    desk.command(weights("w1", "z", .25));
    RunSpec other = spec().setStreamPartitions(8).build();
    desk.command(new RunCommand("p1", TestingRuns.RUN, 0L, new ReviseRun(other, List.of(), "")));
    desk.settle();
    List<ControlRecord> refusals = refusals(desk);
    assertThat(refusals.stream().map(ControlRecord::getWhy))
        .containsExactly(
            "refused: weights must be of domains of [a, b]: 'z'",
            "refused: stream-partitions must stay 4, a changed one is a new run: 8");
    int logged = desk.log.size();
    desk.command(weights("w1", "a", .25));
    desk.settle();
    assertThat(desk.log.size()).isEqualTo(logged);
  }

  @Test
  void rewindsAndHearsEachStepUnderTheTimelineThatOwnsIt() {
    TestingDesk desk = trained();
    assertThat(desk.status().getGranted()).isEqualTo(40);
    assertThat(desk.status().getProgress()).isEqualTo(30);
    desk.feedback(inTimeline(1, feedback(30, 2, 3)));
    desk.progress(inTimeline(1, progress(25)));
    desk.command(rewind(desk, "r1", 0, 25));
    desk.crash();
    desk.settle();
    assertThat(desk.status().getTimeline()).isEqualTo(1);
    assertThat(desk.status().getProgress()).isEqualTo(25);
    assertThat(desk.status().getGranted()).isEqualTo(40);
    desk.progress(progress(26));
    assertThat(desk.status().getLastRefusal())
        .isEqualTo("progress must be at least 0 in timeline 1: 26 in 0");
    desk.progress(inTimeline(1, progress(26)));
    assertThat(desk.status().getProgress()).isEqualTo(26);
    assertThat(desk.log.grants().get(desk.log.grants().size() - 1).getDecision().getStep())
        .isEqualTo(30);
    desk.command(rewind(desk, "r2", 0, 20));
    desk.settle();
    assertThat(refusals(desk).get(0).getWhy())
        .isEqualTo("refused: timeline must be the current one, 1: 0");
  }

  @Test
  void staysPausedThroughARewindAndGoesOnWhenItIsResumed() {
    TestingDesk desk = trained();
    desk.command(change("c1", "paused"));
    desk.command(rewind(desk, "r1", 0, 12));
    desk.settle();
    assertThat(desk.status().getPhase()).isEqualTo("paused");
    assertThat(desk.status().getGranted()).isEqualTo(12);
    desk.command(change("c2", "running"));
    desk.settle();
    assertThat(desk.status().getGranted()).isEqualTo(20);
  }

  @Test
  void startsAForkWithItsParentsState() {
    TestingDesk parent = trained();
    Past past = parent.log.past().forked(25, parent.log.past().state().settings());
    RunSpec own = spec().setRun("fork").build();
    RunOrigin origin = new RunOrigin(TestingRuns.RUN, 0, Snapshots.write(past.snapshot()));
    TestingDesk fork = new TestingDesk(new TestingLog(), "f");
    fork.command(
        new RunCommand("a", TestingRuns.RUN, 0L, new ApplyRun(own, TestingRuns.STREAM, origin)));
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
    TestingDesk desk = new TestingDesk(new TestingLog(), "w");
    desk.command(apply(spec().setUpdateEvery(0).build()));
    assertThat(desk.status().getPhase()).isEqualTo("failed");
    desk.command(change("c1", "deleted"));
    assertThat(desk.status().getPhase()).isEqualTo("deleted");
    assertThat(desk.store.load()).containsOnlyKeys("deleted");
    assertThat(desk.log.size()).isZero();
  }

  @Test
  void deletesARunWhoseLogIsBroken() {
    TestingDesk desk = TestingDesk.started(spec().build());
    desk.feedback(feedback(0, 4, 4));
    desk.feedback(feedback(10, 3, 4));
    ControlRecord next = desk.proposed.get(0);
    ((MixtureGrant) next.getBody()).setAfter(3L);
    desk.settle();
    assertThat(desk.status().getPhase()).isEqualTo("failed");
    desk.command(change("c1", "stopped"));
    desk.crash();
    assertThat(desk.status().getPhase()).isEqualTo("failed");
    desk.command(change("c2", "deleted"));
    assertThat(desk.status().getPhase()).isEqualTo("deleted");
    assertThat(desk.store.load()).containsOnlyKeys("deleted");
  }

  @Test
  void namesAnotherWriterThatIsAlive() {
    TestingDesk desk = TestingDesk.started(spec().build());
    assertThat(desk.status().getOtherWriter()).isEmpty();
    ControlRecord foreign =
        ControlRecord.newBuilder(desk.log.all().get(0))
            .setWriter("old-deployment")
            .setSerial(7)
            .setTimeMillis(5_000)
            .build();
    desk.log.append(foreign);
    desk.echoAll();
    assertThat(desk.status().getOtherWriter())
        .isEqualTo("old-deployment, last at 1970-01-01T00:00:05Z");
    assertThat(desk.status().getIgnoredControl()).isEqualTo(1);
    desk.pass(120_000);
    assertThat(desk.status().getOtherWriter()).isEmpty();
  }

  @Test
  void showsWhoTrainsAndWhatTheyDoNotMeasure() {
    TestingDesk desk = TestingDesk.started(spec().build());
    desk.attached(attached(0, 2, 0, "h-1", "train_loss"));
    desk.attached(attached(1, 2, 0, "h-1", "eval_loss"));
    desk.attached(attached(1, 2, 1, "h-1"));
    assertThat(desk.status().getTrainers())
        .containsExactly(
            "rank 0 of 2 on host, pid 4, from batch 3, measures [train_loss]",
            "rank 1 of 2 on host, pid 4, from batch 3, measures [eval_loss]",
            "rank 1 of 2 (replica 1) on host, pid 4, from batch 3, measures []");
    assertThat(desk.status().getWaiting())
        .endsWith("; rank 0 of 2 on host, pid 4 does not measure [eval_loss]");
    desk.attached(attached(0, 1, 0, "h-2", "eval_loss"));
    desk.crash();
    assertThat(desk.status().getTrainers())
        .containsExactly("rank 0 of 1 on host, pid 4, from batch 3, measures [eval_loss]");
    assertThat(desk.status().getWaiting()).doesNotContain("does not measure");
    desk.attached(attached(3, 2, 0, "h-3"));
    assertThat(desk.status().getLastRefusal())
        .isEqualTo("trainer rank must be in [0, world size): 3 of 2");
  }

  @Test
  void refusesAPolicyThatTheAttachedTrainersDoNotMeasureFor() {
    TestingDesk desk = trained();
    desk.attached(attached(0, 2, 0, "h-1", "eval_loss"));
    desk.attached(attached(1, 2, 0, "h-1", "eval_loss"));
    desk.command(dga("c1"));
    desk.settle();
    assertThat(refusals(desk))
        .extracting(ControlRecord::getWhy)
        .containsExactly(
            "refused: policy dga needs [alignment], and rank 0 of 2 on host, pid 4 does not measure"
                + " [alignment], nor do 1 other ranks: attach trainers that do, then ask again");
    assertThat(revisions(desk)).isEmpty();
    desk.command(revise("c2", spec().setLag(1).build()));
    desk.settle();
    assertThat(revisions(desk)).hasSize(1);
    desk.attached(attached(0, 1, 0, "h-2", "eval_loss", "alignment"));
    desk.command(dga("c3"));
    desk.settle();
    assertThat(revisions(desk)).hasSize(2);
    assertThat(refusals(desk)).hasSize(1);
  }

  @Test
  void takesTrainersThatDoNotSayWhatTheyMeasureAtNoWord() {
    TestingDesk desk = trained();
    desk.attached(attached(0, 1, 0, "h-1"));
    desk.command(dga("c1"));
    desk.settle();
    assertThat(revisions(desk)).hasSize(1);
  }

  private static RunCommand dga(String id) {
    return revise(id, spec().setPolicy("dga").setPolicySettings(Map.of()).build());
  }

  private static RunCommand revise(String id, RunSpec to) {
    return new RunCommand(id, TestingRuns.RUN, 0L, new ReviseRun(to, List.of(), "by hand"));
  }

  @Test
  void knowsTheOldestCheckpointOnceEveryRankHasNamedOne() {
    TestingDesk desk = TestingDesk.started(spec().build());
    desk.progress(keeping(0, 2, 6));
    assertThat(desk.status().getOldestCheckpoint()).isEqualTo(-1);
    desk.progress(keeping(1, 2, 4));
    desk.crash();
    assertThat(desk.status().getOldestCheckpoint()).isEqualTo(4);
    desk.progress(keeping(0, 1, 9));
    assertThat(desk.status().getOldestCheckpoint()).isEqualTo(9);
  }

  @Test
  void reclaimsWhatNoCheckpointOfAnyRankNeedsAndNotTooOften() {
    TestingDesk desk = TestingDesk.started(spec().setReclaim("checkpoint").build());
    desk.progress(keeping(0, 2, 6));
    assertThat(desk.reclaims).isEmpty();
    desk.progress(keeping(1, 2, 4));
    desk.progress(keeping(1, 2, 5));
    assertThat(desk.reclaims).hasSize(1);
    assertThat(desk.reclaims.get(0).before).isEqualTo(5);
    assertThat(desk.reclaims.get(0).run).isEqualTo("velo");
    assertThat(desk.reclaims.get(0).streamTopicId).isEqualTo(TestingRuns.STREAM);
    desk.pass(20_000);
    assertThat(desk.reclaims.get(1).before).isEqualTo(6);
    desk.progress(keeping(1, 2, 11));
    assertThat(desk.status().getLastRefusal())
        .isEqualTo("progress oldest checkpoint must be in [-1, 9]: 11");
    desk.pass(60_000);
    assertThat(desk.reclaims).hasSize(2);
  }

  @Test
  void reclaimsNothingUnlessTheRunAsksForIt() {
    TestingDesk desk = TestingDesk.started(spec().build());
    desk.progress(keeping(0, 1, 6));
    desk.pass(60_000);
    assertThat(desk.reclaims).isEmpty();
  }

  private static TestingDesk trained() {
    TestingDesk desk = TestingDesk.started(spec().build());
    desk.feedback(feedback(0, 4, 4));
    for (long step = 10; step <= 30; step += 10) {
      desk.feedback(feedback(step, 4 - step * 0.05, 4));
      desk.progress(progress(step));
      desk.settle();
    }
    return desk;
  }

  private static RunCommand weights(String id, String domain, double share) {
    var set = new SetWeights(List.of(new DomainShare(domain, share)), null, "by hand");
    return new RunCommand(id, TestingRuns.RUN, 0L, set);
  }

  private static RunCommand rewind(TestingDesk desk, String id, int timeline, long batch) {
    BatchSnapshots past = desk.log.past();
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

  private static TrainerAttached attached(
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

  private static List<RunRevised> revisions(TestingDesk desk) {
    return desk.log.all().stream()
        .map(ControlRecord::getBody)
        .filter(RunRevised.class::isInstance)
        .map(RunRevised.class::cast)
        .toList();
  }

  private static List<ControlRecord> refusals(TestingDesk desk) {
    return desk.log.all().stream()
        .filter(r -> r.getBody() instanceof RunStateChanged change && change.getRefused())
        .toList();
  }
}
