package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.TestingSluice;
import io.sluice.cli.dataset.ApplyDataset;
import io.sluice.client.run.RunInfo;
import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.broker.SecuredBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** {@code sluice up --cluster}, each of whose processes is killed, and then all of them at once. */
class ClusterIT {
  @TempDir private Path directory;

  private UpProcess up;

  @AfterEach
  void stop() {
    up.close();
  }

  @Test
  @EnabledIfSystemProperty(named = "sluice.full", matches = "true")
  void goesOnAfterEachOfItsProcessesIsKilledAndAfterAllOfThemAre() throws Exception {
    up = new UpProcess(directory, "--port", "0");
    assertThat(up.processes())
        .containsExactly("broker", "job-manager", "task-manager-1", "task-manager-2");
    Testbed bed = bed(KafkaAccess.local(up.bootstrapServers()));
    RunInfo run = bed.start(bed.velocitune("killed", 60));
    try (ScriptedTrainer trainer = new ScriptedTrainer(bed.kafka, run)) {
      trainer.train(10, 10, ClusterIT::losses);
      up.kill("task-manager-1");
      up.kill("task-manager-2");
      trainer.train(20, 10, ClusterIT::losses);
      up.kill("job-manager");
      trainer.train(30, 10, ClusterIT::losses);
      up.kill("broker");
      trainer.train(40, 10, ClusterIT::losses);

      String port = bed.kafka.bootstrapServers().split(":", -1)[1];
      up.close();
      up = new UpProcess(directory, "--port", port);
      trainer.train(60, 10, ClusterIT::losses);
    }
    assertAudited(bed, "killed", 960);
    // Of the submissions before the last one nothing is left that could be restored.
    UpProcess.await(() -> submissionsWithCheckpoints() == 1);
    assertThat(UpProcess.read(up.state().resolve("logs/supervisor.log")))
        .contains("was killed by signal 9", "job-manager runs again", "broker runs again");
  }

  @Test
  void runsOnAKafkaThatItDoesNotStartAndTellsItsPasswordToNobody() throws Exception {
    Path home = Files.createDirectories(directory.resolve("theirs"));
    try (SecuredBroker theirs = new SecuredBroker(home, "team.")) {
      Path settings = theirs.clientSettings();
      up =
          new UpProcess(
              directory,
              "--task-managers",
              "1",
              "--kafka",
              theirs.bootstrapServers(),
              "--kafka-config",
              settings.toString(),
              "--prefix",
              "team.");
      assertThat(up.processes()).containsExactly("job-manager", "task-manager-1");
      assertThat(up.bootstrapServers()).isEqualTo(theirs.bootstrapServers());
      Testbed bed =
          bed(new TestingSluice(up.bootstrapServers(), settings, "team.", directory).access());
      RunInfo run = bed.start(bed.velocitune("theirs", 40));
      try (ScriptedTrainer trainer = new ScriptedTrainer(bed.kafka, run)) {
        trainer.train(10, 10, ClusterIT::losses);
        up.kill("task-manager-1");
        trainer.train(20, 10, ClusterIT::losses);
        theirs.restart();
        trainer.train(30, 10, ClusterIT::losses);
        up.kill("job-manager");
        trainer.train(40, 10, ClusterIT::losses);
      }
      assertAudited(bed, "theirs", 640);
      for (String name : up.processes()) {
        assertThat(up.process(name).info().commandLine().orElseThrow())
            .doesNotContain(theirs.password());
      }
      assertThat(holding(theirs.password(), up.state().resolve("logs"))).isEmpty();
      assertThat(holding(theirs.password(), up.state().resolve("flink/conf"))).isEmpty();
      assertThat(holding(theirs.password(), directory.resolve("home"))).isEmpty();
      assertThat(UpProcess.read(directory.resolve("up.out"))).doesNotContain(theirs.password());
    }
  }

  private long submissionsWithCheckpoints() {
    try (Stream<Path> files = Files.walk(up.state().resolve("flink"))) {
      return files
          .filter(file -> file.endsWith("_metadata") && file.toString().contains("sluice.mix"))
          .map(file -> file.getParent().getParent())
          .distinct()
          .count();
    } catch (IOException | UncheckedIOException e) {
      return -1;
    }
  }

  private static Testbed bed(KafkaAccess kafka) {
    Testbed bed = new Testbed(kafka);
    ApplyDataset.apply(bed.kafka, bed.dataset);
    bed.fill();
    return bed;
  }

  private static void assertAudited(Testbed bed, String run, long sequences) {
    AuditReport audit = Auditor.audit(bed.kafka, run);
    assertThat(audit.violations()).isEmpty();
    assertThat(audit.sequences()).isEqualTo(sequences);
  }

  /** The files under a directory that hold a text. */
  private static List<Path> holding(String text, Path under) throws IOException {
    try (Stream<Path> files = Files.walk(under)) {
      List<Path> found = files.filter(Files::isRegularFile).toList();
      assertThat(found).isNotEmpty();
      List<Path> holding = new ArrayList<>();
      for (Path file : found) {
        if (new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text)) {
          holding.add(file);
        }
      }
      return holding;
    }
  }

  private static double losses(long step, String domain) {
    return 4 - step * (domain.equals("medium") ? .001 : .02);
  }
}
