package io.sluice.djl.measure;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.training.Trainer;
import io.sluice.client.feedback.Measurement.Total;
import io.sluice.djl.data.BlockBatch;
import io.sluice.djl.model.DivergedException;
import io.sluice.djl.model.ReferenceModel;
import io.sluice.djl.model.TokenLoss;
import io.sluice.djl.model.TokenSum;
import io.sluice.djl.model.TorchRuntime;
import io.sluice.schema.TokenBlock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How far each domain's token losses are above those of a reference model, a token that is below
 * counting 0 (Xie et al., DoReMi, algorithm 1). Measured on a sample of what was trained on, in
 * place of the batch itself, on which the model has just been trained.
 */
final class ExcessLoss implements StepMeter {
  private static final String METRIC = "excess_loss";

  private final MeterInput input;
  private final ReferenceModel reference;
  private final long every;

  private ExcessLoss(MeterInput input, ReferenceModel reference, long every) {
    this.input = input;
    this.reference = reference;
    this.every = every;
  }

  @Override
  public Map<String, Map<String, Total>> measure(Trainer trainer, long step) {
    ProbeBatches batches = new ProbeBatches(pools(), input.probeBlocks());
    Map<String, TokenSum> sums = new LinkedHashMap<>();
    try (TorchRuntime.GradMode off = TorchRuntime.forwardOnly()) {
      for (String domain : batches.domains()) {
        TokenSum sum = excess(trainer, batches.batch(domain, step / every));
        DivergedException.requireFinite("excess loss of domain " + domain, sum.sum(), step);
        sums.put(domain, sum);
      }
    }
    return Map.of(METRIC, TokenSum.totals(sums));
  }

  private Map<String, List<TokenBlock>> pools() {
    return input.trained().over(input.heldOut().evaluated());
  }

  private TokenSum excess(Trainer trainer, List<TokenBlock> blocks) {
    TokenSum total = TokenSum.NONE;
    for (BlockBatch part :
        BlockBatch.parts(blocks, input.microBatch(), input.size(), input.documentMask())) {
      try (NDManager scope = trainer.getManager().newSubManager()) {
        NDList targets = part.targets(scope);
        NDList data = part.data(scope);
        NDArray own = TokenLoss.perToken(targets, trainer.evaluate(data).singletonOrThrow());
        NDArray other = TokenLoss.perToken(targets, reference.logits(scope, data));
        total = total.plus(TokenLoss.sum(targets, own.sub(other).maximum(0)));
      }
    }
    return total;
  }

  /** Compares with the reference model that the trainer was given. */
  public record Factory() implements MeterFactory {
    @Override
    public Set<String> metrics() {
      return Set.of(METRIC);
    }

    @Override
    public boolean needsReference() {
      return true;
    }

    @Override
    public boolean readsTrained() {
      return true;
    }

    @Override
    public StepMeter create(MeterInput input) {
      ReferenceModel reference =
          input
              .reference()
              .orElseThrow(
                  () -> new IllegalArgumentException(METRIC + " needs a reference model: none"));
      return new ExcessLoss(input, reference, Math.max(1, input.required().get(0).getEvery()));
    }
  }
}
