package io.sluice.djl.measure;

import ai.djl.training.Trainer;
import io.sluice.client.feedback.Measurement;
import io.sluice.client.feedback.Measurement.Total;
import io.sluice.djl.model.TokenSum;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The held-out losses, and the perplexities for a run that needs those, of one evaluation. */
record HeldOutLosses(DomainEvaluation evaluation, boolean perplexities) implements StepMeter {
  private static final String PERPLEXITY = "perplexity";

  @Override
  public Map<String, Map<String, Total>> measure(Trainer trainer, long step) {
    Map<String, TokenSum> losses = evaluation.evaluate(trainer);
    Map<String, Map<String, Total>> measured = new LinkedHashMap<>();
    measured.put(Measurement.EVAL_LOSS, TokenSum.totals(losses));
    if (perplexities) {
      measured.put(PERPLEXITY, DomainPerplexity.of(losses));
    }
    return measured;
  }

  /** Evaluates the held-out blocks of every domain. */
  public record Factory() implements MeterFactory {
    @Override
    public Set<String> metrics() {
      return Set.of(Measurement.EVAL_LOSS, PERPLEXITY);
    }

    @Override
    public StepMeter create(MeterInput input) {
      DomainEvaluation evaluation =
          new DomainEvaluation(
              input.heldOut().evaluated(), input.size(), input.microBatch(), input.documentMask());
      return new HeldOutLosses(evaluation, input.requires(PERPLEXITY));
    }
  }
}
