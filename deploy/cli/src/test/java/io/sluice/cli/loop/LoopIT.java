package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.run.RunInfo;
import io.sluice.client.stream.GlobalBatch;
import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.control.history.RunHistory;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.RoundDecision;
import io.sluice.service.Patience;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Documents, both jobs and a scripted trainer on a real broker. */
class LoopIT {
  @TempDir private static Path directory;

  private static TestingService service;

  @BeforeAll
  static void start() {
    service = new TestingService(directory);
    service.fill();
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @Test
  void movesTheMixtureTowardsTheDomainThatLearnsSlowest() {
    RunInfo run = service.start(service.velocitune("moving", 60));
    try (ScriptedTrainer trainer = new ScriptedTrainer(service.kafka, run)) {
      trainer.train(60, 10, LoopIT::mediumLearnsSlowest);
      assertThat(trainer.sequences(0, 10)).containsOnlyKeys(TestingService.DOMAINS);
      assertThat(trainer.sequences(0, 60).values().stream().mapToInt(i -> i).sum()).isEqualTo(960);
      assertThat(trainer.sequences(50, 60).get("medium"))
          .isGreaterThan(trainer.sequences(0, 10).get("medium"));
    }
    RunHistory history = RunHistory.read(service.kafka, "moving");
    assertThat(history.rounds()).hasSize(5);
    for (Grant grant : history.rounds()) {
      RoundDecision decision = grant.decision().orElseThrow();
      assertThat(grant.after() + 1).isEqualTo(decision.step() + 1);
    }
    assertThat(history.versions()).hasSize(6);
    AuditReport audit = Auditor.audit(service.kafka, "moving");
    assertThat(audit.violations()).isEmpty();
    assertThat(audit.sequences()).isEqualTo(960);
    assertThat(audit.mostAhead()).isGreaterThan(-1);
    assertThat(audit.mostBehind()).isLessThan(1.5);
  }

  @Test
  void givesTheSameStreamForTheSameSpecificationAndFeedback() {
    Map<String, String> digests = new java.util.TreeMap<>();
    for (String name : List.of("first", "second")) {
      RunInfo run = service.start(service.velocitune(name, 30));
      try (ScriptedTrainer trainer = new ScriptedTrainer(service.kafka, run)) {
        trainer.train(30, 10, LoopIT::mediumLearnsSlowest);
      }
      AuditReport audit = Auditor.audit(service.kafka, name);
      assertThat(audit.violations()).isEmpty();
      digests.put(name, audit.digest());
    }
    assertThat(digests.get("second")).isEqualTo(digests.get("first"));
  }

  @Test
  void readsEachBlockOnceInEachEpochAndNoHeldOutDocument() {
    RunInfo run = service.start(service.fixed("epochs", 40));
    Set<String> heldOut = new HashSet<>();
    io.sluice.client.evaluation.EvalSets.read(service.kafka, run, 1000, Patience.MINUTE)
        .values()
        .forEach(blocks -> blocks.forEach(block -> heldOut.addAll(block.getDocumentIds())));
    heldOut.remove("");
    assertThat(heldOut).isNotEmpty();
    try (ScriptedTrainer trainer = new ScriptedTrainer(service.kafka, run)) {
      trainer.train(40, 0, (step, domain) -> 0);
      Map<String, Set<Long>> ordinals = new java.util.TreeMap<>();
      for (GlobalBatch batch : trainer.batches()) {
        batch
            .sequences()
            .forEach(
                s -> {
                  assertThat(s.block().getDocumentIds()).doesNotContainAnyElementsOf(heldOut);
                  boolean isNew =
                      ordinals
                          .computeIfAbsent(s.block().getDomain(), d -> new HashSet<>())
                          .add(s.header().ordinal());
                  assertThat(isNew).isTrue();
                });
      }
      assertThat(ordinals.get("large")).hasSize(trainer.sequences(0, 40).get("large"));
    }
    assertThat(Auditor.audit(service.kafka, "epochs").violations()).isEmpty();
  }

  private static double mediumLearnsSlowest(long step, String domain) {
    return 4 - step * (domain.equals("medium") ? .001 : .02);
  }
}
