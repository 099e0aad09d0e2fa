package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.TestingSluice;
import io.sluice.client.error.RewoundException;
import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.StreamState;
import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.control.domain.PreparedDomains;
import io.sluice.control.history.RunHistory;
import io.sluice.control.history.RunLogs;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.BundledBatch;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Supply;
import io.sluice.schema.WireCodec;
import io.sluice.service.Patience;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that people change while it trains is repeated by its bundle on another broker. */
class RunBundleIT {
  private static final Duration TWO_MINUTES = Duration.ofMinutes(2);

  @TempDir private static Path directory;

  private static TestingService here;
  private static TestingService there;
  private static TestingSluice sluice;
  private static TestingSluice other;

  @BeforeAll
  static void start() {
    here = new TestingService(directory.resolve("here"));
    new DatasetCatalog(here.kafka).publish(here.dataset);
    sluice = new TestingSluice(here.kafka, directory.resolve("here"));
    fill(here);
    there = new TestingService(directory.resolve("there"));
    other = new TestingSluice(there.kafka, directory.resolve("there"));
  }

  @AfterAll
  static void stop() {
    there.close();
    here.close();
  }

  @Test
  void isRepeatedBatchForBatchWhereTheDataAreTheSame() throws Exception {
    RunInfo run = here.start(here.velocitune("velo", 0));
    try (SteeredTrainer trainer = new SteeredTrainer(here.kafka, run)) {
      trainer.train(20);
      sluice.does("run", "policy", "velo", "--name", "velocitune", "--set", "target-fraction=0.3");
      sluice.does("run", "weights", "velo", "--set", "large=0.5");
      trainer.train(granted(here, "velo"));
      sluice.does("run", "rewind", "velo", "--to-batch", "14", "--skip", "14..17");
      assertThatThrownBy(() -> trainer.train(1000)).isInstanceOf(RewoundException.class);
      trainer.resume(10);
      trainer.train(36);
    }
    sluice.does("run", "stop", "velo");
    long last = granted(here, "velo");

    Path bundle = directory.resolve("velo.bundle");
    JsonNode exported =
        sluice.json("run", "export", "velo", "--bundle", bundle.toString(), "--json", "-");
    assertThat(exported.path("batches").asLong()).isEqualTo(last);
    assertThat(exported.path("digests").asLong()).isEqualTo(last);
    assertThat(exported.path("reports").asLong()).isPositive();
    Path again = directory.resolve("again.bundle");
    sluice.does("run", "export", "velo", "--bundle", again.toString());
    assertThat(again).hasSameBinaryContentAs(bundle);

    refusesOtherData(bundle);
    fill(there);
    awaitPrepared();
    refusesOtherBatches(bundle, last);

    JsonNode applied = other.json("run", "apply", "--from", bundle.toString(), "--json", "-");
    assertThat(applied.path("checked").asLong()).isEqualTo(last);
    assertThat(applied.path("timelines").asInt()).isEqualTo(2);
    assertThat(other.does("run", "apply", "--from", bundle.toString()))
        .contains("run velo is repeated already as " + applied.path("run-id").asText());
    assertThat(other.does("run", "show", "velo")).contains("stopped");

    RunInfo repeated = RunDirectory.find(there.kafka, "velo", Patience.MINUTE);
    try (SteeredTrainer trainer = new SteeredTrainer(there.kafka, repeated)) {
      trainer.train(last);
      assertThat(trainer.batch(14).timeline()).isZero();
      assertThat(trainer.batch(15).timeline()).isEqualTo(1);
    }
    assertThat(taken(there.kafka, last))
        .hasSize((int) last * 16)
        .isEqualTo(taken(here.kafka, last));
    assertThat(digests(there.kafka)).hasSize((int) last).isEqualTo(digests(here.kafka));
    assertAudited(here.kafka);
    assertAudited(there.kafka);
    assertThat(other.does("run", "plot", "velo", "--svg", directory.resolve("v.svg").toString()))
        .as("the reports came with it")
        .contains("losses at ");

    Path back = directory.resolve("back.bundle");
    other.does("run", "export", "velo", "--bundle", back.toString());
    assertThat(sluice.does("run", "apply", "--from", back.toString(), "--as", "third"))
        .contains("run third is repeated as third.");
    assertThat(digests(here.kafka, "third")).isEqualTo(digests(here.kafka));
  }

  @Test
  void isGrantedNoFurtherAheadOfTheTrainersThanAsked() throws Exception {
    RunInfo run = here.start(here.fixed("lead", 30));
    try (SteeredTrainer trainer = new SteeredTrainer(here.kafka, run)) {
      trainer.train(30);
    }
    Path bundle = directory.resolve("lead.bundle");
    Patience.await(TWO_MINUTES, () -> granted(here, "lead"), granted -> granted == 30);
    sluice.does("run", "export", "lead", "--bundle", bundle.toString());
    String[] apply = {"run", "apply", "--from", bundle.toString(), "--as", "paced", "--ahead", "1"};
    Thread applying = new Thread(() -> assertThat(sluice.run(apply).exit()).isZero());
    applying.start();
    RunInfo paced = RunDirectory.find(here.kafka, "paced", Patience.MINUTE);
    try (SteeredTrainer trainer = new SteeredTrainer(here.kafka, paced)) {
      trainer.train(30);
    }
    applying.join();
    assertThat(sluice.json("run", "show", "paced", "--json", "-").path("phase").asText())
        .isEqualTo("completed");
    assertThat(digests(here.kafka, "paced")).isEqualTo(digests(here.kafka, "lead"));
  }

  /** Nothing of it may be made. */
  private static void refusesOtherData(Path bundle) {
    assertThat(refused(bundle)).contains("the bundle's dataset 'data' is not here");
    new DatasetCatalog(there.kafka)
        .publish(DatasetSpec.newBuilder(there.dataset).setFingerprint(7).setSeed(8).build());
    assertThat(refused(bundle))
        .contains(
            "dataset 'data' is not the bundle's: its fingerprint is 0000000000000007 here, %016x there"
                .formatted(there.dataset.getFingerprint()),
            "seed is 8 here, 7 there");
    new DatasetCatalog(there.kafka).publish(there.dataset);
    assertThat(refused(bundle))
        .contains("domain 'large', lane 0, has 0 blocks here so far, the bundle's run had ");
  }

  private static void refusesOtherBatches(Path bundle, long last) throws IOException {
    Path changed = directory.resolve("changed.bundle");
    rewrite(bundle, changed, last);
    assertThat(refused(changed))
        .containsPattern(
            "batch "
                + last
                + ", domain '\\w+': its sequences have the digest [0-9a-f]{16} here,"
                + " the bundle says [0-9a-f]{16}: prepare the same documents");
    try (TopicAdmin admin = new TopicAdmin(there.kafka)) {
      assertThat(admin.find(there.kafka.topics().stream("velo"))).isEmpty();
      assertThat(admin.find(there.kafka.topics().feedback("velo"))).isEmpty();
    }
  }

  private static String refused(Path bundle) {
    TestingSluice.Said said = other.run("run", "apply", "--from", bundle.toString());
    assertThat(said.exit()).as(said.out()).isEqualTo(2);
    return said.err();
  }

  /** The bundle with another digest of a batch. */
  private static void rewrite(Path bundle, Path changed, long batch) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(bundle));
    byte[] line = "sluice-bundle 1\n".getBytes(StandardCharsets.US_ASCII);
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(written);
    out.write(line);
    bytes.position(line.length);
    for (int length = bytes.getInt(); length > 0; length = bytes.getInt()) {
      byte[] value = new byte[length];
      bytes.get(value);
      if (WireCodec.decode(value) instanceof BundledBatch said && said.getBatch() == batch) {
        said.getDigests().set(0, said.getDigests().get(0) + 1);
        value = WireCodec.encode(said);
      }
      out.writeInt(value.length);
      out.write(value);
    }
    out.writeInt(0);
    out.write(sha256(written.toByteArray()));
    Files.write(changed, written.toByteArray());
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }

  private static void fill(TestingService service) {
    service.ingest("large", 1500, true);
    service.ingest("medium", 1000, true);
    service.ingest("small", 400, true);
  }

  private static void awaitPrepared() {
    Patience.await(
        TWO_MINUTES,
        () -> PreparedDomains.read(there.kafka, "data"),
        prepared -> prepared.size() == 3 && prepared.values().stream().allMatch(Supply::getEnded));
  }

  private static long granted(TestingService service, String run) {
    return RunHistory.read(service.kafka, run).state().position().granted();
  }

  /** Every sequence that a reader is handed out, a line each. */
  private static List<String> taken(KafkaAccess kafka, long last) {
    RunInfo run = RunDirectory.find(kafka, "velo", Patience.MINUTE);
    try (DigestingTrainer reader =
        DigestingTrainer.observing(kafka, "velo", StreamState.start(run.runId()))) {
      return reader.look(last);
    }
  }

  private static Map<Long, Long> digests(KafkaAccess kafka) {
    return digests(kafka, "velo");
  }

  private static Map<Long, Long> digests(KafkaAccess kafka, String run) {
    return Auditor.digests(kafka, RunLogs.of(kafka).require(run));
  }

  private static void assertAudited(KafkaAccess kafka) {
    AuditReport report = Auditor.audit(kafka, "velo");
    assertThat(report.violations()).isEmpty();
    assertThat(report.timelines()).isEqualTo(2);
    assertThat(report.digests().checked()).isPositive();
  }
}
