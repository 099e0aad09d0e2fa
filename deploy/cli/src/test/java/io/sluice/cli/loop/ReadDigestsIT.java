package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.TestingSluice;
import io.sluice.client.feedback.FeedbackReporter;
import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.TrainerRank;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.control.digest.DigestReport;
import io.sluice.control.digest.StoreFiles;
import io.sluice.control.history.RunHistory;
import io.sluice.control.history.TopicScan;
import io.sluice.schema.ReadBatches;
import io.sluice.schema.TrainerProgress;
import io.sluice.schema.WireCodec;
import io.sluice.service.Patience;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What ranks say that they read, held against the log: two read a stream, and their words are right
 * for runs that are decided alike and have none, too.
 */
class ReadDigestsIT {
  private static final int BATCHES = 20;

  @TempDir private static Path directory;
  private static StoredRuns runs;
  private static TestingService service;
  private static final List<TrainerProgress> said = new ArrayList<>();

  @BeforeAll
  static void train() throws IOException {
    runs = new StoredRuns(directory);
    service = runs.service;
    runs.apply("streamed", "tokens");
    train("streamed", 2);
    new TopicScan(service.kafka)
        .read(
            List.of(service.kafka.topics().feedback("streamed")),
            message -> {
              if (WireCodec.isOf(TrainerProgress.class, ByteBuffer.wrap(message.value()))) {
                said.add(WireCodec.decode(TrainerProgress.class, message.value()));
              }
            });
    assertThat(said).hasSize(2 * BATCHES / 4);
  }

  /**
   * So many ranks, one after the other, say what they read as often as they say how far they are.
   */
  private static void train(String name, int ranks) {
    RunInfo run = RunDirectory.find(service.kafka, name, Patience.MINUTE);
    for (int rank = 0; rank < ranks; rank++) {
      StreamOptions options = StreamOptions.defaults().withRank(TrainerRank.of(rank, ranks));
      try (Loader stream = Loader.open(service.kafka, run, options);
          FeedbackReporter feedback =
              FeedbackReporter.open(service.kafka, stream, InstantSource.system())) {
        for (long batch = 1; batch <= BATCHES; batch++) {
          assertThat(stream.next(Patience.MINUTE).batch()).isEqualTo(batch);
          if (batch % 4 == 0) {
            feedback.progress(batch, batch, -1);
          }
        }
        feedback.flush();
      }
    }
  }

  @AfterAll
  static void stop() {
    runs.close();
  }

  @Test
  void areThoseOfAStream() {
    AuditReport report = Auditor.audit(service.kafka, "streamed");
    assertThat(report.violations()).isEmpty();
    assertThat(report.digests()).isEqualTo(new DigestReport(2 * BATCHES, BATCHES, 0, 0, 0, 0));
    assertThat(report.summary()).endsWith("digests of 20 batches checked, of 0 nobody said");
  }

  @Test
  void areTheSameWithoutAStreamForAnyNumberOfRanks() throws IOException {
    runs.apply("read", "derived");
    train("read", 4);
    say("read", progress -> progress);
    AuditReport report = Auditor.audit(service.kafka, "read");
    assertThat(report.violations()).isEmpty();
    assertThat(report.digests()).isEqualTo(new DigestReport(6 * BATCHES, BATCHES, 0, 0, 0, 0));
  }

  @Test
  void areCountedWhereNobodySaysThem() throws IOException {
    runs.apply("derived", "derived");
    runs.awaitGranted("derived", BATCHES);
    say("derived", progress -> progress.getBatch() < 18 ? progress : silent(progress));
    JsonNode report = runs.sluice.json("audit", "--run", "derived", "--json", "-");
    assertThat(report.get("passed").asBoolean()).isTrue();
    assertThat(report.get("violations")).isEmpty();
    assertThat(report.get("unchecked")).isEmpty();
    assertThat(report.get("digests").toString())
        .isEqualTo(
            "{\"digests\":32,\"checked\":16,\"partly\":0,\"changed\":0,\"silent\":4,\"refused\":0}");
    assertThat(runs.sluice.does("audit", "--run", "derived"))
        .contains("batches granted, no stream", "digests of 16 batches checked, of 4 nobody");
  }

  @Test
  void areNamedWhereARankSaysAnother() throws IOException {
    runs.apply("lying", "derived");
    runs.awaitGranted("lying", BATCHES);
    say("lying", progress -> isOf(progress, 1, 12) ? changed(progress, 2) : progress);
    say("lying", progress -> isOf(progress, 0, 4) ? changed(progress, 1) : progress);
    TestingSluice.Said audit = runs.sluice.run("audit", "--run", "lying");
    assertThat(audit.exit()).isEqualTo(1);
    assertThat(audit.out()).contains("FAILED: ");
    assertThat(audit.err().lines().filter(line -> line.contains("read: ")))
        .hasSize(3)
        .anyMatch(
            line -> line.matches(".*batch 11 of .*rank 1 of 2 .*the log and the blocks give.*"))
        .anyMatch(line -> line.matches(".*batch 2 of .*rank 0 of 2 .*, and somebody later .*"))
        .anyMatch(line -> line.matches(".*batch 11 of .*rank 1 of 2 .*, and somebody later .*"));
  }

  @Test
  void findsARowThatIsNotWhatItsHashSays() throws IOException {
    runs.apply("deep", "derived");
    runs.awaitGranted("deep", BATCHES);
    Path rows;
    try (Stream<Path> files = Files.walk(runs.store)) {
      rows = files.filter(file -> file.toString().endsWith(".rows")).findFirst().orElseThrow();
    }
    byte[] whole = Files.readAllBytes(rows);
    byte[] broken = whole.clone();
    broken[5] ^= 1;
    rows.toFile().setWritable(true);
    Files.write(rows, broken);
    try {
      assertThat(Auditor.audit(service.kafka, "deep", StoreFiles.FOLDERS, false).violations())
          .isEmpty();
      assertThat(Auditor.audit(service.kafka, "deep", StoreFiles.FOLDERS, true).violations())
          .hasSize(1)
          .allMatch(
              each -> each.matches("sealed: segment .*: row 0, .*, is not what its hash says"));
    } finally {
      Files.write(rows, whole);
    }
  }

  private static boolean isOf(TrainerProgress progress, int rank, long batch) {
    return progress.getRank() == rank && progress.getBatch() == batch;
  }

  private static TrainerProgress silent(TrainerProgress progress) {
    progress.setRead(null);
    return progress;
  }

  /** The same with another digest at a place. */
  private static TrainerProgress changed(TrainerProgress progress, int at) {
    List<Long> digests = new ArrayList<>(progress.getRead().getDigests());
    digests.set(at, digests.get(at) + 1);
    progress.setRead(new ReadBatches(progress.getRead().getFirst(), digests));
    return progress;
  }

  /** The ranks of a run say what those of the stream said, but for a change. */
  private static void say(String run, UnaryOperator<TrainerProgress> change) {
    String runId = RunHistory.read(service.kafka, run).runId();
    byte[] key = runId.getBytes(StandardCharsets.UTF_8);
    String topic = service.kafka.topics().feedback(run);
    try (KafkaProducer<byte[], byte[]> producer = service.producer()) {
      for (TrainerProgress each : said) {
        TrainerProgress own =
            change.apply(TrainerProgress.newBuilder(each).setRunId(runId).build());
        var unused = producer.send(new ProducerRecord<>(topic, 0, key, WireCodec.encode(own)));
      }
    }
  }
}
