package io.sluice.lab.reproduce.experiment;

import io.sluice.lab.reproduce.arm.Arm;
import io.sluice.lab.reproduce.arm.ArmOutcome;
import io.sluice.lab.reproduce.arm.Mixture;
import io.sluice.lab.reproduce.arm.Scale;
import io.sluice.lab.reproduce.arm.Trial;
import io.sluice.lab.reproduce.corpus.Library;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;

/**
 * Velocitune's reasoning corpus in small (section 4.1): a model that was trained on two domains
 * goes on with three new ones and those two replayed, in the shares of table 1.
 */
public final class VelocituneExperiment implements Experiment {
  /** Table 1 in billions of tokens: two that are replayed, three that are new. */
  private static final double[] TABLE_1 = {2.92, 3.97, 28.70, 10.47, 14.02};

  private static final int REPLAYED = 2;
  private static final String BASE = "base";
  private static final String STATIC = "proportional";
  private static final String VELOCITUNE = "velocitune";

  @Override
  public String name() {
    return VELOCITUNE;
  }

  @Override
  public List<String> departures() {
    return List.of(
        "Byte-level models of some 0.1 million parameters instead of 1 and 7 billion.",
        "Domains are texts of Debian's packages instead of arXiv, code and mathematics; their shares"
            + " are those of the paper's table 1, and two of them are what the base was trained on.",
        "The proxy is the static arm itself, of which the first 60 % of the tokens are used; its"
            + " learning rate falls by half a cosine to the end, which the fit does not know.",
        "Eta is 1 and first weights are uniform, as in the paper; nothing was tuned. A run has "
            + scale().steps() / scale().every()
            + " rounds, where the paper's has some 92.",
        "First weights are equal, and so may be what Velocitune gains over proportions: the arm uniform"
            + " stays with them. No claim is on it, as the paper has none.",
        "Figure 3 and Table 3 are of the paper's other corpus, of three domains without replay, and of"
            + " the one that is followed here its section 3.3 sees no complete rest.",
        "Without targets the weight can go to both replayed domains, which have equal shares.");
  }

  @Override
  public Scale scale() {
    return new Scale(2, 64, 4, 128, 16, 240, 15, 4096, 1024, 3e-3);
  }

  @Override
  public List<Trial> trials(long seed, Library library, Scale scale) {
    List<String> names = library.domains().subList(0, TABLE_1.length);
    return List.of(Domains.trial("", seed, library, names, scale, arms(names, scale)));
  }

  private static List<Arm> arms(List<String> names, Scale scale) {
    Map<String, Double> uniform = Domains.uniform(names, names);
    Map<String, Double> shares = new LinkedHashMap<>();
    for (int i = 0; i < TABLE_1.length; i++) {
      shares.put(names.get(i), TABLE_1[i]);
    }
    Mixture replayed = Mixture.fixed(Domains.uniform(names, names.subList(0, REPLAYED)));
    int steps = scale.steps();
    Mixture untargeted =
        Mixture.moved(uniform, VELOCITUNE, Map.of("every", scale.every(), "use-target", false));
    List<Arm> arms = new ArrayList<>();
    arms.add(Arm.of(STATIC, steps, Mixture.fixed(shares)));
    arms.add(Arm.of("uniform", steps, Mixture.fixed(uniform)));
    arms.add(targeted(VELOCITUNE, scale, uniform, VELOCITUNE, Map.of()));
    arms.add(
        targeted("velocitune-capped", scale, uniform, VELOCITUNE, Map.of("target-cap", "initial")));
    arms.add(targeted("dynamic-batch-loading", scale, uniform, "dynamic-batch-loading", Map.of()));
    arms.add(Arm.of("velocitune-no-target", steps, untargeted));
    arms.add(
        Arm.of("average", steps, untargeted)
            .after(
                List.of(VELOCITUNE),
                ended -> Mixture.fixed(ended.of(VELOCITUNE).averageWeights())));
    List<Arm> all = new ArrayList<>();
    all.add(Arm.of(BASE, steps, replayed).unjudged());
    arms.forEach(arm -> all.add(arm.on(BASE)));
    return all;
  }

  /** A policy whose targets are fitted to the static arm. */
  private static Arm targeted(
      String arm, Scale scale, Map<String, Double> initial, String policy, Map<String, ?> more) {
    return Arm.of(arm, scale.steps(), Mixture.fixed(initial))
        .after(
            List.of(STATIC),
            ended -> {
              Map<String, Object> settings = new LinkedHashMap<>(more);
              settings.put("every", scale.every());
              settings.put("targets", ProxyTargets.of(ended.of(STATIC), scale));
              return Mixture.moved(initial, policy, settings);
            });
  }

  @Override
  public Map<String, Double> measures(Judged judged) {
    ArmOutcome outcome = judged.outcome();
    Map<String, Double> measures = Measures.of(outcome);
    List<String> domains = List.copyOf(outcome.lastLosses().keySet());
    List<String> replayed = domains.subList(0, REPLAYED);
    Map<String, Double> targets = ProxyTargets.of(judged.all().of(STATIC), judged.scale());
    measures.put("velocity_spread", spread(outcome, targets));
    measures.put("target_error", error(judged.all().of(STATIC), targets));
    new SimulatedDifference(judged, STATIC).addTo(measures);
    String[] thirds = {"first", "second", "third"};
    for (int third = 0; third < thirds.length; third++) {
      double from = weight(outcome, replayed, 1 + outcome.steps() * third / thirds.length);
      double to = weight(outcome, replayed, outcome.steps() * (third + 1) / thirds.length);
      measures.put("replay_weight_change/" + thirds[third], to - from);
    }
    return measures;
  }

  @Override
  public Map<String, Double> tested(Judged judged) {
    Map<String, Double> measures = Measures.of(judged.outcome().test());
    List<String> domains = List.copyOf(judged.outcome().lastLosses().keySet());
    Map<String, Double> losses = judged.outcome().test().losses();
    measures.put("test_loss/replay", Measures.mean(losses, domains.subList(0, REPLAYED)));
    measures.put("test_loss/new", Measures.mean(losses, domains.subList(REPLAYED, domains.size())));
    return measures;
  }

  /**
   * How unevenly domains come nearer to their targets: the standard deviation over domains of the
   * share of the way that is left, as {@code velocitune} measures it, a mean over the rounds.
   */
  private static double spread(ArmOutcome outcome, Map<String, Double> targets) {
    Map<String, Double> first = outcome.firstLosses();
    return outcome.losses().tailMap(1L).values().stream()
        .mapToDouble(losses -> Measures.deviation(left(first, losses, targets)))
        .average()
        .orElse(Double.NaN);
  }

  private static List<Double> left(
      Map<String, Double> first, Map<String, Double> losses, Map<String, Double> targets) {
    List<Double> left = new ArrayList<>();
    losses.forEach(
        (domain, loss) -> {
          double target = targets.getOrDefault(domain, Double.NaN);
          double way = first.getOrDefault(domain, Double.NaN) - target;
          double share = way > 0 ? (loss - target) / way : loss > target ? 1 : 0;
          left.add(Math.max(0, Math.min(1, share)));
        });
    return left;
  }

  /** What targets are off the final losses of the run that they were extrapolated from: a mean. */
  private static double error(ArmOutcome proxy, Map<String, Double> targets) {
    return proxy.lastLosses().entrySet().stream()
        .mapToDouble(each -> Math.abs(each.getValue() - targets.getOrDefault(each.getKey(), 0.0)))
        .average()
        .orElse(Double.NaN);
  }

  /** Weight of some domains at a batch. */
  private static double weight(ArmOutcome outcome, List<String> domains, long batch) {
    SortedMap<Long, Map<String, Double>> until = outcome.weights().headMap(batch + 1);
    Map<String, Double> weights = Objects.requireNonNull(until.get(until.lastKey()));
    return domains.stream().mapToDouble(domain -> weights.getOrDefault(domain, 0.0)).sum();
  }
}
