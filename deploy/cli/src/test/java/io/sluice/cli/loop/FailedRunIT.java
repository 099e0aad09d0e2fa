package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.GlobalOptions;
import io.sluice.cli.run.ManageRunsCommand;
import io.sluice.client.error.RunEndedException;
import io.sluice.client.run.RunInfo;
import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunHistory;
import io.sluice.control.history.TopicScan;
import io.sluice.control.runs.RunApplication;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.PhaseChange;
import io.sluice.mixture.log.RunPhase;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStatus;
import io.sluice.service.Patience;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A run that cannot go on is failed in the log, with the reason, and hurts no other run. */
class FailedRunIT {
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
  void aRunWhoseStreamTopicIsDeletedFailsAndTheOtherGoesOn() throws Exception {
    RunInfo lost = service.start(service.velocitune("lost", 60));
    RunInfo kept = service.start(service.velocitune("kept", 60));
    try (ScriptedTrainer keeping = new ScriptedTrainer(service.kafka, kept)) {
      try (ScriptedTrainer losing = new ScriptedTrainer(service.kafka, lost)) {
        losing.train(15, 10, FailedRunIT::losses);
        keeping.train(15, 10, FailedRunIT::losses);
        service.deleteTopic(service.kafka.topics().stream("lost"));
        losing.claim(20, FailedRunIT::losses);
      }
      Patience.await(Duration.ofMinutes(1), () -> phase("lost"), phase -> phase == RunPhase.FAILED);
      keeping.train(60, 10, FailedRunIT::losses);
    }
    List<ControlEntry> entries = RunHistory.read(service.kafka, "lost").entries();
    ControlEntry last = entries.get(entries.size() - 1);
    assertThat(last.body()).isInstanceOf(PhaseChange.class);
    assertThat(last.why()).isEqualTo("topic sluice.stream.lost does not exist");
    RunStatus status =
        Patience.await(
            Duration.ofMinutes(1), () -> status(lost), s -> s.getPhase().equals("failed"));
    assertThat(status.getWaiting()).isEqualTo(last.why());
    assertThat(sluiceRun("show", "lost"))
        .contains("lost (" + lost.runId() + "): failed", "  reason: " + last.why());
    AuditReport audit = Auditor.audit(service.kafka, "kept");
    assertThat(audit.violations()).isEmpty();
    assertThat(audit.sequences()).isEqualTo(960);

    service.commands().change(lost.runId(), "deleted", "not needed");
    Patience.await(Duration.ofMinutes(1), () -> status(lost), s -> s.getPhase().equals("deleted"));
    assertThat(phase("lost")).isEqualTo(RunPhase.DELETED);
  }

  @Test
  void aRunWhoseStreamTopicIsAnotherOneOfTheSameNameFails() throws Exception {
    RunInfo run = service.start(service.velocitune("again", 60));
    String stream = service.kafka.topics().stream("again");
    try (ScriptedTrainer trainer = new ScriptedTrainer(service.kafka, run)) {
      trainer.train(15, 10, FailedRunIT::losses);
      service.deleteTopic(stream);
      try (TopicAdmin admin = new TopicAdmin(service.kafka)) {
        admin.ensureRun(run.spec(), run.runId());
      }
    }
    Patience.await(Duration.ofMinutes(1), () -> phase("again"), phase -> phase == RunPhase.FAILED);
    List<ControlEntry> entries = RunHistory.read(service.kafka, "again").entries();
    assertThat(entries.get(entries.size() - 1).why())
        .matches(
            "topic sluice.stream.again is not the one that the run was started with: its id is"
                + " [\\w-]{22}, not [\\w-]{22}");
  }

  @Test
  void aTrainerIsToldThatItsRunHasFailedAndWhy() {
    RunInfo run = service.start(service.velocitune("doomed", 60));
    try (ScriptedTrainer trainer = new ScriptedTrainer(service.kafka, run)) {
      trainer.train(10, 10, FailedRunIT::losses);
      service.commands().change(run.runId(), "failed", "blocks are missing");
      Patience.await(
          Duration.ofMinutes(1), () -> phase("doomed"), phase -> phase == RunPhase.FAILED);
      assertThatThrownBy(() -> trainer.train(60, 10, FailedRunIT::losses))
          .isInstanceOf(RunEndedException.class)
          .hasMessageContaining("is failed (blocks are missing)");
    }
  }

  @Test
  void aRunThatWasRefusedHidesNoneThatStartedUnderItsName() throws Exception {
    RunSpec spec = service.velocitune("twice", 60);
    RunSpec unknown = RunSpec.newBuilder(spec).setPolicy("elsewhere").build();
    RunApplication application = new RunApplication(service.kafka, service.commands());
    assertThatThrownBy(() -> application.start(unknown, null, Duration.ofMinutes(1)))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("the run was refused: policy must be one of");
    assertThat(service.topics())
        .as("it left no log behind")
        .contains("sluice.stream.twice")
        .noneMatch(topic -> topic.startsWith("sluice.control.twice."));
    assertThat(sluiceRun("show", "twice")).contains("): failed");
    RunInfo started = service.start(spec);
    assertThat(sluiceRun("show", "twice")).contains("twice (" + started.runId() + "): running");
    sluiceRun("delete", "twice");
    assertThat(status(started).getPhase()).isEqualTo("deleted");
  }

  private static double losses(long step, String domain) {
    return 4 - step * (domain.equals("medium") ? .001 : .02);
  }

  private static RunPhase phase(String run) {
    return RunHistory.read(service.kafka, run).state().phase();
  }

  private static RunStatus status(RunInfo run) {
    return new TopicScan(service.kafka).statuses().get(run.runId());
  }

  private static String sluiceRun(String... arguments) {
    StringWriter out = new StringWriter();
    Map<String, String> environment = Map.of("SLUICE_KAFKA", service.kafka.bootstrapServers());
    int code =
        new CommandLine(new ManageRunsCommand())
            .addMixin(CliCommand.GLOBAL, new GlobalOptions(environment, directory))
            .setOut(new PrintWriter(out, true))
            .execute(arguments);
    assertThat(code).isZero();
    return out.toString();
  }
}
