package io.sluice.cli.loop;

import io.sluice.client.feedback.FeedbackReporter;
import io.sluice.client.feedback.Measurement;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.StreamState;
import io.sluice.client.run.TrainerRank;
import io.sluice.client.stream.GlobalBatch;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.Patience;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A trainer of many ranks without a model. Each takes its rank, reads its rows of an interval's
 * batches, reports its part of given losses and lets go again, a few ranks at a time; then all
 * resume for the next interval.
 */
public final class ScriptedRanks {
  private static final Duration PATIENCE = Patience.of(Duration.ofMinutes(2));
  private static final long BUFFER_BYTES = 1 << 20;

  /** What a rank's mean loss differs by from the one before it: the mean of all is as given. */
  private static final double SPREAD = 0.125;

  private final KafkaAccess kafka;
  private final RunInfo run;
  private final int worldSize;
  private final ScriptedTrainer.Losses losses;
  private final StreamOptions options;
  private final SortedMap<Long, List<String>> rows = new TreeMap<>();
  private final SortedMap<Long, Long> digests = new TreeMap<>();
  private StreamState state;

  /**
   * @param worldSize even
   * @param losses means over all ranks
   */
  public ScriptedRanks(
      KafkaAccess kafka, RunInfo run, int worldSize, ScriptedTrainer.Losses losses) {
    this(kafka, run, worldSize, losses, StreamOptions.defaults());
  }

  /** The same that read with these options, but for their ranks and buffers. */
  ScriptedRanks(
      KafkaAccess kafka,
      RunInfo run,
      int worldSize,
      ScriptedTrainer.Losses losses,
      StreamOptions options) {
    this.options = options;
    this.kafka = kafka;
    this.run = run;
    this.worldSize = worldSize;
    this.losses = losses;
    this.state = StreamState.start(run.runId());
  }

  /** Trains on the batches up to a step, and reports the losses of that step. */
  public void train(long lastStep) {
    StreamState from = state;
    List<Interval> read =
        IntStream.range(0, worldSize)
            .parallel()
            .mapToObj(rank -> train(TrainerRank.of(rank, worldSize), from, lastStep))
            .toList();
    state = read.get(0).end();
    for (long batch = from.batch() + 1; batch <= lastStep; batch++) {
      long each = batch;
      List<GlobalBatch> parts = read.stream().map(rank -> rank.batches().get(each)).toList();
      rows.put(each, parts.stream().flatMap(part -> Testbed.rows(part).stream()).toList());
      digests.put(each, parts.stream().mapToLong(GlobalBatch::digest).sum());
    }
  }

  /** What a rank has read: its parts of batches by their numbers, and where it came to. */
  private record Interval(Map<Long, GlobalBatch> batches, StreamState end) {}

  private Interval train(TrainerRank rank, StreamState from, long lastStep) {
    StreamOptions own = options.withRank(rank).withBufferBytes(BUFFER_BYTES);
    Map<Long, GlobalBatch> read = new TreeMap<>();
    try (Loader stream = Loader.open(kafka, run, own, from);
        FeedbackReporter feedback = FeedbackReporter.open(kafka, stream, InstantSource.system())) {
      if (from.batch() == 0) {
        report(feedback, rank, 0);
      }
      while (stream.state().batch() < lastStep) {
        GlobalBatch batch = stream.next(PATIENCE);
        read.put(batch.batch(), batch);
      }
      report(feedback, rank, lastStep);
      feedback.progress(lastStep, lastStep, lastStep);
      feedback.flush();
      return new Interval(read, stream.state());
    }
  }

  private void report(FeedbackReporter feedback, TrainerRank rank, long step) {
    long count = 1L + rank.rank() / 2 % 7;
    double differs = rank.rank() % 2 == 0 ? SPREAD : -SPREAD;
    Map<String, Measurement.Total> totals = new LinkedHashMap<>();
    for (String domain : run.spec().getDomains()) {
      double mean = losses.at(step, domain) + differs;
      totals.put(domain, new Measurement.Total(count * mean, count));
    }
    feedback.publish(Measurement.evalLoss(step, step, "step-" + step, totals));
  }

  /** The rows of all ranks, in their order, by batch. */
  public SortedMap<Long, List<String>> rows() {
    return rows;
  }

  /** What the ranks together say that they read, by batch. */
  SortedMap<Long, Long> digests() {
    return digests;
  }

  /** What a checkpoint of the last step keeps. */
  StreamState state() {
    return state;
  }
}
