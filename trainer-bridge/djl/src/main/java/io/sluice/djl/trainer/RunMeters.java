package io.sluice.djl.trainer;

import io.sluice.client.feedback.Measurement.Total;
import io.sluice.djl.measure.AlignmentSettings;
import io.sluice.djl.measure.DomainEvaluation;
import io.sluice.djl.measure.DomainPerplexity;
import io.sluice.djl.measure.EvaluationSplit;
import io.sluice.djl.measure.GradientAlignment;
import io.sluice.djl.measure.ProbeBatches;
import io.sluice.djl.measure.ScheduledMeter;
import io.sluice.djl.measure.StepMeter;
import io.sluice.djl.measure.TrainerMetric;
import io.sluice.djl.model.ModelSize;
import io.sluice.djl.model.TokenSum;
import io.sluice.schema.HeldOutSize;
import io.sluice.schema.RunSpec;
import io.sluice.schema.TokenBlock;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;

/** What one run needs measured, and when. */
final class RunMeters {
  private static final Set<TrainerMetric> OF_GRADIENTS =
      Set.of(TrainerMetric.ALIGNMENT, TrainerMetric.GRADIENT_NORM);
  private static final Set<TrainerMetric> OF_HELD_OUT_BLOCKS =
      Set.of(TrainerMetric.EVAL_LOSS, TrainerMetric.PERPLEXITY);

  private final RunSpec spec;
  private final TrainerSettings settings;
  private final Set<TrainerMetric> metrics;

  /**
   * Meters of a run.
   *
   * @throws IllegalArgumentException if the run's policy waits for what cannot be measured, or for
   *     alignments without target domains
   */
  RunMeters(RunSpec spec, TrainerSettings settings) {
    this.spec = spec;
    this.settings = settings;
    metrics =
        settings
            .metrics()
            .orElseGet(() -> TrainerMetric.neededBy(spec.getPolicy(), spec.getPolicySettings()));
    if (measuresAny(OF_GRADIENTS)) {
      requireTargets(settings.alignment().targetDomains());
    }
  }

  /**
   * Fails if the run's policy waits for what cannot be measured.
   *
   * @throws IllegalArgumentException then
   */
  static void requireMeasurable(RunSpec spec, TrainerSettings settings) {
    var unused = new RunMeters(spec, settings);
  }

  private void requireTargets(List<String> targets) {
    if (targets.isEmpty() || !spec.getDomains().containsAll(targets)) {
      throw new IllegalArgumentException(
          "target domains must be at least one of "
              + spec.getDomains()
              + ", to measure the alignments of policy "
              + spec.getPolicy()
              + ": "
              + targets);
    }
  }

  /** Held-out blocks of each domain that the meters can use. */
  int heldOutBlocks() {
    return evalBlocks() + (measuresAny(OF_GRADIENTS) ? poolBlocks() : 0);
  }

  /** The run's size; the trainer's own where the run leaves it open. */
  private int evalBlocks() {
    int ofRun = HeldOutSize.of(spec).evalBlocks();
    return ofRun == 0 ? settings.evalBlocksPerDomain() : ofRun;
  }

  private int probeBlocks() {
    return spec.getProbeTokens() == 0
        ? settings.alignment().probeBlocks()
        : HeldOutSize.of(spec).probeBlocks();
  }

  private int poolBlocks() {
    return Math.max(settings.alignment().poolBlocks(), probeBlocks());
  }

  /** What is measured at the steps of the run's rounds. */
  Set<TrainerMetric> metrics() {
    return metrics;
  }

  /** The meters over these held-out blocks. */
  List<ScheduledMeter> over(
      Map<String, List<TokenBlock>> heldOut, ModelSize size, TrainingLoop loop) {
    EvaluationSplit split = split(heldOut);
    List<ScheduledMeter> meters = new ArrayList<>();
    meters.add(new ScheduledMeter(evaluation(split, size), evaluationDue()));
    long every = spec.getUpdateEvery();
    if (measuresAny(OF_GRADIENTS) && every > 0) {
      meters.add(ScheduledMeter.afterTraining(alignment(split, size).meter(every), every));
    }
    if (metrics.contains(TrainerMetric.TRAIN_LOSS)) {
      meters.add(ScheduledMeter.afterTraining(loop.trainLoss(), every));
    }
    if (metrics.contains(TrainerMetric.LEARNING_RATE)) {
      meters.add(ScheduledMeter.afterTraining((trainer, step) -> learningRate(loop), every));
    }
    return meters;
  }

  private EvaluationSplit split(Map<String, List<TokenBlock>> heldOut) {
    List<String> targets =
        measuresAny(OF_GRADIENTS) ? settings.alignment().targetDomains() : List.of();
    return EvaluationSplit.of(heldOut, evalBlocks(), targets);
  }

  private boolean measuresAny(Set<TrainerMetric> some) {
    return metrics.stream().anyMatch(some::contains);
  }

  private LongPredicate evaluationDue() {
    long rounds = measuresAny(OF_HELD_OUT_BLOCKS) ? spec.getUpdateEvery() : 0;
    return step ->
        step == 0
            || ScheduledMeter.isMultiple(step, rounds)
            || ScheduledMeter.isMultiple(step, settings.evalEvery());
  }

  private StepMeter evaluation(EvaluationSplit split, ModelSize size) {
    DomainEvaluation evaluation =
        new DomainEvaluation(
            split.evaluated(), size, settings.microBatch(), settings.documentMask());
    return (trainer, step) -> {
      Map<String, TokenSum> losses = evaluation.evaluate(trainer);
      Map<TrainerMetric, Map<String, Total>> measured = new EnumMap<>(TrainerMetric.class);
      measured.put(TrainerMetric.EVAL_LOSS, TokenSum.totals(losses));
      if (metrics.contains(TrainerMetric.PERPLEXITY)) {
        measured.put(TrainerMetric.PERPLEXITY, DomainPerplexity.of(losses));
      }
      return measured;
    };
  }

  private GradientAlignment alignment(EvaluationSplit split, ModelSize size) {
    AlignmentSettings how = settings.alignment();
    return new GradientAlignment(
        split.target(),
        new ProbeBatches(split.probes(), probeBlocks()),
        size,
        settings.microBatch(),
        settings.documentMask(),
        how.clip());
  }

  private Map<TrainerMetric, Map<String, Total>> learningRate(TrainingLoop loop) {
    Map<String, Total> rates = new LinkedHashMap<>();
    spec.getDomains().forEach(domain -> rates.put(domain, new Total(loop.learningRate(), 1)));
    return Map.of(TrainerMetric.LEARNING_RATE, rates);
  }
}
