package io.sluice.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Sluice;
import io.sluice.cli.loop.ScriptedTrainer;
import io.sluice.cli.loop.Testbed;
import io.sluice.client.run.RunInfo;
import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.lab.bench.measure.BlockTopics;
import io.sluice.schema.BatchSize;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.service.Patience;
import io.sluice.service.supervise.JavaProcess;
import io.sluice.service.supervise.LongLived;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A hundred runs at once on {@code sluice up} with the memory that it has by default. */
@EnabledIfSystemProperty(named = "sluice.full", matches = "true")
class HundredRunsIT {
  private static final int RUNS = 100;
  private static final int DOMAINS = 64;
  private static final int BLOCKS = 256;
  private static final int BLOCK_BYTES = 8 << 10;
  private static final int BATCHES = 12;
  private static final int LEAD = 4;
  private static final int BATCH = 16;
  private static final Duration PATIENCE = Patience.of(Duration.ofMinutes(5));

  @TempDir private Path directory;

  @Test
  void allRunsProgressAndPassTheAudit() throws IOException {
    Path out = directory.resolve("up.out");
    // The launcher's options for 'up'.
    List<String> options = new ArrayList<>(LongLived.COMPILERS);
    options.addAll(
        List.of(
            "-Xms64m",
            "-Xmx2g",
            "-XX:GCTimeRatio=4",
            "-XX:MinHeapFreeRatio=20",
            "-XX:MaxHeapFreeRatio=40",
            "-XX:G1PeriodicGCInterval=15000",
            "-XX:+UnlockExperimentalVMOptions",
            "-XX:G1MaxNewSizePercent=20",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "-Dsluice.home=" + directory.resolve("home")));
    List<String> up = List.of("up", "--port", "0", "--state-dir", directory + "/state");
    Process service =
        new JavaProcess(Sluice.class.getName(), options, up)
            .builder(List.of())
            .redirectOutput(out.toFile())
            .start();
    try {
      Patience.await(PATIENCE, () -> read(out).contains("sluice: ready") || !service.isAlive());
      mix(KafkaAccess.local(read(directory.resolve("home/up/endpoint")).strip()));
      assertThat(service.isAlive()).as(read(out)).isTrue();
      assertThat(read(out)).doesNotContain("OutOfMemoryError");
    } finally {
      JavaProcess.end(service, Duration.ofSeconds(30));
    }
  }

  private static void mix(KafkaAccess kafka) {
    BlockTopics blocks = new BlockTopics(kafka, DOMAINS, 1, BLOCKS, BLOCK_BYTES);
    blocks.fill();
    Testbed bed = new Testbed(kafka, blocks.spec());
    List<RunInfo> runs = new ArrayList<>();
    for (int i = 0; i < RUNS; i++) {
      runs.add(bed.start(run(bed, i)));
    }
    train(kafka, runs);
    for (int i = 0; i < RUNS; i++) {
      String name = name(i);
      AuditReport audit =
          Patience.await(
              PATIENCE, () -> Auditor.audit(kafka, name), report -> report.emitted() == BATCHES);
      assertThat(audit.violations()).as(name).isEmpty();
    }
  }

  /** All are at work until the last step of each. */
  private static void train(KafkaAccess kafka, List<RunInfo> runs) {
    List<ScriptedTrainer> trainers = new ArrayList<>();
    try {
      runs.forEach(run -> trainers.add(new ScriptedTrainer(kafka, run)));
      for (long step = LEAD; step <= BATCHES; step += LEAD) {
        for (ScriptedTrainer trainer : trainers) {
          trainer.train(step, 0, (at, domain) -> 1);
        }
      }
    } finally {
      trainers.forEach(ScriptedTrainer::close);
    }
  }

  private static RunSpec run(Testbed bed, int i) {
    RunSpec spec = bed.fixed(name(i), BATCHES);
    spec.setBatchSizes(List.of(new BatchSize(1L, BATCH)));
    spec.setSeed(i);
    spec.setLead(LEAD);
    return spec;
  }

  private static String name(int i) {
    return "run-" + i;
  }

  private static String read(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      return "";
    }
  }
}
