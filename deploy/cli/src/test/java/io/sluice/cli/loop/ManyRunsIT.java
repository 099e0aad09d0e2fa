package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.run.RunInfo;
import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.control.runs.NewRun;
import io.sluice.control.wire.RunSpecs;
import io.sluice.schema.BatchSize;
import io.sluice.schema.RunSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Twenty runs of one job, each with its own policy, batch size, seed and lead. */
class ManyRunsIT {
  private static final int RUNS = 20;
  private static final long BATCHES = 30;

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
  void allProgressSideBySideAndPassTheAudit() {
    List<RunInfo> runs = new ArrayList<>();
    for (int i = 0; i < RUNS; i++) {
      runs.add(service.start(request(i)));
    }
    List<ScriptedTrainer> trainers = new ArrayList<>();
    try {
      runs.forEach(run -> trainers.add(new ScriptedTrainer(service.kafka, run)));
      for (long step = 5; step <= BATCHES; step += 5) {
        for (int i = 0; i < RUNS; i++) {
          trainers.get(i).train(step, every(i), (at, domain) -> 4 - at * .01 * domain.length());
        }
      }
    } finally {
      trainers.forEach(ScriptedTrainer::close);
    }
    for (int i = 0; i < RUNS; i++) {
      AuditReport audit = Auditor.audit(service.kafka, name(i));
      assertThat(audit.violations()).as(name(i)).isEmpty();
      assertThat(audit.emitted()).as(name(i)).isEqualTo(BATCHES);
    }
  }

  private static String name(int i) {
    return "run-" + i;
  }

  private static long every(int i) {
    return i % 2 == 0 ? 5 : 0;
  }

  private static RunSpec request(int i) {
    boolean moves = every(i) > 0;
    return RunSpecs.complete(
        NewRun.of(name(i), service.dataset, 4 + i)
            .setBatchSizes(List.of(new BatchSize(1L, 4 + i), new BatchSize(11L, 8 + i)))
            .setBatches(BATCHES)
            .setSeed(i)
            .setStreamPartitions(1 + i % 4)
            .setPolicy(moves ? "velocitune" : "static")
            .setPolicySettings(moves ? Map.of("target-fraction", "0.5") : Map.of())
            .setUpdateEvery(every(i))
            .setLag(i % 3)
            .setLead(i % 5 == 0 ? 0 : 3 + i)
            .setEpochs(Collections.nCopies(service.dataset.getDomains().size(), 1000))
            .build());
  }
}
