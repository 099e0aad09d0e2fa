package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.TestingSluice;
import io.sluice.client.block.Sequence;
import io.sluice.client.run.RunInfo;
import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.control.history.RunHistory;
import io.sluice.control.history.TopicScan;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStatus;
import io.sluice.schema.TokenBlock;
import io.sluice.service.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A dataset of two lanes, each read by a split of its own on a task manager of its own. */
class LanesIT {
  private static final int LANES = 2;
  private static final int BATCHES = 60;

  @TempDir private Path directory;

  @Test
  void lanesTogetherGiveOneExactStreamAlsoAfterRestarts() {
    try (TestingService service = new TestingService(directory, 2, LANES)) {
      service.ingest("large", 2000, true);
      service.ingest("medium", 600, true);
      service.ingest("small", 60, true);
      AuditReport undisturbed = train(service, "first", false);
      AuditReport restarted = train(service, "second", true);
      assertThat(restarted.digest()).isEqualTo(undisturbed.digest());
    }
  }

  @Test
  void aRunThatWaitsNamesTheLaneAndOneThatRedistributesGoesOn() {
    try (TestingService service = new TestingService(directory, 2, LANES)) {
      service.ingest("large", 600, true);
      service.ingest("medium", 600, true);
      RunInfo run = service.start(service.fixed("waiting", 10));
      Patience.await(
          Duration.ofMinutes(1),
          () -> Optional.ofNullable(new TopicScan(service.kafka).statuses().get(run.runId())),
          status ->
              status.map(RunStatus::getWaiting).orElse("").startsWith("supply: domain small"));
      TestingSluice sluice = new TestingSluice(service.kafka, directory);
      assertThat(sluice.run("run", "show", "waiting").out())
          .containsPattern(
              "waits: supply: domain small, lane 0, is behind: batch 1 needs \\d+ blocks, 0 are ready, for"
                  + " \\d+ s");
      assertGoesOnWithoutSmall(service);
      service.ingest("small", 200, true);
      try (ScriptedTrainer trainer = new ScriptedTrainer(service.kafka, run)) {
        trainer.train(10, 0, (step, domain) -> 0);
      }
      assertThat(Auditor.audit(service.kafka, "waiting").violations()).isEmpty();
      assertThat(grantedOf(sluice.run("run", "show", "waiting").out())).isEqualTo(160);
    }
  }

  private static void assertGoesOnWithoutSmall(TestingService service) {
    RunSpec spec = service.fixed("redistributing", 10);
    spec.setWhenBehind("redistribute");
    try (ScriptedTrainer trainer = new ScriptedTrainer(service.kafka, service.start(spec))) {
      trainer.train(10, 0, (step, domain) -> 0);
      assertThat(trainer.sequences(0, 10)).containsOnlyKeys("large", "medium");
    }
    assertThat(RunHistory.read(service.kafka, "redistributing").grants())
        .allSatisfy(grant -> assertThat(grant.bounds()).hasSize(LANES * Testbed.DOMAINS.size()));
    assertThat(Auditor.audit(service.kafka, "redistributing").violations()).isEmpty();
  }

  private AuditReport train(TestingService service, String name, boolean restarts) {
    try (ScriptedTrainer trainer =
        new ScriptedTrainer(service.kafka, service.start(service.velocitune(name, BATCHES)))) {
      if (restarts) {
        trainer.train(15, 10, LanesIT::losses);
        Path savepoint = service.mix().stopWithSavepoint(directory.resolve("savepoints"));
        assertThat(granted(service, name)).isLessThan(30);
        service.submitMix(Optional.of(savepoint));
        trainer.train(30, 10, LanesIT::losses);
        service.mix().cancel();
        assertThat(granted(service, name)).isLessThan(45);
        service.submitMix(Optional.of(savepoint));
        trainer.train(45, 10, LanesIT::losses);
        service.mix().cancel();
        assertThat(granted(service, name)).isLessThan(BATCHES);
        service.submitMix(Optional.empty());
      }
      trainer.train(BATCHES, 10, LanesIT::losses);
      assertDrainsEvenly(trainer);
    }
    AuditReport audit = Auditor.audit(service.kafka, name);
    assertThat(audit.violations()).isEmpty();
    assertThat(audit.sequences()).isEqualTo(16 * BATCHES);
    return audit;
  }

  private static long granted(TestingService service, String name) {
    return RunHistory.read(service.kafka, name).state().position().granted();
  }

  /** A lane has the global indices that its number leaves, and reads its blocks in their order. */
  private static void assertDrainsEvenly(ScriptedTrainer trainer) {
    List<Sequence> all =
        trainer.batches().stream().flatMap(batch -> batch.sequences().stream()).toList();
    assertThat(all)
        .allSatisfy(each -> assertThat(each.block().getLane()).isEqualTo(each.index() % LANES));
    Map<Integer, List<Long>> large =
        all.stream()
            .map(Sequence::block)
            .filter(block -> block.getDomain().equals("large"))
            .collect(
                Collectors.groupingBy(
                    TokenBlock::getLane,
                    TreeMap::new,
                    Collectors.mapping(TokenBlock::getOrdinal, Collectors.toList())));
    assertThat(large).hasSize(LANES);
    large
        .values()
        .forEach(
            ordinals ->
                assertThat(ordinals)
                    .isEqualTo(LongStream.range(0, ordinals.size()).boxed().toList()));
    assertThat(Math.abs(large.get(0).size() - large.get(1).size())).isLessThan(4);
  }

  private static int grantedOf(String shown) {
    return shown
        .lines()
        .map(line -> line.strip().split("\\s+"))
        .filter(words -> Testbed.DOMAINS.contains(words[0]))
        .mapToInt(words -> Integer.parseInt(words[2]))
        .sum();
  }

  private static double losses(long step, String domain) {
    return 4 - step * (domain.equals("medium") ? .001 : .02);
  }
}
