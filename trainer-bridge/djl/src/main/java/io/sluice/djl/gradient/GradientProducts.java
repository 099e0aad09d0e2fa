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
import io.sluice.djl.model.Bounds;
import io.sluice.djl.model.DivergedException;
import io.sluice.djl.model.ModelSize;
import io.sluice.djl.model.TorchRuntime;
import io.sluice.schema.RequiredMetric;
import io.sluice.schema.TokenBlock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Inner products of the gradients of pairs: ⟨∇ℓ(θ, x_i), ∇ℓ(θ, x_j)⟩ for the probe batches of two
 * domains, or ⟨∇ℓ(θ, z_n), ∇ℓ(θ, x_j)⟩ for the set of a target and a domain's probe batch, where ℓ
 * is the mean token loss and θ the parameters as they are.
 *
 * <p>Gradients, and how they are clipped, are those of {@link GradientAlignment}, which leaves the
 * training as it was. At most {@code kept} gradients of first ones are in memory at a time, and one
 * more: with more of them, the others' gradients are taken again for each {@code kept}. The product
 * of two domains is taken once for both orders. Cost for k domains and all pairs: k gradients, k /
 * (2 kept) times as many when k is above {@code kept}, and k (k + 1) / 2 products.
 */
final class GradientProducts {
  /** Most gradients that are kept where nobody says otherwise. */
  static final int KEPT = 32;

  private static final String METRIC = "gradient_product";

  private final Map<String, List<TokenBlock>> targets;
  private final Passes passes;
  private final int kept;

  /**
   * How a gradient is taken.
   *
   * @param microBatch blocks whose activations are in memory at a time
   * @param documentMask as in training
   * @param clip whether gradients are scaled down to norm 1
   */
  record Passes(ModelSize size, int microBatch, boolean documentMask, boolean clip) {}

  /** A pair of names, of which the first may be a target's. */
  private record Pair(String first, String second) {
    static Pair named(String name) {
      int between = name.indexOf('/');
      return new Pair(name.substring(0, between), name.substring(between + 1));
    }

    Pair turned() {
      return new Pair(/* first= */ second, /* second= */ first);
    }

    @Override
    public String toString() {
      return first + "/" + second;
    }
  }

  /** A gradient and what its products are scaled by. */
  private record Scaled(ProbeGradient gradient, double scale) implements AutoCloseable {
    double product(Scaled other) {
      return gradient.dot(other.gradient) * scale * other.scale;
    }

    @Override
    public void close() {
      gradient.close();
    }
  }

  /**
   * Products of pairs.
   *
   * @param targets blocks by target, which no probe batch may hold; empty for pairs of domains
   */
  GradientProducts(Map<String, List<TokenBlock>> targets, Passes passes, int kept) {
    Bounds.requireAtLeast("kept", kept, 1);
    this.targets = Map.copyOf(targets);
    this.passes = passes;
    this.kept = kept;
  }

  /**
   * Measures at the model's present parameters.
   *
   * @param names of the pairs
   * @param draw number of the probe batches to take
   * @throws DivergedException if a gradient is not finite
   */
  Map<String, Double> measure(Trainer trainer, List<String> names, ProbeBatches probes, long draw) {
    List<Pair> pairs = names.stream().map(Pair::named).toList();
    List<String> firsts = pairs.stream().map(Pair::first).distinct().toList();
    Map<Pair, Double> found = new HashMap<>();
    try (TorchRuntime.GradMode off = TorchRuntime.forwardOnly()) {
      for (int from = 0; from < firsts.size(); from += kept) {
        Set<String> rows =
            new LinkedHashSet<>(firsts.subList(from, Math.min(firsts.size(), from + kept)));
        Map<String, Scaled> held = new LinkedHashMap<>();
        try {
          for (String row : rows) {
            held.put(row, gradient(trainer, row, first(row, probes, draw)));
          }
          Map<String, List<Pair>> columns = columns(pairs, rows, found.keySet());
          columns.forEach(
              (domain, column) -> products(trainer, probes, draw, held, column, domain, found));
        } finally {
          held.values().forEach(Scaled::close);
        }
      }
    }
    Map<String, Double> products = new LinkedHashMap<>();
    pairs.forEach(
        pair ->
            products.put(
                pair.toString(),
                finite("product of gradients " + pair, found.getOrDefault(pair, Double.NaN))));
    return products;
  }

  /** The pairs to measure now, by their second. */
  private static Map<String, List<Pair>> columns(
      List<Pair> pairs, Set<String> rows, Set<Pair> known) {
    Map<String, List<Pair>> columns = new LinkedHashMap<>();
    for (Pair pair : pairs) {
      if (rows.contains(pair.first()) && !known.contains(pair)) {
        columns.computeIfAbsent(pair.second(), domain -> new ArrayList<>()).add(pair);
      }
    }
    return columns;
  }

  private void products(
      Trainer trainer,
      ProbeBatches probes,
      long draw,
      Map<String, Scaled> held,
      List<Pair> column,
      String domain,
      Map<Pair, Double> found) {
    if (found.keySet().containsAll(column)) {
      return;
    }
    boolean own = targets.isEmpty() && held.containsKey(domain);
    Scaled second =
        own
            ? Objects.requireNonNull(held.get(domain))
            : gradient(trainer, domain, probes.batch(domain, draw));
    try {
      for (Pair pair : column) {
        if (!found.containsKey(pair)) {
          double product = Objects.requireNonNull(held.get(pair.first())).product(second);
          found.put(pair, product);
          if (targets.isEmpty()) {
            found.put(pair.turned(), product);
          }
        }
      }
    } finally {
      if (!own) {
        second.close();
      }
    }
  }

  private List<TokenBlock> first(String name, ProbeBatches probes, long draw) {
    return targets.isEmpty() ? probes.batch(name, draw) : targets.getOrDefault(name, List.of());
  }

  private Scaled gradient(Trainer trainer, String name, List<TokenBlock> blocks) {
    ProbeGradient gradient =
        ProbeGradient.of(
            trainer, BlockBatch.parts(blocks, passes.microBatch, passes.size, passes.documentMask));
    try {
      double norm = finite("gradient norm of " + name, gradient.norm());
      return new Scaled(gradient, passes.clip && norm > 1 ? 1 / norm : 1);
    } catch (RuntimeException e) {
      gradient.close();
      throw e;
    }
  }

  private static double finite(String what, double value) {
    return GradientAlignment.finite(what, value);
  }

  /** Products of all pairs that the run's rounds need, with new probe batches each time. */
  public record Factory() implements MeterFactory {
    @Override
    public Set<String> metrics() {
      return Set.of(METRIC);
    }

    /** Of pairs; where nothing is said, of every two domains. */
    @Override
    public boolean measures(RequiredMetric metric) {
      return metric.getOf().stream().allMatch(name -> name.matches("[^/]+/[^/]+"));
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
      List<String> names = present(input, required.getOf());
      Map<String, List<TokenBlock>> targets = new LinkedHashMap<>();
      required.getTargets().forEach(name -> targets.put(name, input.heldOut().targetOf(name)));
      requireBlocks(input, names, targets);
      Passes passes =
          new Passes(input.size(), input.microBatch(), input.documentMask(), input.clip());
      GradientProducts products = new GradientProducts(targets, passes, KEPT);
      return (trainer, step) -> {
        ProbeBatches probes = new ProbeBatches(input.probes(), input.probeBlocks());
        Map<String, Total> totals = new LinkedHashMap<>();
        products
            .measure(trainer, names, probes, step / required.getEvery())
            .forEach((pair, product) -> totals.put(pair, new Total(product, 1)));
        return Map.of(METRIC, totals);
      };
    }

    /** The pairs without those of domains that were taken out of the run; none named: all. */
    private static List<String> present(MeterInput input, List<String> named) {
      Set<String> gone = Set.copyOf(input.spec().getRemoved());
      Predicate<Pair> has = pair -> !gone.contains(pair.first()) && !gone.contains(pair.second());
      return (named.isEmpty() ? everyTwo(input) : named)
          .stream().filter(name -> has.test(Pair.named(name))).toList();
    }

    private static List<String> everyTwo(MeterInput input) {
      Set<String> domains = input.heldOut().probes().keySet();
      List<String> names = new ArrayList<>();
      domains.forEach(one -> domains.forEach(other -> names.add(new Pair(one, other).toString())));
      return names;
    }

    private static void requireBlocks(
        MeterInput input, List<String> names, Map<String, List<TokenBlock>> targets) {
      Set<String> domains = input.heldOut().probes().keySet();
      Set<String> firsts = targets.isEmpty() ? domains : targets.keySet();
      for (String name : names) {
        Pair pair = Pair.named(name);
        if (!firsts.contains(pair.first()) || !domains.contains(pair.second())) {
          throw new IllegalArgumentException(
              "%s must be of pairs of %s and %s: '%s'".formatted(METRIC, firsts, domains, name));
        }
      }
      targets.forEach(
          (name, blocks) -> {
            if (blocks.stream().mapToLong(TokenBlock::getTrainedTokens).sum() < 1) {
              throw new IllegalArgumentException(
                  "target %s must have held-out blocks with trained tokens: %d blocks, none"
                      .formatted(name, blocks.size()));
            }
          });
    }
  }
}
