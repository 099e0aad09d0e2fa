package io.sluice.djl.measure;

import io.sluice.djl.model.ModelSize;
import io.sluice.djl.model.ReferenceModel;
import io.sluice.schema.RequiredMetric;
import io.sluice.schema.RunSpec;
import io.sluice.schema.TokenBlock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/**
 * What a meter is made of.
 *
 * @param spec of the run
 * @param required what its rounds need of this meter; empty for one that measures for people alone
 * @param heldOut the held-out blocks to measure on, in rows such as the model is trained on
 * @param size of the model
 * @param microBatch blocks whose activations are in memory at a time
 * @param documentMask as in training
 * @param probeBlocks rows of one domain's probe batch
 * @param clip whether each gradient is scaled down to norm 1
 * @param trained sample of what was trained on
 * @param reference of a model that losses are compared with
 * @param trainLoss the losses of the ordinary steps
 * @param learningRate of the last step
 */
public record MeterInput(
    RunSpec spec,
    List<RequiredMetric> required,
    EvaluationSplit heldOut,
    ModelSize size,
    int microBatch,
    boolean documentMask,
    int probeBlocks,
    boolean clip,
    TrainedBlocks trained,
    Optional<ReferenceModel> reference,
    TrainLoss trainLoss,
    DoubleSupplier learningRate) {
  /** Copies the list. */
  public MeterInput {
    required = List.copyOf(required);
  }

  /** Blocks by domain to probe gradients with, as the run's policy wants them. */
  public Map<String, List<TokenBlock>> probes() {
    Map<String, List<TokenBlock>> apart = heldOut.probes();
    return ProbeOptions.of(spec).training() ? trained.over(apart) : apart;
  }

  /** Whether the run's rounds need this. */
  boolean requires(String metric) {
    return required.stream().anyMatch(each -> each.getName().equals(metric));
  }
}
