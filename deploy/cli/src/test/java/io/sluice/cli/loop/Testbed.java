package io.sluice.cli.loop;

import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.client.stream.GlobalBatch;
import io.sluice.control.runs.NewRun;
import io.sluice.control.runs.RunAdmin;
import io.sluice.control.runs.RunCatalog;
import io.sluice.control.runs.RunCommands;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.control.wire.RunSpecs;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.jobs.prepare.dataset.HeldOutSettings;
import io.sluice.jobs.prepare.dataset.PackingSettings;
import io.sluice.jobs.prepare.dataset.ShuffleSettings;
import io.sluice.jobs.prepare.dataset.TokenSettings;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Document;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.schema.WireCodec;
import io.sluice.service.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A dataset, by default a generated one of three domains, and runs over it, on any service. */
public class Testbed {
  static final List<String> DOMAINS = List.of("large", "medium", "small");

  /** The generated dataset as a person writes it. */
  public static final String FILE =
      """
      dataset: data
      sequence-length: 32 tokens
      shuffle-buffer: 100 documents
      held-out: 0.1
      domains: [large, medium, small]
      """;

  private final AtomicInteger nonces = new AtomicInteger();
  public final KafkaAccess kafka;
  public final DatasetSpec dataset;

  public Testbed(KafkaAccess kafka) {
    this(kafka, 1);
  }

  public Testbed(KafkaAccess kafka, int lanes) {
    this(kafka, dataset(lanes, PackingSettings.NAMES));
  }

  public Testbed(KafkaAccess kafka, DatasetSpec dataset) {
    this.kafka = kafka;
    this.dataset = dataset;
  }

  /** The generated dataset, whose blocks carry documents as said. */
  static DatasetSpec dataset(int lanes, String documentIds) {
    return DatasetSpecs.resolve(
        new DatasetSettings(
            "data",
            DOMAINS,
            lanes,
            new TokenSettings("bytes"),
            new PackingSettings(32, PackingSettings.CONCAT, 0, 1, documentIds),
            new ShuffleSettings(100, Duration.ZERO, 7),
            new HeldOutSettings(.1)));
  }

  /** The generated dataset, whose blocks are put into a folder, too. */
  public static DatasetSpec dataset(int lanes, Path store) {
    return stored(lanes, "file://" + store);
  }

  /** The generated dataset, whose blocks are put into a store, too. */
  static DatasetSpec stored(int lanes, String store) {
    return DatasetSpec.newBuilder(dataset(lanes, PackingSettings.NAMES)).setStore(store).build();
  }

  /** Writes all documents of all domains, of quite different sizes. */
  public void fill() {
    ingest("large", 2000, true);
    ingest("medium", 600, true);
    ingest("small", 60, true);
  }

  /** Writes documents of a domain, the same for the same arguments. */
  public void ingest(String domain, int documents, boolean end) {
    Random random = new Random(domain.hashCode());
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      for (int i = 0; i < documents; i++) {
        String text = domain + " " + i + " " + Long.toHexString(random.nextLong()).repeat(10);
        Document document =
            Document.newBuilder()
                .setId(domain + "-" + i)
                .setText(text)
                .setOrigin("generated")
                .setProperties(Map.of())
                .build();
        send(producer, domain, WireCodec.encode(document));
      }
      if (end) {
        send(producer, domain, WireCodec.encode(new EndOfDomain(domain, 0, (long) documents)));
      }
    }
  }

  private void send(KafkaProducer<byte[], byte[]> producer, String domain, byte[] value) {
    var unused = producer.send(new ProducerRecord<>(kafka.topics().corpus(domain), 0, null, value));
  }

  KafkaProducer<byte[], byte[]> producer() {
    return new KafkaProducer<>(
        kafka.with(Map.of("acks", "all")), new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Velocitune over rounds of 10 steps, batches of 16 sequences. */
  public RunSpec velocitune(String run, long batches) {
    return velocitune(dataset, run, batches);
  }

  /** The same on some of the dataset's domains. */
  static RunSpec velocitune(DatasetSpec data, String run, long batches) {
    return deciding(data, run, batches, "velocitune", Map.of("target-fraction", "0.5"), 10);
  }

  /** Fixed weights, batches of 16 sequences. */
  public RunSpec fixed(String run, long batches) {
    return deciding(run, batches, "static", Map.of(), 0);
  }

  /** A policy of one's choice, over rounds of so many steps. */
  public RunSpec deciding(
      String run, long batches, String policy, Map<String, String> settings, long every) {
    return deciding(dataset, run, batches, policy, settings, every);
  }

  private static RunSpec deciding(
      DatasetSpec data,
      String run,
      long batches,
      String policy,
      Map<String, String> settings,
      long every) {
    return RunSpecs.complete(
        NewRun.of(run, data, 16)
            .setBatches(batches)
            .setSeed(42)
            .setPolicy(policy)
            .setPolicySettings(settings)
            .setUpdateEvery(every)
            .setEpochs(Collections.nCopies(data.getDomains().size(), 1000))
            .build());
  }

  /** Makes the run's topics, asks for it, and waits until it has started. */
  public RunInfo start(RunSpec spec) {
    try (TopicAdmin admin = new TopicAdmin(kafka)) {
      return started(commands().apply(admin, spec, null));
    }
  }

  /** Waits for one run of its name; an earlier one, deleted by now, is another. */
  private RunInfo started(String runId) {
    return Patience.await(
            Patience.MINUTE,
            () ->
                RunDirectory.list(kafka, Patience.MINUTE).stream()
                    .filter(run -> run.runId().equals(runId))
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  /** Ends a run and deletes its topics. */
  void delete(RunInfo run) {
    RunAdmin.of(kafka, 60).change(RunCatalog.read(kafka).require(run.name()), "deleted", "a test");
    try (TopicAdmin admin = new TopicAdmin(kafka)) {
      admin.deleteRun(run.name(), run.runId());
    }
  }

  void deleteTopic(String topic) {
    try (Admin admin = Admin.create(kafka.with(Map.of()))) {
      admin.deleteTopics(List.of(topic)).all().get();
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException("cannot delete topic " + topic, e);
    }
  }

  /** The names of all topics. */
  Set<String> topics() throws Exception {
    try (Admin admin = Admin.create(kafka.with(Map.of()))) {
      return admin.listTopics().names().get();
    }
  }

  /** What identifies each row of a batch, a line each. */
  public static List<String> rows(GlobalBatch batch) {
    return batch.sequences().stream()
        .map(
            row ->
                "batch %d, version %d, sequence %d: %s %d"
                    .formatted(
                        batch.batch(),
                        batch.weightsVersion(),
                        row.index(),
                        row.domain(),
                        row.block().getOrdinal()))
        .toList();
  }

  /** What changes its runs. */
  public RunCommands commands() {
    return new RunCommands(kafka, InstantSource.system(), () -> "nonce" + nonces.incrementAndGet());
  }
}
