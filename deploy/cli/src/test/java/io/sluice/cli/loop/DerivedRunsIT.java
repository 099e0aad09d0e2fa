package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.TestingSluice;
import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.control.history.RunHistory;
import io.sluice.control.topics.RecordWriter;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.schema.SealingWait;
import io.sluice.schema.TrainerProgress;
import io.sluice.schema.WireCodec;
import io.sluice.service.Patience;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person can do to runs without a stream, and to their neighbours with one. */
class DerivedRunsIT {
  @TempDir private static Path directory;
  private static StoredRuns runs;
  private static TestingService service;
  private static TestingSluice sluice;

  @BeforeAll
  static void start() {
    runs = new StoredRuns(directory);
    service = runs.service;
    sluice = runs.sluice;
  }

  @AfterAll
  static void stop() {
    runs.close();
  }

  @Test
  void areGrantedPausedAndRewound() throws Exception {
    assertThat(runs.apply("derived", "derived")).contains("run derived has started as");
    runs.awaitGranted("derived", 20);
    Patience.await(
        StoredRuns.TWO_MINUTES,
        () -> sluice.does("run", "show", "derived"),
        shown ->
            shown.contains("delivery derived: no stream, trainers read rows of the dataset's store")
                && shown.contains("waits: lead: batch 20 is granted, trainers are at batch 0"));
    assertThat(sluice.does("cat", "--run", "derived", "-n", "20").lines()).hasSize(20);
    trained("derived", 20);
    runs.awaitGranted("derived", 40);

    sluice.does("run", "pause", "derived");
    trained("derived", 40);
    service.mix().cancel();
    service.submitMix(Optional.empty());
    sluice.does("run", "resume", "derived");
    runs.awaitGranted("derived", 60);
    assertThat(sluice.does("run", "rewind", "derived", "--to-batch", "30", "--skip", "30..35"))
        .contains("rewound to batch 30, from batch 31 (timeline 1,");
    runs.awaitGranted("derived", 50);
    assertAudited("derived", 2);
  }

  @Test
  void sayWhyNothingIsPutIntoTheirStore() throws IOException {
    runs.apply("waiting", "derived");
    String status = service.kafka.topics().status();
    SealingWait wait = new SealingWait("data", "/store is full", 1_000L);
    RecordWriter.write(service.kafka, status, "/data", wait, Patience.MINUTE);
    assertThat(sluice.does("run", "show", "waiting"))
        .contains("blocks of its dataset are not sealed: /store is full");
    assertThat(sluice.does("dataset", "show", "data"))
        .contains("# no more are put there: /store is full");
    RecordWriter.delete(service.kafka, status, "/data", Patience.MINUTE);
    assertThat(sluice.does("run", "show", "waiting")).doesNotContain("are not sealed");
  }

  @Test
  void isTheSameRunAsOneWithAStreamAndForksToItAndBack() throws Exception {
    runs.apply("alike", "derived");
    runs.apply("streamed", "tokens");
    runs.awaitGranted("alike", 20);
    runs.awaitGranted("streamed", 20);
    assertThat(counts("alike")).hasSize(20).isEqualTo(counts("streamed"));

    Path tokens = runs.file("branch", "tokens");
    assertThat(fork("alike", "branch", tokens)).contains("from batch 11");
    runs.awaitGranted("branch", 30);
    assertThat(service.topics()).contains(service.kafka.topics().stream("branch"));
    assertAudited("branch", 1);

    fork("branch", "leaf", runs.file("leaf", "derived"));
    runs.awaitGranted("leaf", 30);
    trained("leaf", 30);
    Path checkpoint = service.mix().checkpoint();
    service.mix().cancel();
    service.submitMix(Optional.of(checkpoint));
    runs.awaitGranted("leaf", 50);
    assertThat(service.topics())
        .doesNotContain(service.kafka.topics().stream("leaf"))
        .doesNotContain(service.kafka.topics().stream("alike"));
    assertAudited("leaf", 1);

    RunInfo leaf = RunDirectory.find(service.kafka, "leaf", Patience.MINUTE);
    assertThat(sluice.does("run", "delete", "leaf")).contains("run leaf is deleted");
    Patience.await(
        StoredRuns.TWO_MINUTES,
        () -> {
          try {
            return service.topics();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        },
        topics ->
            !topics.contains(service.kafka.topics().control(leaf.runId()))
                && !topics.contains(service.kafka.topics().feedback("leaf")));
  }

  private static String fork(String run, String name, Path file) {
    return sluice.does(
        "run",
        "fork",
        run,
        "--at-batch",
        "10",
        "--as",
        name,
        "-f",
        file.toString(),
        "--timeout",
        "120");
  }

  /** A trainer that reads nothing says how far it is. */
  private static void trained(String run, long batch) {
    RunHistory history = RunHistory.read(service.kafka, run);
    TrainerProgress progress =
        TrainerProgress.newBuilder()
            .setRunId(history.runId())
            .setTimeline(history.state().position().timeline())
            .setRank(0)
            .setWorldSize(1)
            .setBatch(batch)
            .setTrainerStep(batch)
            .setTimeMillis(0)
            .build();
    byte[] key = history.runId().getBytes(StandardCharsets.UTF_8);
    try (KafkaProducer<byte[], byte[]> producer = service.producer()) {
      var unused =
          producer.send(
              new ProducerRecord<>(
                  service.kafka.topics().feedback(run), 0, key, WireCodec.encode(progress)));
    }
  }

  /** What each batch has of each domain. */
  private static List<String> counts(String run) {
    List<String> counts = new ArrayList<>();
    for (ControlEntry entry : RunHistory.read(service.kafka, run).entries()) {
      if (entry.body() instanceof Grant grant) {
        int domains = grant.effective().size();
        for (int i = 0; i < grant.counts().length; i += domains) {
          counts.add(Arrays.toString(Arrays.copyOfRange(grant.counts(), i, i + domains)));
        }
      }
    }
    return counts;
  }

  private static void assertAudited(String run, int timelines) {
    AuditReport report = Auditor.audit(service.kafka, run);
    assertThat(report.violations()).isEmpty();
    assertThat(report.timelines()).isEqualTo(timelines);
  }
}
