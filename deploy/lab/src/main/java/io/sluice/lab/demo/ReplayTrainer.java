package io.sluice.lab.demo;

import io.sluice.client.block.Sequence;
import io.sluice.client.feedback.FeedbackReporter;
import io.sluice.client.feedback.Measurement;
import io.sluice.client.run.Reporter;
import io.sluice.client.run.RunInfo;
import io.sluice.client.stream.GlobalBatch;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.control.targets.LossHistory;
import io.sluice.djl.trainer.StepReport;
import io.sluice.djl.trainer.TrainingObserver;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** A trainer without a model: it reads every batch and sends the losses of an earlier run. */
record ReplayTrainer(KafkaAccess access, LossHistory history, TrainingObserver observer) {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

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
    double[] losses = history.losses().get(step);
    if (losses == null) {
      return;
    }
    Map<String, Double> measured = new LinkedHashMap<>();
    Map<String, Measurement.Total> totals = new LinkedHashMap<>();
    for (int i = 0; i < losses.length; i++) {
      if (!Double.isNaN(losses[i])) {
        measured.put(history.domains().get(i), losses[i]);
        totals.put(history.domains().get(i), new Measurement.Total(losses[i], 1));
      }
    }
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
