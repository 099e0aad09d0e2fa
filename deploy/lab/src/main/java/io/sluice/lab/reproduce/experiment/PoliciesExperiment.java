package io.sluice.lab.reproduce.experiment;

import io.sluice.lab.reproduce.arm.Arm;
import io.sluice.lab.reproduce.arm.ArmOutcome;
import io.sluice.lab.reproduce.arm.Mixture;
import io.sluice.lab.reproduce.arm.Scale;
import io.sluice.lab.reproduce.arm.Trial;
import io.sluice.lab.reproduce.corpus.Library;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Policies of other papers than the four, each with its own step size tuned, against equal shares
 * and against the fixed mixture that a search finds. All are to learn five domains, which count
 * alike, from drawn parameters.
 */
public final class PoliciesExperiment implements Experiment {
  private static final int DOMAINS = 5;

  /** Times that Aioli tries all domains in a run, and trains on what it learnt. */
  private static final int CYCLES = 3;

  private static final long TUNING_SEED = 0;
  private static final String UNIFORM = "uniform";
  private static final String SEARCHED = "searched";

  /** Learners by laws have no gradients of single sequences. */
  private static final String NOT_SIMULATED = "pike";

  @Override
  public String name() {
    return "policies";
  }

  @Override
  public List<String> departures() {
    return List.of(
        "Byte-level models of some 0.1 million parameters that learn five domains of Debian's"
            + " texts, instead of models of 0.1 to 1.3 billion and corpora of the web.",
        "What is to be low is the mean loss over the domains, for every arm.",
        "Each policy has one setting tuned among three values by seed 0, which counts for nothing else;"
            + " the mixture that is searched for is the best of three, two by laws that are fitted to short"
            + " runs of that seed and the best of those, and costs "
            + Math.round(SearchedMixture.cost())
            + " runs of an arm's length, where each policy had three. RegMix has 512 runs of small models.",
        "R&B's balance is run alone, over domains as they are: nothing is regrouped.",
        "Aioli tries a mixture for each domain and trains on what it learnt in turn, in rounds of a third of"
            + " the others', so as to learn three times in a run.",
        "DUMP's bandit is an arm without a claim: its paper's are of reinforcement learning.");
  }

  @Override
  public Scale scale() {
    return new Scale(2, 64, 4, 128, 16, 144, 12, 2048, 1024, 3e-3);
  }

  @Override
  public Optional<Trial> tuning(Library library, Scale scale) {
    List<String> names = names(library);
    List<Arm> arms = new ArrayList<>(new SearchedMixture(names).arms(scale));
    policies(scale).forEach(each -> arms.addAll(each.tried(scale, Domains.uniform(names, names))));
    return Optional.of(Domains.trial("tuning", TUNING_SEED, library, names, scale, arms));
  }

  @Override
  public List<Trial> trials(long seed, Library library, Scale scale) {
    List<String> names = names(library);
    Map<String, Double> uniform = Domains.uniform(names, names);
    List<Arm> arms = new ArrayList<>();
    arms.add(Arm.of(UNIFORM, scale.steps(), Mixture.fixed(uniform)));
    arms.add(
        Arm.of(SEARCHED, scale.steps(), Mixture.fixed(uniform))
            .after(List.of(), outcomes -> new SearchedMixture(names).best(outcomes)));
    policies(scale).forEach(each -> arms.add(each.arm(scale, uniform)));
    return List.of(Domains.trial("", seed, library, names, scale, arms));
  }

  private static List<String> names(Library library) {
    return library.domains().subList(0, DOMAINS);
  }

  private static List<TunedPolicy> policies(Scale scale) {
    Map<String, Object> every = Map.of("every", scale.every());
    int shorter = scale.every() / CYCLES;
    int cycle = scale.steps() / shorter / CYCLES;
    return List.of(
        new TunedPolicy("r-and-b", "lambda", List.of(3.0, 1.0, 10.0), every),
        new TunedPolicy("grape", "eta", List.of(1.5, .5, 5.0), every),
        new TunedPolicy("pike", "zeta-1", List.of(.1, .01, 1.0), every),
        new TunedPolicy("ucb", "temperature", List.of(1.0, .3, 3.0), every),
        new TunedPolicy(
            "aioli",
            "eta",
            List.of(.2, 2.0, 20.0),
            Map.of("every", shorter, "sweeps", 1, "train-rounds", cycle - DOMAINS)));
  }

  @Override
  public Map<String, Double> measures(Judged judged) {
    ArmOutcome outcome = judged.outcome();
    String arm = judged.arm().name();
    Map<String, Double> measures = Measures.of(outcome);
    measures.put("improvement/least", leastImprovement(outcome));
    outcome.averageWeights().forEach((domain, share) -> measures.put("share/" + domain, share));
    for (TunedPolicy policy : policies(judged.scale())) {
      if (policy.policy().equals(arm) && policy.isTuned(judged.all())) {
        measures.put("tuned/" + policy.setting(), policy.best(judged.all()));
      }
    }
    if (!arm.equals(NOT_SIMULATED)) {
      new SimulatedDifference(judged, UNIFORM).addTo(measures);
    }
    return measures;
  }

  @Override
  public Map<String, Double> tested(Judged judged) {
    return Measures.of(judged.outcome().test());
  }

  /** What the held-out loss of the domain fell by that fell least. */
  private static double leastImprovement(ArmOutcome outcome) {
    Map<String, Double> last = outcome.lastLosses();
    return outcome.firstLosses().entrySet().stream()
        .mapToDouble(first -> first.getValue() - last.getOrDefault(first.getKey(), Double.NaN))
        .min()
        .orElse(Double.NaN);
  }
}
