package io.sluice.lab.demo;

import io.sluice.client.block.Sequence;
import io.sluice.client.feedback.FeedbackReporter;
import io.sluice.client.feedback.Measurement;
import io.sluice.client.run.Reporter;
import io.sluice.client.run.RunInfo;
import io.sluice.client.stream.GlobalBatch;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.djl.trainer.StepReport;
import io.sluice.djl.trainer.TrainingObserver;
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
    try (Loader stream = Loader.open(access, run, StreamOptions.defaults());
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
        sequences,
        Map.of());
  }
}
