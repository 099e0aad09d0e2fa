package io.sluice.cli.demo;

import io.sluice.client.FeedbackReporter;
import io.sluice.client.GlobalBatch;
import io.sluice.client.Measurement;
import io.sluice.client.Reporter;
import io.sluice.client.RunInfo;
import io.sluice.client.Sequence;
import io.sluice.client.StreamOptions;
import io.sluice.client.TrainerStream;
import io.sluice.djl.StepReport;
import io.sluice.djl.TrainingObserver;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A trainer without a model: it reads every batch and sends the losses of an earlier run. */
final class ReplayTrainer {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final KafkaAccess access;
  private final SortedMap<Long, Map<String, Double>> losses;
  private final TrainingObserver observer;

  ReplayTrainer(
      KafkaAccess access, SortedMap<Long, Map<String, Double>> losses, TrainingObserver observer) {
    this.access = access;
    this.losses = losses;
    this.observer = observer;
  }

  void train(RunInfo run, long steps) {
    try (TrainerStream stream = TrainerStream.open(access, run, StreamOptions.defaults());
        FeedbackReporter feedback =
            FeedbackReporter.open(access, run, Reporter.single(), InstantSource.system())) {
      report(feedback, 0);
      for (long step = 1; step <= steps; step++) {
        long asked = System.nanoTime();
        GlobalBatch batch = stream.next(PATIENCE);
        observer.onStep(describe(batch, System.nanoTime() - asked));
        report(feedback, step);
        feedback.progress(step, step, -1);
      }
      feedback.flush();
    }
  }

  private void report(FeedbackReporter feedback, long step) {
    Map<String, Double> measured = losses.get(step);
    if (measured == null) {
      return;
    }
    Map<String, Measurement.Total> totals = new LinkedHashMap<>();
    measured.forEach((domain, loss) -> totals.put(domain, new Measurement.Total(loss, 1)));
    feedback.publish(Measurement.evalLoss(step, step, "replay-" + step, totals));
    observer.onEvaluation(step, measured);
  }

  private static StepReport describe(GlobalBatch batch, long waitNanos) {
    Map<String, Integer> sequences = new TreeMap<>();
    long tokens = 0;
    for (Sequence sequence : batch.sequences()) {
      sequences.merge(sequence.block().getDomain(), 1, Integer::sum);
      tokens += sequence.block().getTrainedTokens();
    }
    return new StepReport(
        batch.batch(),
        batch.timeline(),
        batch.weightsVersion(),
        Double.NaN,
        tokens,
        0,
        waitNanos,
        0,
        sequences);
  }
}
