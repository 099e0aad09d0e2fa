package io.sluice.cli.ingest.corpus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.dataset.DatasetFile;
import io.sluice.cli.ingest.source.SourceParts;
import io.sluice.cli.ingest.topic.TopicSource;
import io.sluice.control.domain.CorpusEnds;
import io.sluice.control.domain.DeadLetterLog;
import io.sluice.control.error.BadInputException;
import io.sluice.control.error.Deliveries;
import io.sluice.control.history.TopicScan;
import io.sluice.control.line.Fields;
import io.sluice.corpus.document.IngestReport;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.topic.TopicFormat;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Document;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.WireCodec;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.broker.TestingTopics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopicIngestIT {
  private static final int SKEWED = 40_000;
  private static final int FEW = 5_000;
  private static final TopicSource.Gaps NO_GAPS =
      new TopicSource.Gaps() {
        @Override
        public void lost(int partition, long from, long to) {
          throw new AssertionError("lost " + partition + "@" + from);
        }

        @Override
        public void cut(int partition, long taken, long end) {
          throw new AssertionError("cut " + partition + "@" + taken);
        }
      };
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir static Path directory;
  private final Deliveries deliveries = new Deliveries("the records that are to be taken");
  private static EmbeddedBroker broker;
  private static KafkaAccess kafka;
  private static Admin admin;

  @BeforeAll
  static void start() throws Exception {
    broker = EmbeddedBroker.start(directory.resolve("broker"), 0, Patience.MINUTE);
    kafka = KafkaAccess.local(broker.bootstrapServers());
    admin = Admin.create(kafka.with(Map.of()));
  }

  @AfterAll
  static void stop() {
    admin.close();
    broker.close();
  }

  @Test
  void anIngestThatWasKilledTwiceHasEachRecordOnceAndAgainAddsNothing() throws Exception {
    make("raw", 3);
    String text = "word ".repeat(450);
    try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
      for (int i = 0; i < SKEWED; i++) {
        send(producer, "raw", 0, i == 10 ? "no JSON" : "{\"text\": \"" + text + i + "\"}");
        if (i < FEW) {
          send(producer, "raw", 1, i == 20 ? null : "{\"text\": \"" + i + "\"}");
        }
      }
    }
    deliveries.require();
    // Behind 64 MiB the table knows a part of the topic; before, only the corpus does.
    for (int killedBehind : List.of(5_000, 34_000)) {
      killBehind(killedBehind);
      assertThat(new CorpusEnds(kafka).of("raw").records())
          .isBetween((long) killedBehind, SKEWED + FEW - 3L);
    }
    IngestReport last = ingest("raw", TopicFormat.JSON);
    assertThat(last.known()).isGreaterThanOrEqualTo(34_000);
    Map<String, List<Long>> taken = taken("raw");
    assertThat(taken.get("raw/1")).doesNotHaveDuplicates().hasSize(FEW - 1);
    assertThat(taken).isEqualTo(Map.of("raw/0", allBut(11, SKEWED), "raw/1", allBut(21, FEW)));
    assertThat(deadLetters()).contains("raw-0@10: not JSON").doesNotContain("raw-1");
    assertThat(ingest("raw", TopicFormat.JSON).documents()).isZero();
    assertThatThrownBy(() -> ingest("raw", TopicFormat.TEXT))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("was ingested as 'records of json");
  }

  @Test
  void aSourceOfADatasetMayBeATopicThatIsLookedAtAgainWhenItHasMore() throws Exception {
    make("articles", 1);
    sendTexts("articles", "a", "b");
    Path file = directory.resolve("dataset.yaml");
    Files.writeString(
        file,
        """
        dataset: d
        sequence-length: 64
        domains: [read]
        sources:
          - {topic: articles, topic-format: text, domain: read}
        """);
    DatasetSpec dataset = DatasetFile.read(file);
    FollowedTopics followed = new FollowedTopics(kafka, dataset.getSources());
    assertThat(sources(dataset, followed).documents()).isEqualTo(2);
    assertThat(followed.due()).isEmpty();
    sendTexts("articles", "c");
    assertThat(sources(dataset, followed).documents()).isEqualTo(1);
    assertThat(texts("read")).containsExactly("a", "b", "c");
  }

  private static IngestReport sources(DatasetSpec dataset, FollowedTopics followed) {
    SourceParts parts = new SourceParts();
    followed.due().forEach(parts::add);
    SourcesIngest ingest = new SourcesIngest(kafka, dataset, false, 2, bytes -> {});
    return ingest.ingest(parts, false).get("read");
  }

  @Test
  void whatRetentionTookIsSaidAndATopicMadeAnewIsAnother() throws Exception {
    make("logs", 1);
    sendTexts("logs", "a", "b");
    assertThat(ingest("logs", TopicFormat.TEXT).documents()).isEqualTo(2);
    sendTexts("logs", "c", "d", "e");
    admin
        .deleteRecords(Map.of(new TopicPartition("logs", 0), RecordsToDelete.beforeOffset(4)))
        .all()
        .get();
    IngestReport behind = ingest("logs", TopicFormat.TEXT);
    assertThat(behind.documents()).isEqualTo(1);
    assertThat(behind.firstRefusals())
        .containsExactly(
            "logs-0@2: lost: offsets 2 to 3, up to 2 records, were deleted before they were taken");
    assertThat(ingest("logs", TopicFormat.TEXT).deadLetters()).isZero();

    admin.deleteTopics(List.of("logs")).all().get();
    Patience.await(PATIENCE, () -> !exists("logs"));
    make("logs", 1);
    sendTexts("logs", "f");
    assertThat(ingest("logs", TopicFormat.TEXT).documents()).isEqualTo(1);
    assertThat(texts("logs")).containsExactly("a", "b", "e", "f");
    assertThatThrownBy(
            () ->
                ingest(
                    kafka,
                    kafka.topics().corpus("logs"),
                    "logs",
                    TopicFormat.DOCUMENT,
                    false,
                    () -> false))
        .hasMessage("--topic must be another than the corpus that it is copied to");
    assertThatThrownBy(() -> ingest("nowhere", TopicFormat.TEXT))
        .hasMessageContaining("--topic must exist on 127.0.0.1:");
  }

  @Test
  void followingTakesWhatComesAndNothingThatWasAborted() throws Exception {
    make("live", 2);
    AtomicBoolean stopped = new AtomicBoolean();
    CompletableFuture<IngestReport> following =
        CompletableFuture.supplyAsync(() -> ingest("live", TopicFormat.TEXT, true, stopped::get));
    try (KafkaProducer<byte[], byte[]> producer = producer(Map.of("transactional.id", "x"))) {
      producer.initTransactions();
      producer.beginTransaction();
      send(producer, "live", 1, "aborted");
      producer.flush();
      producer.abortTransaction();
      producer.beginTransaction();
      send(producer, "live", 1, "one");
      producer.commitTransaction();
    }
    Patience.await(PATIENCE, () -> new CorpusEnds(kafka).of("live").records() == 1);
    sendTexts("live", "two");
    Patience.await(PATIENCE, () -> new CorpusEnds(kafka).of("live").records() == 2);
    assertThatThrownBy(() -> ingest("live", TopicFormat.TEXT))
        .hasMessageContaining("takes files from one ingest at a time");
    stopped.set(true);
    IngestReport report = following.get(1, TimeUnit.MINUTES);
    assertThat(report.documents()).isEqualTo(2);
    assertThat(texts("live")).containsExactly("one", "two");
    assertThat(ingest("live", TopicFormat.TEXT).documents()).isZero();
  }

  @Test
  void partitionsThatAreAddedAreReadFromTheirBeginnings() throws Exception {
    make("grows", 1);
    try (TopicSource source = TopicSource.open(kafka, "grows", true)) {
      assertThat(source.begin(Map.of(), NO_GAPS)).containsOnlyKeys(new TopicPartition("grows", 0));
      admin.createPartitions(Map.of("grows", NewPartitions.increaseTo(2))).all().get();
      try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
        send(producer, "grows", 1, "new");
      }
      assertThat(source.begin(Map.of(), NO_GAPS)).containsOnlyKeys(new TopicPartition("grows", 1));
      List<String> found = new ArrayList<>();
      Patience.await(
          PATIENCE,
          () -> {
            source.poll(NO_GAPS).forEach(record -> found.add(new String(record.value(), UTF_8)));
            return !found.isEmpty();
          });
      assertThat(found).containsExactly("new");
    }
  }

  @Test
  void aTopicThatIsNotWhatItIsTakenForIsNotReadOnAndMayBeReadAsAnother() throws Exception {
    make("prose", 1);
    sendTexts("prose", LongStream.range(0, 500).mapToObj(i -> "text " + i).toArray(String[]::new));
    IngestReport wrong = ingest("prose", TopicFormat.JSON);
    assertThat(wrong.givenUp()).isEqualTo(1);
    assertThat(wrong.deadLetters()).isEqualTo(101);
    assertThat(ingest("prose", TopicFormat.TEXT).documents()).isEqualTo(500);
  }

  /** What the process that is killed does. */
  public static void main(String[] arguments) {
    ingest(KafkaAccess.local(arguments[0]), "raw", "raw", TopicFormat.JSON, false, () -> false);
  }

  private IngestReport ingest(String topic, TopicFormat format) {
    return ingest(topic, format, false, () -> false);
  }

  private IngestReport ingest(
      String topic, TopicFormat format, boolean follow, BooleanSupplier stopped) {
    return ingest(kafka, topic, topic, format, follow, stopped);
  }

  private static IngestReport ingest(
      KafkaAccess kafka,
      String topic,
      String domain,
      TopicFormat format,
      boolean follow,
      BooleanSupplier stopped) {
    return new TopicIngest(
            new CorpusIngest(kafka, IngestSettings.of(domain), true, false, false, bytes -> {}, 2),
            TopicReading.of(kafka, topic, format, Fields.STANDARD, null),
            follow)
        .run(stopped);
  }

  private void killBehind(long documents) throws Exception {
    Path log = directory.resolve("process.log");
    KilledIngest.behind(kafka, "raw", documents, log, TopicIngestIT.class);
  }

  private static List<Long> allBut(long missing, long last) {
    return LongStream.rangeClosed(1, last).filter(line -> line != missing).boxed().toList();
  }

  /** The lines of each origin, in order. */
  private Map<String, List<Long>> taken(String domain) {
    Map<String, List<Long>> lines = new TreeMap<>();
    documents(domain)
        .forEach(
            document ->
                lines
                    .computeIfAbsent(document.getOrigin(), origin -> new ArrayList<>())
                    .add(document.getLine()));
    return lines;
  }

  private List<String> texts(String domain) {
    return documents(domain).stream().map(Document::getText).toList();
  }

  private List<Document> documents(String domain) {
    List<Document> documents = new ArrayList<>();
    new TopicScan(kafka)
        .read(
            List.of(kafka.topics().corpus(domain)),
            message -> documents.add(WireCodec.decode(Document.class, message.value())));
    return documents;
  }

  private String deadLetters() {
    StringBuilder all = new StringBuilder();
    new DeadLetterLog(kafka)
        .read(
            entry ->
                all.append(entry.letter().getOrigin())
                    .append('-')
                    .append(entry.letter().getPartition())
                    .append('@')
                    .append(entry.letter().getPosition())
                    .append(": ")
                    .append(entry.letter().getReason())
                    .append('\n'));
    return all.toString();
  }

  private boolean exists(String topic) {
    try {
      return admin.listTopics().names().get().contains(topic);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void make(String topic, int partitions) throws Exception {
    TestingTopics.make(admin, List.of(new NewTopic(topic, partitions, (short) 1)));
  }

  private void sendTexts(String topic, String... texts) {
    try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
      for (String text : texts) {
        send(producer, topic, 0, text);
      }
    }
  }

  private void send(
      KafkaProducer<byte[], byte[]> producer, String topic, int partition, String value) {
    var unused =
        producer.send(
            new ProducerRecord<>(
                topic, partition, null, value == null ? null : value.getBytes(UTF_8)),
            deliveries);
  }

  /** A producer that waits for a busy broker: its records are what is tested with. */
  private KafkaProducer<byte[], byte[]> producer(Map<String, ?> own) {
    Map<String, Object> settings = new HashMap<>(own);
    settings.put("delivery.timeout.ms", 900_000);
    return new KafkaProducer<>(
        kafka.with(settings), new ByteArraySerializer(), new ByteArraySerializer());
  }
}
