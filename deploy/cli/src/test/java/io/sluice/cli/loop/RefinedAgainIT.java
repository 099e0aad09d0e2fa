package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.ingest.corpus.CorpusIngest;
import io.sluice.control.history.TopicScan;
import io.sluice.control.refine.RefineLog;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.file.Format;
import io.sluice.jobs.refine.RefineJob;
import io.sluice.refine.basis.BasisModel;
import io.sluice.refine.basis.Resampling;
import io.sluice.refine.classify.ClassifierTraining;
import io.sluice.refine.classify.TrainingSettings;
import io.sluice.refine.cluster.ClusterModel;
import io.sluice.refine.cluster.HashedEmbedder;
import io.sluice.refine.cluster.Hierarchy;
import io.sluice.refine.cluster.Histogram;
import io.sluice.refine.decide.RefineSpecs;
import io.sluice.refine.model.ModelDirectory;
import io.sluice.refine.perplexity.NgramSettings;
import io.sluice.refine.perplexity.NgramTrainer;
import io.sluice.refine.step.StepNames;
import io.sluice.refine.text.Words;
import io.sluice.schema.BordersMoved;
import io.sluice.schema.DroppedDocument;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RefineProgress;
import io.sluice.schema.RefineRound;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.RefineStep;
import io.sluice.schema.RefinedDomain;
import io.sluice.schema.WireCodec;
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
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two domains and a target set, refined by jobs that are killed three times, rescaled and started
 * without state, while documents come: each comes to what a job makes of the same rounds that is
 * never disturbed.
 */
class RefinedAgainIT {
  private static final Duration IDLE = Duration.ofMinutes(2);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final List<String> INPUTS = List.of("left", "right");
  private static final String TARGET = "exam";
  private static final List<String> SUBJECTS =
      List.of(
          "stars planets orbits telescopes and galaxies in the night",
          "butter flour sugar eggs and a hot oven for the cake");
  private static final int PORTION = 300;

  private final Map<String, JobHandle> jobs = new TreeMap<>();
  private final Random random = new Random(7);

  @TempDir Path directory;

  @Test
  void documentsAreTheSameHoweverTheyWereRefined() throws Exception {
    List<RefineStep> steps = steps();
    try (EmbeddedBroker broker =
            EmbeddedBroker.start(directory.resolve("broker"), 0, Patience.MINUTE);
        EmbeddedFlink flink =
            EmbeddedFlink.start(
                FlinkSettings.in(directory.resolve("flink")).withTaskManagers(1, 48))) {
      KafkaAccess kafka = KafkaAccess.local(broker.bootstrapServers());
      List<String> names = List.of("one", "four", "anew");
      for (String name : names) {
        submit(flink, kafka, spec(name, steps), name.equals("four") ? 4 : 1, Optional.empty());
      }
      ingest(kafka, 0, false);
      for (int kill = 0; kill < 3; kill++) {
        long before = (kill + 1L) * PORTION;
        names.forEach(
            name -> Patience.await(IDLE, () -> progress(kafka, name).getRecords() >= before));
        ingest(kafka, kill + 1, kill == 2);
        flink.terminateTaskManager(kill);
        flink.startTaskManager();
        if (kill == 1) {
          startAgain(flink, kafka, spec("anew", steps), 2, Optional.empty());
          startAgain(flink, kafka, spec("four", steps), 2, flink.latestCheckpoint("four"));
          startAgain(flink, kafka, spec("one", steps), 3, flink.latestCheckpoint("one"));
        }
      }
      names.forEach(name -> Patience.await(IDLE, () -> progress(kafka, name).getEnded()));
      for (String name : names) {
        String whole = name + "-whole";
        sayRounds(kafka, name, whole);
        submit(flink, kafka, spec(whole, steps), 1, Optional.empty());
        Patience.await(IDLE, () -> progress(kafka, whole).getEnded());

        assertThat(decided(kafka, name)).as(name).isEqualTo(decided(kafka, whole));
        assertThat(documents(kafka, spec(name, steps)))
            .as(name)
            .isEqualTo(documents(kafka, spec(whole, steps)));
        requireWhole(kafka, spec(name, steps));
      }
    }
  }

  /** Every record is counted once, and outputs have as many documents as are counted. */
  private static void requireWhole(KafkaAccess kafka, RefineSpec spec) {
    RefineProgress progress = progress(kafka, spec.getName());
    Map<String, Long> counts = progress.getCounts();
    assertThat(progress.getRecords()).isEqualTo(3 * (4 * PORTION + 1) + 6 * 3);
    assertThat(counts.values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(progress.getRecords());
    assertThat(counts)
        .containsKeys("kept", "exact duplicate", "near duplicate", "not drawn")
        .containsKeys("duplicate of a target", "target in training")
        .containsEntry("end", 3L)
        .containsEntry("dead letter", 18L);
    Map<String, List<String>> outputs = documents(kafka, spec);
    long ends = spec.getDomains().size();
    assertThat(outputs.values().stream().mapToLong(List::size).sum())
        .isEqualTo(
            progress.getOutputs().stream().mapToLong(RefinedDomain::getDocuments).sum() + ends)
        .isGreaterThan(counts.get("kept") + ends);
    assertThat(outputs.keySet()).hasSize(spec.getDomains().size());
  }

  private List<RefineStep> steps() {
    ClassifierTraining classifier =
        new ClassifierTraining(
            TrainingSettings.STANDARD.with(5, 0, 1), List.of("science", "kitchen"));
    NgramTrainer ngrams = new NgramTrainer(NgramSettings.STANDARD);
    Random words = new Random(1);
    List<List<String>> texts = List.of(new ArrayList<>(), new ArrayList<>());
    for (int i = 0; i < 60; i++) {
      String text = text(SUBJECTS.get(i % 2), words);
      classifier.add(i % 2 == 0 ? "science" : "kitchen", text);
      ngrams.add(Words.of(text));
      texts.get(i % 2).add(text);
    }
    ModelDirectory topics = classifier.train().classifier().write(directory.resolve("topics"));
    ModelDirectory model = ngrams.model().write(directory.resolve("ngrams"));
    Path clusters = directory.resolve("clusters");
    return List.of(
        step(StepNames.CLUSTER, "clusters", clusters(texts).hash(), Map.of("assign", "descent")),
        step(StepNames.BASIS, "basis", basis(ClusterModel.open(clusters), texts).hash(), Map.of()),
        new RefineStep(
            StepNames.DUPLICATES,
            "",
            "",
            Map.of(
                "memory",
                "state",
                "similarity",
                "0.7",
                "words",
                "3",
                "bands",
                "20",
                "rows",
                "7",
                "documents",
                "500")),
        step(StepNames.TOPIC, "topics", topics.hash(), Map.of()),
        step(
            StepNames.PERPLEXITY,
            "ngrams",
            model.hash(),
            Map.of("buckets", "3", "warm-up", "50", "growth", "1.5", "tolerance", "0.2")));
  }

  private ClusterModel clusters(List<List<String>> texts) {
    HashedEmbedder embedder = HashedEmbedder.unweighted(32, HashedEmbedder.CHARACTERS);
    float[][] vectors =
        texts.stream().flatMap(List::stream).map(embedder::embed).toArray(float[][]::new);
    Hierarchy fit = Hierarchy.fit(vectors, 3, 2, 1, level -> {});
    return ClusterModel.write(
        directory.resolve("clusters"),
        fit.tree(),
        embedder,
        new ClusterModel.Fit(vectors.length, vectors.length, fit.levels()));
  }

  /** Topics of science, and of everything: some texts of the kitchen are in none. */
  private BasisModel basis(ClusterModel clusters, List<List<String>> texts) {
    Histogram science = histogram(clusters, texts.subList(0, 1));
    Histogram all = histogram(clusters, texts);
    return BasisModel.write(
        directory.resolve("basis"),
        all,
        new TreeMap<>(Map.of("science", science, "all", all)),
        new Resampling(0.7, 4, 1));
  }

  private static Histogram histogram(ClusterModel clusters, List<List<String>> texts) {
    Map<Integer, Long> counts = new TreeMap<>();
    texts.forEach(some -> some.forEach(text -> counts.merge(clusters.leaf(text), 1L, Long::sum)));
    return Histogram.of(clusters.hash(), counts);
  }

  private RefineStep step(String name, String folder, String hash, Map<String, String> settings) {
    return new RefineStep(name, directory.resolve(folder).toString(), hash, settings);
  }

  private static RefineSpec spec(String name, List<RefineStep> steps) {
    List<RefineStep> all = new ArrayList<>(steps);
    all.add(
        new RefineStep(
            StepNames.TARGETS,
            "",
            "",
            Map.of(
                "domains",
                TARGET,
                "into",
                name + "-{input}-{side}",
                "tests",
                "0.5",
                "seed",
                "1",
                "similarity",
                "0.6")));
    return RefineSpecs.resolve(name, INPUTS, name + "-{perplexity}-{basis}", all);
  }

  private void startAgain(
      EmbeddedFlink flink, KafkaAccess kafka, RefineSpec spec, int tasks, Optional<Path> state) {
    JobHandle before = jobs.get(spec.getName());
    before.cancel();
    submit(flink, kafka, spec, tasks, state);
  }

  private void submit(
      EmbeddedFlink flink, KafkaAccess kafka, RefineSpec spec, int tasks, Optional<Path> state) {
    try (TopicAdmin admin = new TopicAdmin(kafka)) {
      admin.ensureService();
      admin.ensureRefinery(spec);
    }
    jobs.put(
        spec.getName(),
        flink.submit(
            spec.getName(),
            env -> {
              env.setParallelism(tasks);
              RefineJob.build(env, kafka, spec, tasks);
            },
            state));
  }

  /** The rounds of one refinery are those of another from the start. */
  private static void sayRounds(KafkaAccess kafka, String of, String to) {
    try (TopicAdmin admin = new TopicAdmin(kafka);
        KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(
                kafka.with(Map.of("acks", "all")),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
      admin.ensureRefinery(new RefineSpec(to, List.of("left"), "", List.of(), List.of(), 0L));
      for (RefineRound round : new RefineLog(kafka, of).rounds(0, PATIENCE).values()) {
        var unused =
            producer.send(
                new ProducerRecord<>(kafka.topics().refined(to), WireCodec.encode(round)));
      }
    }
  }

  private static RefineProgress progress(KafkaAccess kafka, String name) {
    return new RefineLog(kafka, name)
        .progress(PATIENCE)
        .orElseGet(
            () -> new RefineProgress(0L, 0L, List.of(), Map.of(), List.of(), Map.of(), false));
  }

  /** What was dropped and which borders moved, in order, and the progress at the end. */
  private static List<SpecificRecordBase> decided(KafkaAccess kafka, String name) {
    List<SpecificRecordBase> decided = new ArrayList<>();
    new RefineLog(kafka, name)
        .read(
            PATIENCE,
            said -> {
              if (said instanceof DroppedDocument || said instanceof BordersMoved) {
                decided.add(said);
              }
            });
    assertThat(decided).hasAtLeastOneElementOfType(BordersMoved.class);
    decided.add(
        RefineProgress.newBuilder(progress(kafka, name))
            .setFingerprint(0)
            .setOutputs(List.of())
            .build());
    return decided;
  }

  /** Committed records of each domain, by its name without the refinery's. */
  private static Map<String, List<String>> documents(KafkaAccess kafka, RefineSpec spec) {
    Map<String, List<String>> documents = new TreeMap<>();
    for (String domain : spec.getDomains()) {
      List<String> here =
          documents.computeIfAbsent(
              domain.substring(spec.getName().length()), name -> new ArrayList<>());
      new TopicScan(kafka)
          .read(
              List.of(kafka.topics().corpus(domain)),
              record -> here.add(record.timestamp() + " " + shown(record.value())));
    }
    return documents;
  }

  private static String shown(byte[] value) {
    return WireCodec.decode(value) instanceof EndOfDomain end
        ? "end after " + end.getSize()
        : HexFormat.of().formatHex(value);
  }

  /** Documents of two subjects, some of them copies, exact or nearly. */
  private void ingest(KafkaAccess kafka, int portion, boolean end) throws IOException {
    for (String domain : List.of(TARGET, "left", "right")) {
      SpoiltCorpus.spoil(kafka, domain, portion);
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < PORTION; i++) {
        boolean copied = random.nextInt(6) == 0;
        int seed = copied ? random.nextInt(40) : random.nextInt();
        String text = text(SUBJECTS.get(seed & 1), new Random(seed));
        String more = copied && random.nextBoolean() ? " indeed" : "";
        lines.add(String.format("{\"id\": \"%d-%d\", \"text\": \"%s%s\"}", portion, i, text, more));
      }
      Path file = Files.write(directory.resolve(domain + portion + ".jsonl"), lines);
      IngestSettings settings = new IngestSettings(domain, Format.JSONL, 1 << 20);
      new CorpusIngest(kafka, settings, false, end, bytes -> {}).paths(List.of(file));
    }
  }

  /** A text of a subject: its words in any order, the more often drawn the easier. */
  private static String text(String subject, Random random) {
    String[] words = subject.split(" ", -1);
    StringBuilder text = new StringBuilder();
    int length = 40 + random.nextInt(40);
    for (int i = 0; i < length; i++) {
      text.append(words[random.nextInt(words.length)]).append(random.nextInt(30)).append(' ');
    }
    return text.toString().strip();
  }
}
