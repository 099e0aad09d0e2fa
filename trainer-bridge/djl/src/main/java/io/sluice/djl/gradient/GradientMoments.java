package io.sluice.djl.gradient;

import ai.djl.training.Trainer;
import io.sluice.client.feedback.Measurement.Total;
import io.sluice.djl.data.BlockBatch;
import io.sluice.djl.measure.GradientAlignment;
import io.sluice.djl.measure.MeterFactory;
import io.sluice.djl.measure.MeterInput;
import io.sluice.djl.measure.ProbeBatches;
import io.sluice.djl.measure.ProbeGradient;
import io.sluice.djl.measure.StepMeter;
import io.sluice.djl.model.ModelSize;
import io.sluice.djl.model.TorchRuntime;
import io.sluice.schema.RequiredMetric;
import io.sluice.schema.TokenBlock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How large a domain's gradient is, and how much of it is noise: of the n rows of a probe batch
 * with gradients h_r, whose mean h is the batch's,
 *
 * <pre>
 *   variance = (Σ_r ‖h_r‖² − n ‖h‖²) / (n − 1)        square = ‖h‖² − variance / n
 * </pre>
 *
 * <p>which estimate the variance of one row's gradient and the squared norm of all rows' without
 * bias; a square may come out below 0. A row counts by its trained tokens, as in the loss. Nothing
 * is clipped. One gradient is in memory at a time; each row costs a pass by itself and one with the
 * batch. A batch of one row has no variance, and nothing is said of its domain.
 */
final class GradientMoments {
  private static final String METRIC = "gradient_moment";
  private static final String SQUARE = "square/";
  private static final String VARIANCE = "variance/";

  private final ModelSize size;
  private final int microBatch;
  private final boolean documentMask;

  /**
   * Of a domain's gradient.
   *
   * @param square of its norm
   * @param variance of one row's gradient
   */
  record Moments(double square, double variance) {}

  /**
   * Moments of probe batches.
   *
   * @param microBatch rows whose activations are in memory at a time
   * @param documentMask as in training
   */
  GradientMoments(ModelSize size, int microBatch, boolean documentMask) {
    this.size = size;
    this.microBatch = microBatch;
    this.documentMask = documentMask;
  }

  /**
   * Measures the domains at the model's present parameters.
   *
   * @param draw number of the probe batches to take
   * @throws io.sluice.djl.model.DivergedException if a gradient is not finite
   */
  Map<String, Moments> measure(Trainer trainer, ProbeBatches probes, long draw) {
    Map<String, Moments> moments = new LinkedHashMap<>();
    try (TorchRuntime.GradMode off = TorchRuntime.forwardOnly()) {
      for (String domain : probes.domains()) {
        List<TokenBlock> rows = probes.batch(domain, draw);
        if (rows.size() > 1) {
          moments.put(domain, moments(trainer, domain, rows));
        }
      }
    }
    return moments;
  }

  private Moments moments(Trainer trainer, String domain, List<TokenBlock> rows) {
    double tokens = rows.stream().mapToLong(TokenBlock::getTrainedTokens).sum();
    int n = rows.size();
    double squares = 0;
    for (TokenBlock row : rows) {
      double share = n * row.getTrainedTokens() / tokens;
      squares += share * share * squaredNorm(trainer, domain, List.of(row));
    }
    double ofMean = squaredNorm(trainer, domain, rows);
    double variance = Math.max(0, squares - n * ofMean) / (n - 1);
    return new Moments(ofMean - variance / n, variance);
  }

  private double squaredNorm(Trainer trainer, String domain, List<TokenBlock> rows) {
    List<BlockBatch> parts = BlockBatch.parts(rows, microBatch, size, documentMask);
    try (ProbeGradient gradient = ProbeGradient.of(trainer, parts)) {
      return GradientAlignment.finite("gradient of domain " + domain, gradient.dot(gradient));
    }
  }

  /** Both moments of every domain, with new probe batches each time. */
  public record Factory() implements MeterFactory {
    @Override
    public Set<String> metrics() {
      return Set.of(METRIC);
    }

    @Override
    public boolean measures(RequiredMetric metric) {
      return metric.getOf().stream()
          .allMatch(name -> name.startsWith(SQUARE) || name.startsWith(VARIANCE));
    }

    @Override
    public boolean readsProbes() {
      return true;
    }

    @Override
    public boolean readsTrained() {
      return true;
    }

    @Override
    public StepMeter create(MeterInput input) {
      RequiredMetric required = input.required().get(0);
      GradientMoments moments =
          new GradientMoments(input.size(), input.microBatch(), input.documentMask());
      Set<String> of = Set.copyOf(required.getOf());
      return (trainer, step) -> {
        ProbeBatches probes = new ProbeBatches(input.probes(), input.probeBlocks());
        Map<String, Total> totals = new LinkedHashMap<>();
        moments
            .measure(trainer, probes, step / required.getEvery())
            .forEach(
                (domain, found) -> {
                  totals.put(SQUARE + domain, new Total(found.square(), 1));
                  totals.put(VARIANCE + domain, new Total(found.variance(), 1));
                });
        totals.keySet().removeIf(name -> !of.isEmpty() && !of.contains(name));
        return Map.of(METRIC, totals);
      };
    }
  }
}
