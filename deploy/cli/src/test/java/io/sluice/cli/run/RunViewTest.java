package io.sluice.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.runs.NewRun;
import io.sluice.control.runs.RunCatalog;
import io.sluice.control.wire.RunSpecs;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.mixture.decide.GrantPlanner;
import io.sluice.mixture.decide.RunPolicy;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.log.Snapshot;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.ExposedWait;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStatus;
import io.sluice.schema.Supply;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RunViewTest {
  private static final DatasetSpec DATA =
      DatasetSpecs.resolve(
          new DatasetSettings(
              "small", "bytes", 64, 2000, 1, 0, List.of("wiki", "code", "docs"), 1));
  private static final RunSpec SPEC = RunSpecs.complete(NewRun.of("r", DATA, 12).build());
  private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");

  @Test
  void weightsAreThoseInForceAfterADomainsEnd() {
    Map<String, Supply> supply =
        Map.of("wiki", supply("wiki", 90, 0, true), "code", supply("code", 90, 0, true));
    assertThat(new MixtureTable(SPEC, state(1), supply, DATA).lines())
        .containsExactly(
            "  domain                      weight   decided      granted        ready",
            "  wiki                      0.500000  0.333333            7           90 (ended)",
            "  code                      0.000000  0.333333            7           90 (ended, used"
                + " up)",
            "  docs                      0.500000  0.333333            7            -");
  }

  @Test
  void aDomainWhoseDocumentsWaitToBeShuffledSaysSo() {
    Map<String, Supply> supply =
        Map.of(
            "wiki", supply("wiki", 900, 2000, false),
            "code", supply("code", 8, 2000, false),
            "docs", supply("docs", 0, 829, false));
    List<String> lines = new MixtureTable(SPEC, state(), supply, DATA).lines();
    assertThat(lines.get(1)).endsWith("          900");
    assertThat(lines.get(2))
        .endsWith(
            "8 (2,000 documents wait in the shuffle buffer of 2,000 for others to come or the"
                + " domain's end)");
    assertThat(lines.get(3))
        .endsWith(
            "0 (829 documents wait in the shuffle buffer of 2,000 until it is full or the domain"
                + " ends)");
    DatasetSpec live = DatasetSpec.newBuilder(DATA).setShuffleWaitMillis(30_000).build();
    List<String> released = new MixtureTable(SPEC, state(), supply, live).lines();
    assertThat(released.get(2))
        .endsWith("2,000 for others to come, the domain's end or 30s in which few do)");
    assertThat(released.get(3))
        .endsWith("2,000 until it is full, the domain ends or 30s have passed)");
  }

  @Test
  void aReplayIsNoAlarmAndTrainersAreSaidToHaveBeenHeardAWhileAgo() {
    long then = NOW.toEpochMilli() - 200_000;
    RunStatus.Builder status =
        RunStatus.newBuilder()
            .setRunId("r.1")
            .setRun("r")
            .setPhase("running")
            .setTimeline(0)
            .setGranted(20)
            .setProgress(10)
            .setWeightsVersion(1)
            .setWaiting("paused: waits for `resume`")
            .setWaitingSinceMillis(NOW.toEpochMilli() - 7_384_000)
            .setRepeatedFeedback(2)
            .setLastRepeated("step 10, rank 0 of 2: the step is decided (heard all)")
            .setTrainers(List.of("rank 0 of 2", "rank 1 of 2"))
            .setHeardMillis(List.of(then, 0L))
            .setExposed(List.of(new ExposedWait(1000L, 20L, 0L, 5L, 0L, 0L, 0L)))
            .setTimeMillis(NOW.toEpochMilli());
    assertThat(show(status.build()))
        .contains(
            "  waits: paused: waits for `resume`, for 2 h 3 min",
            "  repeated feedback: 2, as of trainers that go on from a checkpoint; last: step 10, rank"
                + " 0 of 2: the step is decided (heard all)",
            "  trainer: rank 0 of 2, heard 3 min 20 s ago, waited 2.50 % of step time"
                + " (grant 2.00 %, emission 0.50 %)",
            "  trainer: rank 1 of 2")
        .noneMatch(line -> line.contains("refused"));
    status.setRefusedFeedback(1).setLastRefusal("step 10, rank 0 of 2: must be finite");
    assertThat(show(status.build()))
        .contains("  refused feedback: 1, last: step 10, rank 0 of 2: must be finite")
        .anyMatch(line -> line.startsWith("  repeated feedback: 2, "));
  }

  private static List<String> show(RunStatus status) {
    RunCatalog.Entry entry =
        new RunCatalog.Entry(
            "r.1", Optional.empty(), Optional.of(status), Optional.empty(), Map.of());
    return RunView.show(entry, RunView.Prepared.NOTHING, Optional.empty(), NOW);
  }

  /** A run that has used 7 blocks of each domain. */
  private static RunState state(int... masked) {
    RunSettings settings = RunSpecs.settings(SPEC);
    Snapshot start = RunPolicy.start(settings);
    BitSet ended = new BitSet();
    for (int domain : masked) {
      ended.set(domain);
    }
    Snapshot snapshot =
        new Snapshot(
            0,
            0,
            1,
            0,
            0,
            start.decided(),
            false,
            0,
            start.policyState(),
            start.planError(),
            new long[] {7, 7, 7},
            ended);
    return RunState.started(GrantPlanner.start("r.1", settings, snapshot, "a test"), 0);
  }

  private static Supply supply(String domain, long blocks, long shuffled, boolean ended) {
    return Supply.newBuilder()
        .setDataset("small")
        .setFingerprint(DATA.getFingerprint())
        .setDomain(domain)
        .setBlocks(blocks)
        .setEvalBlocks(0)
        .setTrainedTokens(blocks * 64)
        .setDocuments(3000)
        .setEnded(ended)
        .setShuffled(shuffled)
        .build();
  }
}
