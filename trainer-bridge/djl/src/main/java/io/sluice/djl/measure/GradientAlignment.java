package io.sluice.djl.measure;

import ai.djl.training.Trainer;
import io.sluice.client.feedback.Measurement.Total;
import io.sluice.djl.data.BlockBatch;
import io.sluice.djl.model.Bounds;
import io.sluice.djl.model.CausalTransformer;
import io.sluice.djl.model.DivergedException;
import io.sluice.djl.model.ModelSize;
import io.sluice.djl.model.TorchRuntime;
import io.sluice.schema.RequiredMetric;
import io.sluice.schema.TokenBlock;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The alignment of every domain with a specific set: a_i = ⟨∇ℓ(θ, x_i), ∇ℓ(θ, z)⟩ for a probe batch
 * x_i of domain i and the set z, where ℓ is the mean token loss and θ the parameters as they are.
 *
 * <p>Each gradient is scaled down to norm 1 before the dot product unless that is switched off, so
 * that the alignments of a policy's fixed step size do not fade with the gradients. Two gradients
 * are in memory at a time, that of z and that of one domain, beside the training's own. The
 * training is left exactly as it was: its parameters, the gradients it has gathered, its
 * optimizer's state, and the engine's random state, since the model runs without dropout. Cost: a
 * forward and a backward pass over z and over each probe batch.
 *
 * <p>The model is any DJL block that takes and gives what {@link CausalTransformer} does and reads
 * its parameters through the {@link ai.djl.training.ParameterStore} it is handed.
 */
public final class GradientAlignment {
  private static final String ALIGNMENT = "alignment";
  private static final String GRADIENT_NORM = "gradient_norm";

  private final List<TokenBlock> target;
  private final Supplier<ProbeBatches> probes;
  private final ModelSize size;
  private final int microBatch;
  private final boolean documentMask;
  private final boolean clip;

  /**
   * What was measured.
   *
   * @param alignments a_i by domain
   * @param norms of the domains' gradients before they were clipped
   * @param targetNorm of z's gradient before it was clipped
   */
  public record Alignments(
      Map<String, Double> alignments, Map<String, Double> norms, double targetNorm) {
    /** Copies the maps. */
    public Alignments {
      alignments = Collections.unmodifiableMap(new LinkedHashMap<>(alignments));
      norms = Collections.unmodifiableMap(new LinkedHashMap<>(norms));
    }
  }

  /**
   * Alignments with z.
   *
   * @param target the blocks of z, which no probe batch may hold
   * @param microBatch blocks whose activations are in memory at a time
   * @param documentMask as in training
   * @param clip whether gradients are scaled down to norm 1
   * @throws IllegalArgumentException if no block of z has a trained token
   */
  public GradientAlignment(
      List<TokenBlock> target,
      ProbeBatches probes,
      ModelSize size,
      int microBatch,
      boolean documentMask,
      boolean clip) {
    this(target, () -> probes, size, microBatch, documentMask, clip);
  }

  /** The same with probe batches that change as the training goes on, asked for when measuring. */
  GradientAlignment(
      List<TokenBlock> target,
      Supplier<ProbeBatches> probes,
      ModelSize size,
      int microBatch,
      boolean documentMask,
      boolean clip) {
    if (target.stream().mapToLong(TokenBlock::getTrainedTokens).sum() < 1) {
      throw new IllegalArgumentException(
          "the target set must have blocks with trained tokens: "
              + target.size()
              + " blocks, no trained token");
    }
    Bounds.requireAtLeast("microBatch", microBatch, 1);
    this.target = List.copyOf(target);
    this.probes = probes;
    this.size = size;
    this.microBatch = microBatch;
    this.documentMask = documentMask;
    this.clip = clip;
  }

  /**
   * Measures every domain's alignment at the model's present parameters.
   *
   * @param draw number of the probe batches to take
   * @throws DivergedException if a gradient is not finite
   */
  public Alignments measure(Trainer trainer, long draw) {
    Map<String, Double> alignments = new LinkedHashMap<>();
    Map<String, Double> norms = new LinkedHashMap<>();
    ProbeBatches batches = probes.get();
    try (TorchRuntime.GradMode off = TorchRuntime.forwardOnly();
        ProbeGradient towards = gradient(trainer, target)) {
      double targetNorm = finite("gradient norm of the target set", towards.norm());
      for (String domain : batches.domains()) {
        try (ProbeGradient own = gradient(trainer, batches.batch(domain, draw))) {
          double norm = finite("gradient norm of domain " + domain, own.norm());
          double product = own.dot(towards) * scale(norm) * scale(targetNorm);
          alignments.put(domain, finite("alignment of domain " + domain, product));
          norms.put(domain, norm);
        }
      }
      return new Alignments(alignments, norms, targetNorm);
    }
  }

  /**
   * The alignments and norms of domains as the metrics that runs wait for, with new probe batches
   * each time.
   *
   * @param every steps between two measurements, which the draw is counted by
   */
  public StepMeter meter(long every) {
    return meter(every, true);
  }

  /** Norms of what is no domain are for nobody. */
  private StepMeter meter(long every, boolean ofDomains) {
    Bounds.requireAtLeast("every", every, 1);
    return (trainer, step) -> {
      Alignments measured = measure(trainer, step / every);
      Map<String, Map<String, Total>> totals = new LinkedHashMap<>();
      totals.put(ALIGNMENT, single(measured.alignments()));
      if (ofDomains) {
        totals.put(GRADIENT_NORM, single(measured.norms()));
      }
      return totals;
    };
  }

  private static Map<String, Total> single(Map<String, Double> values) {
    Map<String, Total> totals = new LinkedHashMap<>();
    values.forEach((domain, value) -> totals.put(domain, new Total(value, 1)));
    return totals;
  }

  private ProbeGradient gradient(Trainer trainer, List<TokenBlock> blocks) {
    return ProbeGradient.of(trainer, BlockBatch.parts(blocks, microBatch, size, documentMask));
  }

  private double scale(double norm) {
    return clip && norm > 1 ? 1 / norm : 1;
  }

  /**
   * The value itself.
   *
   * @param what it is, for the message
   * @throws DivergedException if it is not finite
   */
  public static double finite(String what, double value) {
    if (!Double.isFinite(value)) {
      throw new DivergedException(
          what
              + " must be finite, it was not published: "
              + value
              + "; lower the learning rate or go back to a checkpoint");
    }
    return value;
  }

  /**
   * Aligns the probe batches of domains, or of distributions over them, with the target domains'
   * evaluated blocks.
   */
  public record Factory() implements MeterFactory {
    @Override
    public Set<String> metrics() {
      return Set.of(ALIGNMENT, GRADIENT_NORM);
    }

    /** Of domains, or of the distributions that the policy's settings have. */
    @Override
    public boolean measures(RequiredMetric metric) {
      return true;
    }

    @Override
    public boolean needsTarget() {
      return true;
    }

    @Override
    public boolean readsTrained() {
      return true;
    }

    @Override
    public StepMeter create(MeterInput input) {
      List<String> of = input.required().get(0).getOf();
      GradientAlignment alignment =
          new GradientAlignment(
              input.heldOut().targets(input.required().get(0).getTargets()),
              () -> new ProbeBatches(pools(input, of), input.probeBlocks()),
              input.size(),
              input.microBatch(),
              input.documentMask(),
              input.clip());
      return alignment.meter(input.required().get(0).getEvery(), of.isEmpty());
    }

    private static Map<String, List<TokenBlock>> pools(MeterInput input, List<String> of) {
      Map<String, List<TokenBlock>> domains = input.probes();
      return of.isEmpty() ? domains : DistributionProbes.of(input.spec(), of, domains);
    }
  }
}
