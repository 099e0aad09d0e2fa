package io.sluice.mixture.policy.tree;

import io.sluice.mixture.policy.Axis;
import io.sluice.mixture.policy.Cadence;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyFactory;
import io.sluice.mixture.policy.PolicySettings;
import io.sluice.mixture.policy.Shares;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A mixture of groups, each a mixture of its domains under a policy of its own, which may be a tree
 * again. The weight of a domain is its group's share times its weight within the group.
 *
 * <p>The groups' shares follow a schedule of stages. A stage keeps a ratio or moves from one to
 * another, and ends at a batch, at a number of sequences, after a number of batches, or when
 * held-out losses say so. A stage that ends at a batch must be met by a round, since only rounds
 * change weights; one that ends at a number of sequences ends with the first round in force after
 * it. Within an interval between rounds, ratios stay what they are at its beginning.
 *
 * <p>Groups see what was measured of their own domains, or pairs of these, and nothing else. A
 * policy that measures mixtures can be no group's.
 */
record TreePolicy(
    List<String> domains, List<TreeGroup> groups, List<TreeStage> stages, @Nullable Cadence cadence)
    implements Policy {
  static final String NAME = "tree";

  TreePolicy {
    domains = List.copyOf(domains);
    groups = List.copyOf(groups);
    stages = List.copyOf(stages);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> metrics() {
    Set<String> metrics = new LinkedHashSet<>();
    groups.forEach(group -> metrics.addAll(group.policy().metrics()));
    if (stages.stream().anyMatch(stage -> stage.when() != null)) {
      metrics.add(Metrics.EVAL_LOSS);
    }
    return List.copyOf(metrics);
  }

  @Override
  public List<String> metricsOfStepZero() {
    Set<String> metrics = new LinkedHashSet<>();
    groups.stream()
        .map(TreeGroup::policy)
        .filter(Policy::startsFromStepZero)
        .forEach(policy -> metrics.addAll(policy.metricsOfStepZero()));
    return List.copyOf(metrics);
  }

  @Override
  public boolean startsFromStepZero() {
    return groups.stream().anyMatch(group -> group.policy().startsFromStepZero());
  }

  @Override
  public List<String> targetDomains(String metric) {
    return groups.stream()
        .map(TreeGroup::policy)
        .filter(policy -> policy.metrics().contains(metric))
        .flatMap(policy -> policy.targetDomains(metric).stream())
        .distinct()
        .toList();
  }

  @Override
  public Axis axis(String metric) {
    return axes().of(metric);
  }

  private TreeAxes axes() {
    return new TreeAxes(domains, groups);
  }

  @Override
  public boolean hasRounds() {
    return stages.get(0).ends() || groups.stream().anyMatch(group -> group.policy().hasRounds());
  }

  @Override
  public Policy inRun(Cadence run) {
    if (run.every() > 0) {
      TreeSchedule.check(stages, run);
    }
    List<TreeGroup> placed = new ArrayList<>();
    for (TreeGroup group : groups) {
      Policy policy = group.policy().inRun(run);
      placed.add(new TreeGroup(group.name(), group.members(), group.weights(), policy));
    }
    return new TreePolicy(domains, placed, stages, run);
  }

  @Override
  public double[] startingShares(double[] shares) {
    List<double[]> own = groups.stream().map(group -> group.startingShares(shares)).toList();
    return product(stages.get(0).ratios(), own);
  }

  @Override
  public byte[] initialState(double[] shares) {
    List<double[]> own = groups.stream().map(group -> group.startingShares(shares)).toList();
    List<byte[]> nested = new ArrayList<>();
    for (int g = 0; g < own.size(); g++) {
      nested.add(groups.get(g).policy().initialState(own.get(g)));
    }
    return new TreeState(0, 0, 0, new double[0], own, nested).encode();
  }

  @Override
  public boolean isReady(byte[] state, Observation observation) {
    TreeState before = TreeState.decode(state, groups.size());
    boolean ready = true;
    for (int g = 0; g < groups.size(); g++) {
      Policy policy = groups.get(g).policy();
      if (policy.hasRounds() && observation.metrics().containsAll(policy.metrics())) {
        Observation own = axes().seen(observation, policy.metrics(), groups.get(g));
        ready &= policy.isReady(before.nested().get(g), own);
      }
    }
    return ready;
  }

  @Override
  public Decision decide(byte[] state, Observation observation) {
    Cadence run = Cadence.require(cadence, "a tree");
    TreeState before = TreeState.decode(state, groups.size());
    boolean start = before.reports() == 0 && startsFromStepZero();
    long after = observation.step() + run.lag();
    TreeSchedule.Place at =
        start
            ? new TreeSchedule.Place(0, 0, before.means())
            : TreeSchedule.advance(stages, run, before, after, observation);
    TreeStage stage = stages.get(at.stage());
    double[] ratios = stage.after(after, run, at.begin());
    TreeMap<String, Double> levels = new TreeMap<>();
    List<Decision> decisions = new ArrayList<>();
    for (int g = 0; g < groups.size(); g++) {
      TreeGroup group = groups.get(g);
      levels.put(group.name(), ratios[g]);
      boolean rests =
          stage.resting().contains(g) || (start && !group.policy().startsFromStepZero());
      decisions.add(rests ? kept(before, g) : decided(before, g, observation, start));
      nest(levels, group.name(), decisions.get(g).levels());
    }
    return decision(before, at, ratios, levels, decisions);
  }

  private static Decision kept(TreeState before, int group) {
    return new Decision(before.nested().get(group), before.shares().get(group), new double[0]);
  }

  private Decision decided(TreeState before, int g, Observation observation, boolean start) {
    TreeGroup group = groups.get(g);
    Policy policy = group.policy();
    if (!policy.hasRounds()) {
      return kept(before, g);
    }
    List<String> metrics = start ? policy.metricsOfStepZero() : policy.metrics();
    return policy.decide(before.nested().get(g), axes().seen(observation, metrics, group));
  }

  private static void nest(
      Map<String, Double> levels, String name, SortedMap<String, Double> below) {
    below.forEach((path, share) -> levels.put(name + "/" + path, share));
  }

  private Decision decision(
      TreeState before,
      TreeSchedule.Place at,
      double[] ratios,
      SortedMap<String, Double> levels,
      List<Decision> decisions) {
    List<double[]> shares = new ArrayList<>();
    List<byte[]> nested = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    boolean finished = false;
    double[] scores = new double[domains.size()];
    if (at.stage() != before.stage()) {
      notes.add(
          "stage " + (at.stage() + 1) + " of " + stages.size() + " after batch " + at.begin());
    }
    for (int g = 0; g < decisions.size(); g++) {
      Decision decision = decisions.get(g);
      shares.add(Shares.normalised(decision.shares()));
      nested.add(decision.state());
      finished |= decision.finished();
      int[] members = groups.get(g).members();
      for (int i = 0; i < decision.scores().length && i < members.length; i++) {
        scores[members[i]] = decision.scores()[i];
      }
      if (!decision.note().isEmpty()) {
        notes.add(groups.get(g).name() + ": " + decision.note());
      }
    }
    TreeState state =
        new TreeState(at.stage(), at.begin(), before.reports() + 1, at.means(), shares, nested);
    return new Decision(
        state.encode(),
        product(ratios, shares),
        scores,
        levels,
        String.join("; ", notes),
        finished);
  }

  private double[] product(double[] ratios, List<double[]> shares) {
    double[] product = new double[domains.size()];
    for (int g = 0; g < ratios.length; g++) {
      int[] members = groups.get(g).members();
      for (int i = 0; i < members.length; i++) {
        product[members[i]] = ratios[g] * Objects.requireNonNull(shares.get(g))[i];
      }
    }
    return product;
  }

  /** Reads groups and stages. */
  public record Factory() implements PolicyFactory {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Policy create(PolicySettings read, List<String> domains) {
      List<TreeGroup> groups = TreeSettings.groups(read, domains);
      List<TreeStage> stages = TreeSettings.stages(read, groups, domains);
      new TreeAxes(domains, groups)
          .requireOneKind(
              read.path("groups"), stages.stream().anyMatch(stage -> stage.when() != null));
      return new TreePolicy(domains, groups, stages, null);
    }
  }
}
