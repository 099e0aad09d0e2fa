package org.example;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.training.Trainer;
import io.sluice.client.feedback.Measurement.Total;
import io.sluice.djl.data.BlockBatch;
import io.sluice.djl.measure.MeterFactory;
import io.sluice.djl.measure.MeterInput;
import io.sluice.djl.measure.StepMeter;
import io.sluice.djl.model.TokenLoss;
import io.sluice.djl.model.TorchRuntime;
import io.sluice.schema.TokenBlock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Measures the greatest loss of any held-out token of each domain; the count is 1. */
public final class MaxLoss implements MeterFactory {
  static final String METRIC = "max_loss";

  @Override
  public Set<String> metrics() {
    return Set.of(METRIC);
  }

  @Override
  public StepMeter create(MeterInput input) {
    return (trainer, step) -> {
      Map<String, Total> greatest = new LinkedHashMap<>();
      try (TorchRuntime.GradMode off = TorchRuntime.forwardOnly()) {
        input
            .heldOut()
            .evaluated()
            .forEach((domain, blocks) -> greatest.put(domain, greatest(trainer, input, blocks)));
      }
      return Map.of(METRIC, greatest);
    };
  }

  private static Total greatest(Trainer trainer, MeterInput input, List<TokenBlock> blocks) {
    double greatest = 0;
    for (BlockBatch part :
        BlockBatch.parts(blocks, input.microBatch(), input.size(), input.documentMask())) {
      try (NDManager scope = trainer.getManager().newSubManager()) {
        NDList labels = part.targets(scope);
        NDArray logits = trainer.evaluate(part.data(scope)).singletonOrThrow();
        NDArray most = TokenLoss.perToken(labels, logits).max();
        greatest = Math.max(greatest, most.getFloat());
      }
    }
    return new Total(greatest, 1);
  }
}
