package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.ingest.corpus.CorpusIngest;
import io.sluice.control.domain.PreparedDomains;
import io.sluice.control.history.TopicScan;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.corpus.document.IngestReport;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.corpus.range.SourceRoots;
import io.sluice.corpus.store.FileStores;
import io.sluice.corpus.store.S3Settings;
import io.sluice.corpus.store.TestingS3;
import io.sluice.jobs.prepare.PrepareJob;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.jobs.prepare.dataset.FimSettings;
import io.sluice.jobs.prepare.dataset.HeldOutRule;
import io.sluice.jobs.prepare.dataset.HeldOutSettings;
import io.sluice.jobs.prepare.dataset.PackingSettings;
import io.sluice.jobs.prepare.dataset.ShuffleSettings;
import io.sluice.jobs.prepare.dataset.TokenSettings;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.LedgerCounts;
import io.sluice.schema.RangeVerdict;
import io.sluice.schema.Supply;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.flink.EmbeddedFlink;
import io.sluice.service.flink.FlinkSettings;
import io.sluice.service.flink.JobHandle;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.flink.api.common.JobStatus;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blocks of a corpus by reference are, byte for byte, those of the same corpus by copy. */
class ByReferenceIT {
  private static final Duration IDLE = Duration.ofMinutes(2);
  private static final String DOMAIN = "web";

  /** Lines of two files, and one that is a document. */
  private static final long RECORDS = 6_001;

  @TempDir Path directory;
  private Path files;

  @BeforeEach
  void write() throws IOException {
    files = Files.createDirectory(directory.resolve("files"));
    Files.write(files.resolve("a.jsonl"), lines(1));
    try (OutputStream out =
        new GZIPOutputStream(Files.newOutputStream(files.resolve("b.jsonl.gz")))) {
      out.write(lines(2));
    }
    Files.writeString(files.resolve("c.txt"), "a text\n".repeat(100));
    Files.write(files.resolve("latin.txt"), new byte[] {'a', (byte) 0xE9});
  }

  @Test
  void blocksAreThoseOfACopyAndARangeThatWasLostStaysSo() throws Exception {
    try (EmbeddedBroker broker =
            EmbeddedBroker.start(directory.resolve("broker"), 0, Patience.MINUTE);
        EmbeddedFlink flink =
            EmbeddedFlink.start(
                FlinkSettings.in(directory.resolve("flink")).withTaskManagers(1, 16));
        TestingS3 s3 = new TestingS3("corpora")) {
      KafkaAccess copied = access(broker, "copied.");
      KafkaAccess referred = access(broker, "referred.");
      KafkaAccess remote = access(broker, "remote.");
      prepareTopics(copied, List.of("one"));
      prepareTopics(remote, List.of("one"));
      assertThat(ingestObjects(remote, s3).ranges()).isGreaterThan(3);
      prepareTopics(referred, List.of("one", "eight", "late"));
      assertThat(ingest(copied, false).documents()).isGreaterThan(4_000);
      assertThat(ingest(referred, true).ranges()).isGreaterThan(3);
      nothingIsIngestedTwice(copied, referred);

      Path gone = files.resolve("b.jsonl.gz");
      byte[] content = Files.readAllBytes(gone);
      Files.delete(gone);
      JobHandle before = submit(flink, referred, "late", 2);
      Patience.await(IDLE, () -> came(referred, "late") == RECORDS);
      before.cancel();
      LedgerCounts lost = counts(referred, "late");
      List<RangeVerdict> verdicts = verdicts(referred, "late");
      assertThat(verdicts)
          .isNotEmpty()
          .allSatisfy(
              each -> assertThat(each.getReason()).startsWith(gone + ":").endsWith(" is missing"));

      Files.write(gone, content);
      for (KafkaAccess kafka : List.of(copied, referred)) {
        end(kafka);
        submit(flink, kafka, "one", 1);
        awaitEnd(kafka, "one");
      }
      end(remote);
      s3.kill();
      JobHandle waits = submit(flink, remote, "one", 2);
      Patience.await(IDLE, () -> waits.status() == JobStatus.RUNNING);
      s3.start();
      submit(flink, referred, "eight", 8);
      submit(flink, referred, "late", 2);
      awaitEnd(referred, "eight");
      awaitEnd(referred, "late");
      awaitEnd(remote, "one");
      Map<String, List<String>> blocks = records(copied, "one");
      assertThat(blocks.values()).allSatisfy(lane -> assertThat(lane).hasSizeGreaterThan(9));
      assertThat(records(referred, "one")).isEqualTo(blocks);
      assertThat(records(referred, "eight")).isEqualTo(blocks);
      assertThat(records(remote, "one")).isEqualTo(blocks);
      assertThat(records(referred, "late")).isNotEqualTo(blocks);
      assertThat(verdicts(referred, "late")).isEqualTo(verdicts);
      assertThat(counts(referred, "late").getIn()).isEqualTo(RECORDS);
      assertThat(counts(referred, "late").getDeadLetters())
          .isEqualTo(lost.getDeadLetters())
          .isGreaterThan(3_000);
    }
  }

  /** By copy, by reference, or one behind the other. */
  private void nothingIsIngestedTwice(KafkaAccess copied, KafkaAccess referred) {
    for (KafkaAccess kafka : List.of(copied, referred)) {
      for (boolean byReference : new boolean[] {true, false}) {
        IngestReport again = ingest(kafka, byReference);
        assertThat(again.documents()).isZero();
        assertThat(again.known()).isGreaterThan(4_000);
      }
    }
  }

  /** The same files as objects, each of which is named once. */
  private IngestReport ingestObjects(KafkaAccess kafka, TestingS3 s3) throws IOException {
    for (String name : List.of("a.jsonl", "b.jsonl.gz", "c.txt", "latin.txt")) {
      s3.put("corpora", "files/" + name, Files.readAllBytes(files.resolve(name)));
    }
    CorpusIngest ingest =
        new CorpusIngest(kafka, IngestSettings.of(DOMAIN), true, false, bytes -> {});
    try (FileStores stores = new FileStores(S3Settings.usual(notice -> {}))) {
      SourceFiles objects = SourceFiles.below(stores, List.of("s3://corpora/files"), false);
      IngestReport report = ingest.reference(objects);
      assertThat(ingest.reference(objects).documents()).isZero();
      return report;
    }
  }

  private static void end(KafkaAccess kafka) {
    new CorpusIngest(kafka, IngestSettings.of(DOMAIN), false, true, bytes -> {}).paths(List.of());
  }

  private IngestReport ingest(KafkaAccess kafka, boolean byReference) {
    CorpusIngest ingest =
        new CorpusIngest(kafka, IngestSettings.of(DOMAIN), true, false, bytes -> {});
    return byReference
        ? ingest.reference(SourceFiles.local(List.of(files), false))
        : ingest.paths(List.of(files));
  }

  private static KafkaAccess access(EmbeddedBroker broker, String prefix) {
    return new KafkaAccess(broker.bootstrapServers(), new Topics(prefix), Map.of());
  }

  private static void prepareTopics(KafkaAccess kafka, List<String> datasets) {
    try (TopicAdmin admin = new TopicAdmin(kafka)) {
      admin.ensureService();
      datasets.forEach(name -> admin.ensureDataset(dataset(name)));
    }
  }

  private JobHandle submit(EmbeddedFlink flink, KafkaAccess kafka, String name, int threads) {
    return flink.submit(
        kafka.topics().prefix() + name,
        env -> {
          env.setParallelism(1);
          SourceRoots roots =
              SourceRoots.named(List.of(directory.toString(), "s3://corpora/files"));
          PrepareJob.build(env, kafka, dataset(name), threads, roots);
        },
        Optional.empty());
  }

  private static DatasetSpec dataset(String name) {
    return DatasetSpecs.resolve(
        new DatasetSettings(
            name,
            List.of(DOMAIN),
            2,
            new TokenSettings("bytes"),
            new PackingSettings(512, PackingSettings.BEST_FIT, 5, 4),
            new ShuffleSettings(100, Duration.ZERO, 9),
            new HeldOutSettings(.05, 0, HeldOutRule.NEWEST),
            FimSettings.NONE));
  }

  private static void awaitEnd(KafkaAccess kafka, String name) {
    Patience.await(
        IDLE,
        () ->
            Optional.ofNullable(PreparedDomains.read(kafka, name).get(DOMAIN))
                .filter(Supply::getEnded)
                .isPresent());
  }

  private static LedgerCounts counts(KafkaAccess kafka, String name) {
    return PreparedDomains.read(kafka, name).get(DOMAIN).getLedger().getDocuments();
  }

  /** How many records of files a dataset has read. */
  private static long came(KafkaAccess kafka, String name) {
    return Optional.ofNullable(PreparedDomains.read(kafka, name).get(DOMAIN))
        .map(supply -> supply.getLedger().getDocuments().getIn())
        .orElse(0L);
  }

  private static List<RangeVerdict> verdicts(KafkaAccess kafka, String name) {
    List<RangeVerdict> verdicts = new ArrayList<>();
    new TopicScan(kafka).read(RangeVerdict.class, kafka.topics().releases(name), verdicts::add);
    return verdicts;
  }

  /** Committed records of every lane, but for when they were made. */
  private static Map<String, List<String>> records(KafkaAccess kafka, String name) {
    Map<String, List<String>> lanes = new TreeMap<>();
    Topics topics = kafka.topics();
    for (String topic : List.of(topics.blocks(name, DOMAIN), topics.eval(name, DOMAIN))) {
      new TopicScan(kafka)
          .read(
              List.of(topic),
              found ->
                  lanes
                      .computeIfAbsent(
                          topic.contains("blocks") + "-" + found.partition(),
                          lane -> new ArrayList<>())
                      .add(timeless(found)));
    }
    return lanes;
  }

  private static String timeless(ConsumerRecord<byte[], byte[]> found) {
    SpecificRecordBase message = WireCodec.decode(found.value());
    if (message instanceof TokenBlock block) {
      message = TokenBlock.newBuilder(block).setProducedAtMillis(0).build();
    }
    return found.timestamp() + " " + HexFormat.of().formatHex(WireCodec.encode(message));
  }

  /** Some of them are no documents. */
  private static byte[] lines(int seed) {
    Random random = new Random(seed);
    StringBuilder lines = new StringBuilder();
    for (int line = 0; line < 3_000; line++) {
      String text = (seed + " word " + line + " ").repeat(1 + random.nextInt(80));
      lines.append(random.nextInt(20) == 0 ? "{\"text\": " : "{\"text\": \"" + text + "\"}");
      lines.append('\n');
    }
    return lines.toString().getBytes(StandardCharsets.UTF_8);
  }
}
