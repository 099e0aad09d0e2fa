package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.control.history.TopicScan;
import io.sluice.jobs.mix.mark.KafkaStreamMarks;
import io.sluice.schema.RunStatus;
import io.sluice.service.Patience;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** MixJob is killed in the middle of a stream; nothing is lost, repeated or mixed otherwise. */
class RecoveryIT {
  @TempDir private Path directory;

  @Test
  void goesOnAfterItsTaskManagerIsKilled() {
    try (TestingService service = filled();
        ScriptedTrainer trainer = trainer(service)) {
      trainer.train(15, 10, RecoveryIT::losses);
      service.flink().terminateTaskManager(0);
      service.flink().startTaskManager();
      trainer.train(60, 10, RecoveryIT::losses);
      assertWhole(service);
    }
  }

  @Test
  void goesOnFromItsCheckpointAfterItWasCancelled() {
    try (TestingService service = filled();
        ScriptedTrainer trainer = trainer(service)) {
      trainer.train(15, 10, RecoveryIT::losses);
      service.mix().checkpoint();
      trainer.train(25, 10, RecoveryIT::losses);
      service.mix().cancel();
      service.submitMix(service.flink().latestCheckpoint("mix"));
      trainer.train(60, 10, RecoveryIT::losses);
      assertWhole(service);
    }
  }

  @Test
  void goesOnWhereStreamsEndWhenItStartsWithoutAnyState() {
    try (TestingService service = filled();
        ScriptedTrainer trainer = trainer(service)) {
      for (String name : List.of("done0", "done1", "done2")) {
        RunInfo done = service.start(service.velocitune(name, 30));
        try (ScriptedTrainer other = new ScriptedTrainer(service.kafka, done)) {
          other.train(30, 10, RecoveryIT::losses);
        }
      }
      trainer.train(25, 10, RecoveryIT::losses);
      for (int start = 1; start <= 2; start++) {
        service.mix().cancel();
        service.submitMix(Optional.empty());
        trainer.train(25 + 10 * start, 10, RecoveryIT::losses);
      }
      trainer.train(55, 10, RecoveryIT::losses);
      assertThat(Auditor.audit(service.kafka, "killed").violations()).isEmpty();
      for (String name : List.of("done0", "done1", "done2")) {
        AuditReport audit = Auditor.audit(service.kafka, name);
        assertThat(audit.violations()).isEmpty();
        assertThat(audit.sequences()).isEqualTo(480);
        assertThat(audit.duplicates()).as("of %s", name).isZero();
      }
      assertThatWhatHasEndedRestsUntilItIsSpokenOf(service, trainer);
      assertThat(assertWhole(service).duplicates()).isZero();
    }
  }

  /** The runs are marked, and what trainers said of them is kept: nobody makes anything of them. */
  private static void assertThatWhatHasEndedRestsUntilItIsSpokenOf(
      TestingService service, ScriptedTrainer trainer) {
    Patience.await(Patience.MINUTE, () -> new KafkaStreamMarks(service.kafka).read().size() == 3);
    Patience.await(Patience.MINUTE, () -> isKept(service, "done0") && isKept(service, "done1"));
    service.mix().cancel();
    long said = status(service, "done1").getTimeMillis();
    service.submitMix(Optional.empty());
    trainer.train(60, 10, RecoveryIT::losses);
    service.delete(RunDirectory.find(service.kafka, "done0", Patience.MINUTE));
    assertThat(status(service, "done0").getPhase()).isEqualTo("deleted");
    assertThat(status(service, "done1").getTimeMillis()).isEqualTo(said);
  }

  private static RunStatus status(TestingService service, String run) {
    return new TopicScan(service.kafka)
        .statuses().values().stream()
            .filter(status -> status.getRun().equals(run))
            .findFirst()
            .orElseThrow();
  }

  /** Whether what trainers have said of a run is in a checkpoint. */
  private static boolean isKept(TestingService service, String run) {
    TopicPartition feedback = new TopicPartition(service.kafka.topics().feedback(run), 0);
    try (Admin admin = Admin.create(service.kafka.with(Map.of()))) {
      long end =
          admin
              .listOffsets(Map.of(feedback, OffsetSpec.latest()))
              .partitionResult(feedback)
              .get()
              .offset();
      OffsetAndMetadata kept =
          admin
              .listConsumerGroupOffsets(service.kafka.topics().prefix() + "mix-reweighter")
              .partitionsToOffsetAndMetadata()
              .get()
              .get(feedback);
      return kept != null && kept.offset() >= end;
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException("cannot ask what is kept of " + feedback, e);
    }
  }

  @Test
  void goesOnWhenTheTopicsOfADeletedRunAreGone() {
    try (TestingService service = filled();
        ScriptedTrainer trainer = trainer(service)) {
      RunInfo gone = service.start(service.velocitune("gone", 60));
      try (ScriptedTrainer other = new ScriptedTrainer(service.kafka, gone)) {
        other.train(10, 10, RecoveryIT::losses);
      }
      trainer.train(15, 10, RecoveryIT::losses);
      service.mix().checkpoint();
      service.delete(gone);
      service.mix().cancel();
      service.submitMix(service.flink().latestCheckpoint("mix"));
      trainer.train(60, 10, RecoveryIT::losses);
      assertWhole(service);

      RunInfo again = service.start(service.velocitune("gone", 60));
      try (ScriptedTrainer other = new ScriptedTrainer(service.kafka, again)) {
        other.train(60, 10, RecoveryIT::losses);
      }
      assertThat(Auditor.audit(service.kafka, "gone").violations()).isEmpty();
    }
  }

  private TestingService filled() {
    TestingService service = new TestingService(directory);
    service.fill();
    return service;
  }

  private static ScriptedTrainer trainer(TestingService service) {
    RunInfo run = service.start(service.velocitune("killed", 60));
    return new ScriptedTrainer(service.kafka, run);
  }

  private static AuditReport assertWhole(TestingService service) {
    AuditReport audit = Auditor.audit(service.kafka, "killed");
    assertThat(audit.violations()).isEmpty();
    assertThat(audit.sequences()).isEqualTo(960);
    assertThat(audit.emitted()).isEqualTo(60);
    return audit;
  }

  private static double losses(long step, String domain) {
    return 4 - step * (domain.equals("medium") ? .001 : .02);
  }
}
