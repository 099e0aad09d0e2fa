package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.ingest.corpus.CorpusIngest;
import io.sluice.control.domain.PreparedDomains;
import io.sluice.control.history.TopicScan;
import io.sluice.control.masks.DocumentSets;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.range.SourceRoots;
import io.sluice.jobs.prepare.PrepareJob;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.jobs.prepare.dataset.FimSettings;
import io.sluice.jobs.prepare.dataset.HeldOutRule;
import io.sluice.jobs.prepare.dataset.HeldOutSettings;
import io.sluice.jobs.prepare.dataset.PackingSettings;
import io.sluice.jobs.prepare.dataset.ShuffleSettings;
import io.sluice.jobs.prepare.dataset.TokenSettings;
import io.sluice.schema.BlockLineage;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.LedgerCounts;
import io.sluice.schema.Supply;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import io.sluice.schema.set.DocumentHashes;
import io.sluice.schema.set.DocumentKey;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.flink.EmbeddedFlink;
import io.sluice.service.flink.FlinkSettings;
import io.sluice.service.flink.JobHandle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * One corpus, prepared by jobs that are killed three times, rescaled and started without state: all
 * come to what a job makes of it that is never disturbed.
 */
class PreparedAgainIT {
  private static final Duration IDLE = Duration.ofMinutes(2);
  private static final List<String> DOMAINS = List.of("code", "prose", "tiny");
  private static final int PORTION = 400;
  private static final String WITHOUT_KILLS = "whole";

  /** With how much a job prepares: tasks of each step, and threads of a reading task. */
  private record Tasks(int parallelism, int threads) {}

  private final Map<String, JobHandle> jobs = new TreeMap<>();
  private final Random random = new Random(5);

  @TempDir Path directory;

  private ShuffleSettings shuffle = new ShuffleSettings(20, Duration.ZERO, 9);

  @Test
  @EnabledIfSystemProperty(named = "sluice.full", matches = "true")
  void soAreBlocksWhereAllDocumentsOfADomainAreShuffledAtItsEnd() throws Exception {
    shuffle = new ShuffleSettings(ShuffleSettings.GLOBAL, Duration.ZERO, 9);
    fittedBlocksAndTheLeastThatIsHeldOutAreTheSameHoweverTheyWerePrepared();
  }

  @Test
  void fittedBlocksAndTheLeastThatIsHeldOutAreTheSameHoweverTheyWerePrepared() throws Exception {
    try (EmbeddedBroker broker =
            EmbeddedBroker.start(directory.resolve("broker"), 0, Patience.MINUTE);
        EmbeddedFlink flink =
            EmbeddedFlink.start(
                FlinkSettings.in(directory.resolve("flink")).withTaskManagers(1, 48))) {
      KafkaAccess kafka = KafkaAccess.local(broker.bootstrapServers());
      Map<String, Tasks> tasks = tasks();
      long forgotten = forget(kafka);
      tasks.forEach((name, of) -> submit(flink, kafka, name, of, Optional.empty()));
      ingest(kafka, 0, false);
      for (int kill = 0; kill < 3; kill++) {
        jobs.keySet().forEach(name -> Patience.await(IDLE, () -> hasBlocks(kafka, name)));
        ingest(kafka, kill + 1, kill == 2);
        flink.terminateTaskManager(kill);
        flink.startTaskManager();
        if (kill == 1) {
          startAgain(flink, kafka, "anew", new Tasks(1, 8), Optional.empty());
          startAgain(flink, kafka, "four", new Tasks(2, 1), flink.latestCheckpoint("four"));
          startAgain(flink, kafka, "two", new Tasks(4, 8), flink.latestCheckpoint("two"));
          for (String pair : tasks.keySet().stream().filter(name -> name.contains("x")).toList()) {
            startAgain(flink, kafka, pair, rescaled(tasks.get(pair)), flink.latestCheckpoint(pair));
          }
        }
      }
      submit(flink, kafka, WITHOUT_KILLS, new Tasks(1, 2), Optional.empty());
      jobs.keySet().forEach(name -> Patience.await(IDLE, () -> hasEnded(kafka, name)));

      Map<String, List<String>> blocks = records(kafka, WITHOUT_KILLS);
      Map<String, Supply> supply = supply(kafka, WITHOUT_KILLS);
      assertThat(blocks.values()).allSatisfy(lane -> assertThat(lane).hasSizeGreaterThan(1));
      assertThat(supply.values()).allSatisfy(each -> assertThat(each.getPadding()).isPositive());
      assertThat(DOMAINS)
          .map(domain -> supply.get(domain + "/0").getLedger().getDocuments())
          .map(LedgerCounts::getDeadLetters)
          .containsOnly(1L + 2 + 3);
      assertThat(supply.get("code/0").getLedger().getDocuments().getForgotten())
          .isEqualTo(forgotten);
      for (String name : tasks.keySet()) {
        assertThat(records(kafka, name)).as(name).isEqualTo(blocks);
        assertThat(supply(kafka, name)).as(name).isEqualTo(supply);
      }
    }
  }

  /** Documents of the second portion, of which no job has begun with a block. */
  private static long forget(KafkaAccess kafka) {
    SortedMap<String, SortedSet<DocumentKey>> forgotten = new TreeMap<>();
    for (int i = 0; i < PORTION; i += 3) {
      forgotten
          .computeIfAbsent("code", domain -> new TreeSet<>())
          .add(DocumentKey.of("code", "code1-" + i));
    }
    new DocumentSets(kafka).add(DocumentHashes.of(forgotten), true, "a takedown");
    return forgotten.get("code").size();
  }

  /**
   * Of each number of tasks and of threads at least one; in the full test, every pair of them, each
   * of which is rescaled, too.
   */
  private static Map<String, Tasks> tasks() {
    Map<String, Tasks> tasks =
        new TreeMap<>(
            Map.of(
                "one", new Tasks(1, 1),
                "two", new Tasks(2, 2),
                "four", new Tasks(4, 8),
                "anew", new Tasks(2, 2)));
    if (Boolean.getBoolean("sluice.full")) {
      for (int parallelism : new int[] {1, 2, 4}) {
        for (int threads : new int[] {1, 2, 8}) {
          tasks.put(parallelism + "x" + threads, new Tasks(parallelism, threads));
        }
      }
    }
    return tasks;
  }

  private static Tasks rescaled(Tasks tasks) {
    return new Tasks(tasks.parallelism() == 4 ? 1 : 2 * tasks.parallelism(), tasks.threads());
  }

  private void startAgain(
      EmbeddedFlink flink, KafkaAccess kafka, String name, Tasks tasks, Optional<Path> state) {
    JobHandle before = jobs.get(name);
    before.cancel();
    submit(flink, kafka, name, tasks, state);
  }

  private void submit(
      EmbeddedFlink flink, KafkaAccess kafka, String name, Tasks tasks, Optional<Path> state) {
    DatasetSpec dataset = dataset(name);
    try (TopicAdmin admin = new TopicAdmin(kafka)) {
      admin.ensureService();
      admin.ensureDataset(dataset);
    }
    jobs.put(
        name,
        flink.submit(
            name,
            env -> {
              env.setParallelism(tasks.parallelism());
              PrepareJob.build(env, kafka, dataset, tasks.threads(), SourceRoots.NONE);
            },
            state));
  }

  private DatasetSpec dataset(String name) {
    return DatasetSpecs.resolve(
        new DatasetSettings(
            name,
            DOMAINS,
            2,
            new TokenSettings("bytes"),
            new PackingSettings(64, PackingSettings.BEST_FIT, 5, 4, PackingSettings.HASHES),
            shuffle,
            new HeldOutSettings(.03, 2_000, HeldOutRule.NEWEST),
            new FimSettings(.4, .5, List.of(1, 2, 3))));
  }

  /**
   * Of each domain as many documents as it has, some of them copies, and some longer than blocks.
   */
  private void ingest(KafkaAccess kafka, int portion, boolean end) throws IOException {
    for (String domain : DOMAINS) {
      SpoiltCorpus.spoil(kafka, domain, portion);
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < (domain.equals("tiny") ? PORTION / 10 : PORTION); i++) {
        int copied = random.nextInt(8) == 0 ? random.nextInt(20) : lines.size() + 1_000 * portion;
        String text = (domain + copied + " ").repeat(1 + new Random(copied).nextInt(20));
        lines.add("{\"id\": \"" + domain + portion + "-" + i + "\", \"text\": \"" + text + "\"}");
      }
      Path file = Files.write(directory.resolve(domain + portion + ".jsonl"), lines);
      IngestSettings settings = new IngestSettings(domain, Format.JSONL, 1 << 20);
      new CorpusIngest(kafka, settings, false, end, bytes -> {}).paths(List.of(file));
    }
  }

  /** Of any kind: where all documents are shuffled, those that are trained on wait for the end. */
  private static boolean hasBlocks(KafkaAccess kafka, String name) {
    Map<String, Supply> prepared = PreparedDomains.read(kafka, name);
    return prepared.size() == DOMAINS.size()
        && prepared.values().stream().anyMatch(each -> each.getBlocks() + each.getEvalBlocks() > 0);
  }

  private static boolean hasEnded(KafkaAccess kafka, String name) {
    Map<String, Supply> prepared = PreparedDomains.read(kafka, name);
    return prepared.size() == DOMAINS.size()
        && prepared.values().stream().allMatch(Supply::getEnded);
  }

  /** Committed records of every lane, and lineage, but for when they were made. */
  private static Map<String, List<String>> records(KafkaAccess kafka, String name) {
    Map<String, List<String>> lanes = new TreeMap<>();
    for (String domain : DOMAINS) {
      for (String topic :
          List.of(kafka.topics().blocks(name, domain), kafka.topics().eval(name, domain))) {
        String key = topic.replace("." + name + ".", ".") + "-";
        new TopicScan(kafka)
            .read(
                List.of(topic),
                record ->
                    lanes
                        .computeIfAbsent(key + record.partition(), lane -> new ArrayList<>())
                        .add(timeless(record)));
      }
    }
    new TopicScan(kafka)
        .read(
            BlockLineage.class,
            kafka.topics().lineage(name),
            each ->
                lanes
                    .computeIfAbsent(lineage(each), lane -> new ArrayList<>())
                    .add(HexFormat.of().formatHex(WireCodec.encode(each))));
    return lanes;
  }

  /** Within which the lineage of blocks is in the order of the blocks. */
  private static String lineage(BlockLineage of) {
    return "lineage " + of.getDomain() + " " + of.getHeldOut() + " " + of.getLane();
  }

  private static String timeless(ConsumerRecord<byte[], byte[]> record) {
    SpecificRecordBase message = WireCodec.decode(record.value());
    if (message instanceof TokenBlock block) {
      message = TokenBlock.newBuilder(block).setProducedAtMillis(0).build();
    }
    return record.timestamp() + " " + HexFormat.of().formatHex(WireCodec.encode(message));
  }

  private static Map<String, Supply> supply(KafkaAccess kafka, String name) {
    Map<String, Supply> newest = new TreeMap<>();
    new TopicScan(kafka)
        .read(
            Supply.class,
            kafka.topics().supply(name),
            each ->
                newest.put(
                    each.getDomain() + "/" + each.getLane(),
                    Supply.newBuilder(each).setDataset("").build()));
    return newest;
  }
}
