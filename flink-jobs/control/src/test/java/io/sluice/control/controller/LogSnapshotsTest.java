package io.sluice.control.controller;

import static io.sluice.control.controller.TestingRuns.applyOwn;
import static io.sluice.control.controller.TestingRuns.change;
import static io.sluice.control.controller.TestingRuns.feedback;
import static io.sluice.control.controller.TestingRuns.progress;
import static io.sluice.control.controller.TestingRuns.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.control.topics.RunLog;
import io.sluice.control.wire.ControlWire;
import io.sluice.control.wire.Snapshots;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.DomainShare;
import io.sluice.schema.EarlierSnapshot;
import io.sluice.schema.EntryDigest;
import io.sluice.schema.GoverningEntry;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.ReviseRun;
import io.sluice.schema.RewindRun;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunSpec;
import io.sluice.schema.SetWeights;
import io.sluice.schema.TimelineOpening;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.TrainerProgress;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LogSnapshotsTest {
  private static final int NEVER = 1 << 20;

  private static TestingController started(RunSpec spec, int every) {
    TestingController controller = new TestingController(new TestingLog(), "w", every);
    controller.command(applyOwn(spec, true));
    controller.settle();
    return controller;
  }

  /** A run whose specification, weights, phase and timeline change while its rounds go on. */
  private static TestingController eventful(int every) {
    RunSpec spec = spec().setBatches(400).build();
    TestingController controller = started(spec, every);
    controller.feedback(feedback(0, 4, 4));
    rounds(controller, 0, 10, 60);
    command(controller, "w1", new SetWeights(List.of(new DomainShare("a", .25)), null, "by hand"));
    rounds(controller, 0, 70, 120);
    RunSpec revised = spec().setBatches(400).setLead(20).build();
    command(controller, "p1", new ReviseRun(revised, List.of(), "a lead", -1L, List.of()));
    controller.command(change("c1", "paused"));
    controller.settle();
    controller.command(change("c2", "running"));
    controller.settle();
    rounds(controller, 0, 130, 200);
    var snapshot = Snapshots.write(controller.log.past().rewound(95, 110).snapshot());
    command(controller, "r1", new RewindRun(0, spec, snapshot, 110L, "a spike"));
    rounds(controller, 1, 100, 250);
    return controller;
  }

  private static void command(TestingController controller, String id, Object body) {
    controller.command(new RunCommand(id, TestingRuns.RUN, 0L, body));
    controller.settle();
  }

  private static void rounds(TestingController controller, int timeline, long from, long to) {
    for (long step = from; step <= to; step += 10) {
      controller.progress(TrainerProgress.newBuilder(progress(step)).setTimeline(timeline).build());
      controller.settle();
      controller.feedback(
          TrainerFeedback.newBuilder(feedback(step, 4 - step * 0.005, 4))
              .setTimeline(timeline)
              .build());
      controller.settle();
    }
  }

  private static LogSnapshot last(TestingController controller) {
    List<Long> offsets = controller.log.offsets(LogSnapshot.class);
    return (LogSnapshot) controller.log.at(offsets.get(offsets.size() - 1)).getBody();
  }

  @Test
  void aSnapshotIsAnEntryAfterSoManyAndChangesNothing() {
    TestingController without = eventful(NEVER);
    TestingController with = eventful(4);
    assertThat(without.log.offsets(LogSnapshot.class)).isEmpty();
    assertThat(with.log.offsets(LogSnapshot.class)).hasSizeGreaterThan(8);
    assertThat(with.status().getWaiting()).isEqualTo(without.status().getWaiting());
    assertThat(with.status().getIgnoredControl()).isZero();
    assertThat(with.log.grants().stream().map(MixtureGrant::getCounts).toList())
        .isEqualTo(without.log.grants().stream().map(MixtureGrant::getCounts).toList());
    int entries = 0;
    for (ControlRecord record : with.log.all()) {
      boolean isSnapshot = record.getBody() instanceof LogSnapshot;
      assertThat(isSnapshot).isEqualTo(entries == 4);
      entries = isSnapshot ? 0 : entries + 1;
    }
  }

  @Test
  void whoBeginsAtAnySnapshotComesToTheSameStateAsWhoHasReadAll() {
    TestingController all = eventful(4);
    Map<String, String> expected = folded(all);
    for (long offset : all.log.offsets(LogSnapshot.class)) {
      TestingController late = new TestingController(all.log, "late", 4);
      late.openAt(1_000_000, offset);
      late.echoAll();
      assertThat(folded(late)).isEqualTo(expected);
      assertThat(late.status().getGranted()).isEqualTo(all.status().getGranted());
      late.crash();
      late.settle();
      assertThat(folded(late)).isEqualTo(expected);
      assertThat(late.status().getRun()).isEqualTo("velo");
    }
  }

  private static Map<String, String> folded(TestingController controller) {
    Map<String, String> parts = new TreeMap<>();
    controller.store.load().entrySet().stream()
        .filter(part -> List.of("fold", "outline").contains(part.getKey()))
        .forEach(part -> parts.put(part.getKey(), HexFormat.of().formatHex(part.getValue())));
    assertThat(parts).hasSize(2);
    return parts;
  }

  @Test
  void whoBeginsAtASnapshotGoesOnWithTheRun() {
    TestingController all = eventful(4);
    List<Long> snapshots = all.log.offsets(LogSnapshot.class);
    TestingController late = new TestingController(all.log, "late", 4);
    late.openAt(1_000_000, snapshots.get(snapshots.size() - 1));
    late.echoAll();
    late.pass(1_000);
    rounds(late, 1, 250, 390);
    assertThat(late.status().getPhase()).isEqualTo("completed");
    assertThat(late.status().getGranted()).isEqualTo(400);
    assertThat(late.log.past().state().position().granted()).isEqualTo(400);
  }

  @Test
  void namesWhatGovernsTheTimelinesAndTheSnapshotsBefore() {
    TestingController controller = eventful(4);
    LogSnapshot last = last(controller);
    assertThat(last.getOpenings())
        .extracting(TimelineOpening::getTimeline, TimelineOpening::getAfter)
        .containsExactly(tuple(0, 0L), tuple(1, 95L));
    assertThat(last.getGoverning()).extracting(GoverningEntry::getAfter).containsExactly(0L, 95L);
    assertThat(last.getAnswered()).containsExactly("w1", "p1", "c1", "c2", "r1");
    assertThat(last.getWhy()).isEqualTo("somebody asked");
    assertThat(last.getState()).isEqualTo("running");
    assertThat(last.getEarlier())
        .isNotEmpty()
        .allSatisfy(
            earlier -> {
              ControlRecord there = controller.log.at(earlier.getOffset());
              assertThat(there.getSerial()).isEqualTo(earlier.getSerial());
              assertThat(((LogSnapshot) there.getBody()).getSnapshot().getBatch())
                  .isEqualTo(earlier.getBatch());
            })
        .extracting(EarlierSnapshot::getBatch)
        .isSorted();
    long rewinds = controller.log.at(last.getGoverning().get(1).getOffset()).getSerial();
    assertThat(last.getEarlier())
        .filteredOn(earlier -> earlier.getSerial() < rewinds)
        .isNotEmpty()
        .allSatisfy(earlier -> assertThat(earlier.getBatch()).isLessThanOrEqualTo(95));
  }

  @Test
  void atMostSixtyFourEarlierSnapshotsAreNamed() {
    TestingController controller = started(spec().setBatches(3_000).build(), 1);
    controller.feedback(feedback(0, 4, 4));
    rounds(controller, 0, 10, 2_000);
    List<Long> snapshots = controller.log.offsets(LogSnapshot.class);
    assertThat(snapshots).hasSizeGreaterThan(190);
    for (long offset : snapshots) {
      assertThat(((LogSnapshot) controller.log.at(offset).getBody()).getEarlier())
          .hasSizeLessThanOrEqualTo(64);
    }
    assertThat(last(controller).getEarlier())
        .hasSizeGreaterThan(32)
        .first()
        .extracting(EarlierSnapshot::getOffset)
        .isEqualTo(snapshots.get(0));
  }

  @Test
  void aSnapshotThatSaysSomethingElseBreaksTheLog() {
    TestingController controller = eventful(NEVER);
    TestingController honest = eventful(4);
    ControlRecord end = controller.log.all().get(controller.log.size() - 1);
    LogSnapshot forged =
        LogSnapshot.newBuilder(last(honest)).setStreamTopicId("another").setRounds(1).build();
    long offset = controller.log.offsets(Object.class).get(controller.log.size() - 1);
    controller.log.append(
        ControlRecord.newBuilder(end)
            .setTimeline(1)
            .setSerial(end.getSerial() + 1)
            .setBasedOn(offset)
            .setBasedOnDigest(EntryDigest.of(ControlWire.encode(end, RunLog.OWN)))
            .setBody(forged)
            .build());
    controller.settle();
    assertThat(controller.status().getPhase()).isEqualTo("failed");
    assertThat(controller.status().getWaiting()).contains("snapshot at serial");
    assertThat(controller.proposed).isEmpty();
  }

  @Test
  void aRunThatHasEndedLeavesASnapshotIfItsLogIsWorthOne() {
    TestingController shortRun = started(spec().setBatches(40).build(), 256);
    shortRun.command(change("s1", "stopped"));
    shortRun.settle();
    assertThat(shortRun.log.offsets(LogSnapshot.class)).isEmpty();
    TestingController longRun = started(spec().setBatches(4_000).build(), 256);
    longRun.feedback(feedback(0, 4, 4));
    rounds(longRun, 0, 10, 500);
    longRun.command(change("s1", "stopped"));
    longRun.settle();
    assertThat(longRun.log.offsets(LogSnapshot.class)).hasSize(1);
    assertThat(last(longRun).getState()).isEqualTo("stopped");
    assertThat(last(longRun).getWhy()).isEqualTo("somebody asked");
    longRun.command(change("s2", "deleted"));
    longRun.settle();
    assertThat(longRun.log.offsets(LogSnapshot.class)).hasSize(1);
    assertThat(longRun.status().getPhase()).isEqualTo("deleted");
  }

  @Test
  void theSharedLogGetsNoSnapshotsAndHeedsNone() {
    TestingController controller = TestingController.started(spec().setBatches(4_000).build());
    controller.feedback(feedback(0, 4, 4));
    rounds(controller, 0, 10, 100);
    assertThat(controller.log.offsets(LogSnapshot.class)).isEmpty();
    ControlRecord end = controller.log.all().get(controller.log.size() - 1);
    long offset = controller.log.offsets(Object.class).get(controller.log.size() - 1);
    controller.log.append(
        ControlRecord.newBuilder(end)
            .setSerial(end.getSerial() + 1)
            .setBasedOn(offset)
            .setBody(last(eventful(4)))
            .build());
    controller.settle();
    assertThat(controller.status().getPhase()).isEqualTo("running");
    assertThat(controller.status().getIgnoredControl()).isEqualTo(1);
  }
}
