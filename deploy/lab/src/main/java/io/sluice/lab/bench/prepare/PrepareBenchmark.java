package io.sluice.lab.bench.prepare;

import io.sluice.corpus.range.SourceRoots;
import io.sluice.lab.bench.measure.BenchLog;
import io.sluice.lab.bench.measure.BenchTopics;
import io.sluice.lab.bench.measure.Compression;
import io.sluice.lab.bench.measure.Stage;
import io.sluice.lab.bench.measure.TopicMeter.Growth;
import io.sluice.lab.bench.measure.Usage;
import io.sluice.lab.bench.prepare.BareTokenizer.Speed;
import io.sluice.schema.DatasetSpec;
import io.sluice.service.flink.JobHandle;
import io.sluice.service.local.DatasetJobs;
import io.sluice.service.local.Preparation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Measures PrepareJob against the tokenizer that it runs, by turns. */
final class PrepareBenchmark {
  private static final double WARM_UP = 0.25;

  /** Ids are prepared so many times as fast as their texts. */
  private static final int IDS_FASTER = 4;

  private final Path directory;
  private final int warmUps;
  private final int repeats;
  private final BenchLog log;

  /**
   * What is prepared.
   *
   * @param preTokenized whether documents come as ids of the tokenizer
   * @param domains among which the same documents are dealt, one number after the other
   * @param threads that make tokens, one number after the other
   * @param seconds about how long each measurement takes
   */
  record Request(
      String tokenizer,
      boolean preTokenized,
      List<Integer> domains,
      List<Integer> threads,
      double seconds) {}

  /** One turn. */
  record Turn(Speed bare, Growth growth, double startSeconds, double heapMib) {}

  PrepareBenchmark(Path directory, int warmUps, int repeats, BenchLog log) {
    this.directory = directory;
    this.warmUps = warmUps;
    this.repeats = repeats;
    this.log = log;
  }

  /** Measures one number of domains after the other, and for each one number of threads. */
  PrepareResult measure(Request request) {
    MadeUpDocuments documents = new MadeUpDocuments(request.tokenizer(), request.preTokenized());
    BareTokenizer bare =
        new BareTokenizer(request.tokenizer(), documents.texts(), documents.meanBytes());
    try (Stage stage = Stage.open(directory, Compression.NONE)) {
      double fastest = bare.measure(max(request.threads()), request.seconds()).documentsPerSecond();
      int count =
          max(request.domains())
              + (int)
                  (fastest
                      * request.seconds()
                      * (request.preTokenized() ? IDS_FASTER : 1)
                      / (1 - WARM_UP));
      List<PrepareResult.Point> points = new ArrayList<>();
      for (int domains : request.domains()) {
        log.say(
            "dealing %d documents, %.0f MB, to %d domains",
            count, count * documents.meanBytes() / 1e6, domains);
        CorpusTopics corpus = new CorpusTopics(stage.kafka(), request.tokenizer(), domains);
        corpus.fill(documents, count);
        for (int threads : request.threads()) {
          List<Turn> turns = turns(stage, corpus, count, bare, threads, request.seconds());
          points.add(PrepareResult.Point.of(domains, threads, documents, turns));
        }
      }
      return PrepareResult.of(request.tokenizer(), request.preTokenized(), points);
    }
  }

  private static int max(List<Integer> values) {
    return values.stream().mapToInt(Integer::intValue).max().orElseThrow();
  }

  private List<Turn> turns(
      Stage stage,
      CorpusTopics corpus,
      int count,
      BareTokenizer bare,
      int threads,
      double seconds) {
    List<Turn> counted = new ArrayList<>();
    for (int number = 1 - warmUps; number <= repeats; number++) {
      Speed limit = bare.measure(threads, seconds);
      Turn turn = prepare(stage, limit, corpus, threads, count);
      log.say(
          "%d threads, %s: %.1f MB/s, bare tokenizer %.1f MB/s",
          threads,
          BenchLog.turn(number, repeats),
          turn.growth().megabytesPerSecond(bare.meanBytes()),
          limit.megabytesPerSecond(bare.meanBytes()));
      if (number > 0) {
        counted.add(turn);
      }
    }
    return counted;
  }

  private static Turn prepare(
      Stage stage, Speed limit, CorpusTopics corpus, int threads, int documents) {
    DatasetSpec spec = corpus.dataset();
    long heapBefore = Usage.liveHeap();
    long submitted = System.nanoTime();
    JobHandle job =
        stage
            .flink()
            .submit(
                "prepare-" + spec.getName(),
                env ->
                    DatasetJobs.build(
                        env, stage.kafka(), spec, new Preparation(1, threads, SourceRoots.NONE)));
    try (CommitMeter meter = new CommitMeter(stage, spec.getName())) {
      meter.awaitFirst();
      double start = (System.nanoTime() - submitted) / 1e9;
      Growth growth = meter.measure((long) (documents * WARM_UP), documents);
      double heapMib = Math.max(0, growth.liveHeap() - heapBefore) / (double) (1 << 20);
      return new Turn(limit, growth, start, heapMib);
    } finally {
      job.cancel();
      BenchTopics.delete(stage.kafka(), corpus.blocks(spec));
    }
  }
}
