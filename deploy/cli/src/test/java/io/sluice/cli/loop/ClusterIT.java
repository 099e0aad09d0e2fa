package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.audit.AuditReport;
import io.sluice.cli.audit.Auditor;
import io.sluice.cli.dataset.ApplyDataset;
import io.sluice.client.RunInfo;
import io.sluice.schema.KafkaAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sluice up --cluster}, each of whose processes is killed, and then all of them at once. */
class ClusterIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private Path directory;

  private Process up;

  @AfterEach
  void stop() throws Exception {
    up.destroyForcibly().waitFor();
  }

  @Test
  void goesOnAfterEachOfItsProcessesIsKilledAndAfterAllOfThemAre() throws Exception {
    startService();
    Testbed bed = new Testbed(access());
    ApplyDataset.apply(bed.kafka, bed.dataset);
    bed.fill();
    RunInfo run = bed.start(bed.velocitune("killed", 60));
    try (ScriptedTrainer trainer = new ScriptedTrainer(bed.kafka, run)) {
      trainer.train(10, 10, ClusterIT::losses);
      kill("task-manager-1");
      kill("task-manager-2");
      trainer.train(20, 10, ClusterIT::losses);
      kill("job-manager");
      trainer.train(30, 10, ClusterIT::losses);
      kill("broker");
      trainer.train(40, 10, ClusterIT::losses);

      String port = bed.kafka.bootstrapServers().split(":")[1];
      stop();
      awaitOrphansEnd();
      startService("--port", port);
      trainer.train(60, 10, ClusterIT::losses);
    }
    AuditReport audit = Auditor.audit(bed.kafka, "killed");
    assertThat(audit.violations()).isEmpty();
    assertThat(audit.sequences()).isEqualTo(960);
    assertThat(Files.readString(directory.resolve("state/logs/supervisor.log")))
        .contains("was killed by signal 9", "job-manager runs again", "broker runs again");
  }

  private void startService(String... more) throws Exception {
    Path out = directory.resolve("up.out");
    List<String> command =
        Stream.concat(
                Stream.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Dsluice.home=" + directory.resolve("home"),
                    "-cp",
                    System.getProperty("java.class.path"),
                    "io.sluice.cli.Sluice",
                    "up",
                    "--cluster",
                    "--state-dir",
                    state().toString()),
                more.length == 0 ? Stream.of("--port", "0") : Stream.of(more))
            .toList();
    Files.deleteIfExists(out);
    up = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    await(() -> !up.isAlive() || read(out).contains("sluice: ready"));
    assertThat(up.isAlive()).as(read(out)).isTrue();
  }

  private KafkaAccess access() throws IOException {
    return KafkaAccess.local(Files.readString(directory.resolve("home/up/endpoint")).strip());
  }

  private void kill(String process) throws IOException {
    Path file = state().resolve("pids").resolve(process + ".pid");
    String before = Files.readString(file);
    ProcessHandle.of(Long.parseLong(before.strip())).orElseThrow().destroyForcibly();
    await(() -> !read(file).equals(before));
  }

  private void awaitOrphansEnd() throws IOException {
    try (Stream<Path> files = Files.list(state().resolve("pids"))) {
      for (Path file : files.toList()) {
        long pid = Long.parseLong(read(file).strip());
        await(() -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
      }
    }
  }

  private Path state() {
    return directory.resolve("state");
  }

  private static String read(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      return "";
    }
  }

  private static double losses(long step, String domain) {
    return 4 - step * (domain.equals("medium") ? .001 : .02);
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(50_000_000);
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }
}
