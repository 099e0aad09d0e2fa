package io.sluice.lab.bench.prepare;

import io.sluice.control.topics.TopicAdmin;
import io.sluice.lab.bench.measure.BenchLog;
import io.sluice.lab.bench.measure.BenchTopics;
import io.sluice.lab.bench.measure.Compression;
import io.sluice.lab.bench.measure.Spread;
import io.sluice.lab.bench.measure.Stage;
import io.sluice.lab.bench.measure.TopicMeter;
import io.sluice.lab.bench.measure.TopicMeter.Growth;
import io.sluice.lab.bench.prepare.BareTokenizer.Speed;
import io.sluice.schema.DatasetSpec;
import io.sluice.service.flink.JobHandle;
import io.sluice.service.local.DatasetJobs;
import io.sluice.service.local.Preparation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;

/** Measures PrepareJob against the tokenizer that it runs, by turns. */
final class PrepareBenchmark {
  private static final double WARM_UP = 0.25;
  private static final double END = 0.95;

  private final Path directory;
  private final int warmUps;
  private final int repeats;
  private final BenchLog log;
  private int datasets;

  PrepareBenchmark(Path directory, int warmUps, int repeats, BenchLog log) {
    this.directory = directory;
    this.warmUps = warmUps;
    this.repeats = repeats;
    this.log = log;
  }

  /**
   * Measures one number of threads after the other.
   *
   * @param seconds about how long each measurement takes
   */
  PrepareResult measure(String tokenizer, List<Integer> counts, double seconds) {
    CorpusTopics corpus = new CorpusTopics(tokenizer);
    BareTokenizer bare = new BareTokenizer(tokenizer, corpus.texts(), corpus.meanBytes());
    try (Stage stage = Stage.open(directory, Compression.NONE);
        TopicMeter meter = new TopicMeter(stage)) {
      double fastest = bare.measure(max(counts), seconds).documentsPerSecond();
      int domains = corpus.dataset(0).getDomains().size();
      int documents =
          2 * CorpusTopics.buffered() + (int) (fastest * seconds / domains / (END - WARM_UP));
      log.say(
          "filling %d domains with %d documents each, %.0f MB",
          domains, documents, domains * documents * corpus.meanBytes() / 1e6);
      corpus.fill(stage.kafka(), documents);
      List<PrepareResult.Point> points = new ArrayList<>();
      for (int threads : counts) {
        points.add(point(stage, meter, corpus, bare, threads, documents, seconds));
      }
      return PrepareResult.of(tokenizer, points);
    }
  }

  private static int max(List<Integer> values) {
    return values.stream().mapToInt(Integer::intValue).max().orElseThrow();
  }

  private PrepareResult.Point point(
      Stage stage,
      TopicMeter meter,
      CorpusTopics corpus,
      BareTokenizer bare,
      int threads,
      int documents,
      double seconds) {
    List<Double> prepared = new ArrayList<>();
    List<Double> tokenized = new ArrayList<>();
    List<Double> cpu = new ArrayList<>();
    for (int turn = 1 - warmUps; turn <= repeats; turn++) {
      Speed limit = bare.measure(threads, seconds);
      DatasetSpec spec = corpus.dataset(datasets++);
      double blocksPerDocument =
          limit.tokenBytes() / spec.getTokenWidth() / (spec.getSequenceLength() + 1);
      int released = documents - CorpusTopics.buffered();
      Growth growth = prepare(stage, meter, spec, threads, released * blocksPerDocument);
      double docs = growth.perSecond() / blocksPerDocument;
      double docsMBps = docs * corpus.meanBytes() / 1e6;
      double limitMBps = limit.megabytesPerSecond(corpus.meanBytes());
      log.say(
          "%d threads, %s: %.1f MB/s, bare tokenizer %.1f MB/s",
          threads, BenchLog.turn(turn, repeats), docsMBps, limitMBps);
      if (turn > 0) {
        prepared.add(docsMBps);
        tokenized.add(limitMBps);
        cpu.add(growth.cpuMicrosPerRecord() * blocksPerDocument);
      }
    }
    return PrepareResult.Point.of(
        threads, Spread.of(prepared), Spread.of(tokenized), Spread.of(cpu).median());
  }

  private static Growth prepare(
      Stage stage, TopicMeter meter, DatasetSpec spec, int threads, double blocksPerDomain) {
    try (TopicAdmin admin = new TopicAdmin(stage.kafka())) {
      admin.ensureDataset(spec);
    }
    List<TopicPartition> blocks = CorpusTopics.blocks(stage.kafka(), spec);
    JobHandle job =
        stage
            .flink()
            .submit(
                "prepare-" + spec.getName(),
                env -> DatasetJobs.build(env, stage.kafka(), spec, new Preparation(1, threads)));
    double total = blocksPerDomain * blocks.size();
    try {
      return meter.measure(blocks, (long) (total * WARM_UP), (long) (total * END));
    } finally {
      job.cancel();
      blocks.forEach(partition -> BenchTopics.delete(stage.kafka(), partition.topic()));
    }
  }
}
