package io.sluice.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.loop.ScriptedTrainer;
import io.sluice.cli.loop.Testbed;
import io.sluice.client.run.RunInfo;
import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.lab.bench.measure.BlockTopics;
import io.sluice.schema.BatchSize;
import io.sluice.schema.RunSpec;
import io.sluice.service.Patience;
import io.sluice.service.cluster.ClusterService;
import io.sluice.service.cluster.ClusterSettings;
import io.sluice.service.cluster.ProcessMemory;
import io.sluice.service.local.LocalSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.flink.configuration.MemorySize;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** More runs over one dataset than a task manager's heap has memory for, were each alone. */
@EnabledIfSystemProperty(named = "sluice.full", matches = "true")
class LittleMemoryIT {
  private static final int RUNS = 24;
  private static final int DOMAINS = 64;
  private static final int BLOCKS = 64;
  private static final int BLOCK_BYTES = 8 << 10;
  private static final int BATCHES = 8;
  private static final int LEAD = 4;
  private static final int BATCH = 64;

  /** With the least that a task manager may have, 256 MiB are heap. */
  private static final ProcessMemory LITTLE =
      new ProcessMemory(
          MemorySize.ofMebiBytes(512), MemorySize.ofMebiBytes(640), MemorySize.ofMebiBytes(1024));

  private final List<String> events = new CopyOnWriteArrayList<>();

  @TempDir private Path directory;

  @Test
  void allRunsProgressAndNoProcessEnds() {
    ClusterSettings settings =
        new ClusterSettings(
            LocalSettings.in(directory), 1, 1, 1, 1, LITTLE, Duration.ofSeconds(60), Map.of());
    try (ClusterService service = ClusterService.start(settings, events::add)) {
      BlockTopics blocks = new BlockTopics(service.access(), DOMAINS, 1, BLOCKS, BLOCK_BYTES);
      try (TopicAdmin admin = new TopicAdmin(service.access())) {
        admin.ensureService();
      }
      blocks.fill();
      Testbed bed = new Testbed(service.access(), blocks.spec());
      List<RunInfo> runs = new ArrayList<>();
      for (int i = 0; i < RUNS; i++) {
        runs.add(bed.start(run(bed, i)));
      }
      // Each has what a fetch brings of all its domains, and waits for a trainer.
      for (RunInfo run : runs) {
        try (ScriptedTrainer trainer = new ScriptedTrainer(bed.kafka, run)) {
          trainer.train(BATCHES, 0, (step, domain) -> 1);
        }
      }
      for (int i = 0; i < RUNS; i++) {
        String name = name(i);
        AuditReport audit =
            Patience.await(
                Duration.ofMinutes(2),
                () -> Auditor.audit(bed.kafka, name),
                report -> report.emitted() == BATCHES);
        assertThat(audit.violations()).as(name).isEmpty();
      }
      assertThat(events).filteredOn(event -> event.contains("is started again")).isEmpty();
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
}
