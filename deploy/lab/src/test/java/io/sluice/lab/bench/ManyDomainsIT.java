package io.sluice.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.loop.ScriptedRanks;
import io.sluice.cli.loop.ScriptedTrainer;
import io.sluice.cli.loop.Testbed;
import io.sluice.client.run.RunInfo;
import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.control.history.RunHistory;
import io.sluice.control.history.TopicScan;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.jobs.mix.MixJob;
import io.sluice.lab.bench.measure.BlockTopics;
import io.sluice.schema.BatchSize;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStatus;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.flink.EmbeddedFlink;
import io.sluice.service.flink.FlinkSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** 4,096 domains, mixed for a trainer of 256 ranks and for one of a single rank. */
@EnabledIfSystemProperty(named = "sluice.full", matches = "true")
class ManyDomainsIT {
  private static final int DOMAINS = 4096;
  private static final int BLOCKS = 16;
  private static final int BLOCK_BYTES = 512;
  private static final int RANKS = 256;
  private static final int BATCH = 512;
  private static final int BATCHES = 12;
  private static final int EVERY = 4;

  @TempDir private static Path directory;

  private static EmbeddedBroker broker;
  private static EmbeddedFlink flink;
  private static Testbed bed;

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start(directory.resolve("broker"), 0, Patience.MINUTE);
    KafkaAccess kafka = KafkaAccess.local(broker.bootstrapServers());
    try (TopicAdmin admin = new TopicAdmin(kafka)) {
      admin.ensureService();
    }
    BlockTopics blocks = new BlockTopics(kafka, DOMAINS, 1, BLOCKS, BLOCK_BYTES);
    blocks.fill();
    bed = new Testbed(kafka, blocks.spec());
    flink = EmbeddedFlink.start(FlinkSettings.in(directory.resolve("flink")));
    flink.submit("mix", env -> MixJob.build(env, kafka));
  }

  @AfterAll
  static void stop() {
    flink.close();
    broker.kill();
  }

  @Test
  void twoHundredAndFiftySixRanksTrainWhatOneWouldHave() {
    List<List<String>> alone;
    try (ScriptedTrainer one = new ScriptedTrainer(bed.kafka, bed.start(run("alone")))) {
      one.train(BATCHES, EVERY, ManyDomainsIT::losses);
      alone = one.batches().stream().map(Testbed::rows).toList();
    }
    RunInfo shared = bed.start(run("shared"));
    ScriptedRanks ranks = new ScriptedRanks(bed.kafka, shared, RANKS, ManyDomainsIT::losses);
    for (int step = EVERY; step <= BATCHES; step += EVERY) {
      ranks.train(step);
    }
    assertThat(ranks.rows()).hasSize(BATCHES);
    ranks.rows().forEach((batch, rows) -> assertThat(rows).isEqualTo(alone.get((int) (batch - 1))));
    assertThat(audited("shared").digest()).isEqualTo(audited("alone").digest());
    assertWeightsMoved();
    assertAllAttached(shared);
    assertThat(partitions()).isBetween(DOMAINS, 4_999);
  }

  private static RunSpec run(String name) {
    RunSpec spec =
        bed.deciding(name, BATCHES, "velocitune", Map.of("target-fraction", "0.5"), EVERY);
    spec.setBatchSizes(List.of(new BatchSize(1L, BATCH)));
    return spec;
  }

  /** Numbers that all sums of ranks keep exactly. */
  private static double losses(long step, String domain) {
    return 4 - step * (Integer.parseInt(domain.substring(1)) % 7) / 16.0;
  }

  private static AuditReport audited(String run) {
    AuditReport audit = Auditor.audit(bed.kafka, run);
    assertThat(audit.violations()).isEmpty();
    assertThat(audit.sequences()).isEqualTo(BATCH * BATCHES);
    assertThat(audit.emitted()).isEqualTo(BATCHES);
    return audit;
  }

  private static void assertWeightsMoved() {
    List<RunHistory.Version> versions = RunHistory.read(bed.kafka, "shared").versions();
    assertThat(versions).extracting(RunHistory.Version::firstBatch).containsExactly(1L, 5L, 9L);
    assertThat(versions).extracting(RunHistory.Version::weights).doesNotHaveDuplicates();
    assertThat(versions).isEqualTo(RunHistory.read(bed.kafka, "alone").versions());
  }

  private static void assertAllAttached(RunInfo run) {
    RunStatus status =
        Patience.await(
            Duration.ofMinutes(1),
            () -> new TopicScan(bed.kafka).statuses().get(run.runId()),
            // Known once every rank has named one.
            seen -> seen.getOldestCheckpoint() == BATCHES);
    assertThat(status.getTrainers()).endsWith("and " + (RANKS - 64) + " more");
    assertThat(status.getRefusedFeedback()).as(status.getLastRefusal()).isZero();
    assertThat(status.getPhase()).isEqualTo("completed");
  }

  private static int partitions() {
    try (Admin admin = Admin.create(bed.kafka.with(Map.of()))) {
      var all = admin.listTopics(new ListTopicsOptions().listInternal(true)).names().get();
      return admin.describeTopics(all).allTopicNames().get().values().stream()
          .mapToInt(topic -> topic.partitions().size())
          .sum();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }
}
