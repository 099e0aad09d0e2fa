package io.sluice.mixture.simulate;

import io.sluice.mixture.decide.DomainSupply;
import io.sluice.mixture.decide.GrantPlanner;
import io.sluice.mixture.decide.Inputs;
import io.sluice.mixture.decide.Outcome;
import io.sluice.mixture.decide.RunPolicy;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.RunLimits;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Policies;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.round.Report;
import io.sluice.mixture.round.StepReports;
import io.sluice.mixture.simulate.scenario.Learners;
import io.sluice.mixture.simulate.scenario.Scenario;
import io.sluice.mixture.smoothing.Guards;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * One policy on one scenario: the grants of a real run's planner and log, consumed by learners that
 * report back. The same seed gives the same trajectory.
 */
public final class Simulation {
  private static final String RUN = "simulated";

  private final Scenario scenario;
  private final Learners learners;
  private final SimulatedMetrics metrics;
  private final Proposals proposals;
  private final Policy policy;
  private final RunPolicy policies = new RunPolicy();
  private final StepReports reports = new StepReports();
  private final double[] trained;
  private RunState state;
  private long offset;

  private Simulation(
      Scenario scenario,
      String policy,
      Map<String, String> settings,
      Guards guards,
      Learners learners,
      long seed,
      Proposals proposals) {
    this.proposals = proposals;
    this.scenario = scenario;
    this.learners = learners;
    this.policy = Policies.create(policy, settings, scenario.domains());
    this.trained = new double[scenario.domains().size()];
    this.metrics =
        new SimulatedMetrics(scenario, this.policy, learners.losses(trained.length), seed);
    RunSettings run =
        new RunSettings(
            scenario.domains(),
            new TreeMap<>(Map.of(1L, Scenario.SEQUENCES)),
            Collections.emptyNavigableMap(),
            Collections.emptySortedMap(),
            scenario.batches(),
            seed,
            scenario.initial(),
            policy,
            settings,
            this.policy.hasRounds() ? scenario.updateEvery() : 0,
            0,
            false,
            1,
            0,
            guards,
            Collections.nCopies(trained.length, 1),
            false,
            Set.of(),
            1,
            RunLimits.NONE);
    this.state = RunState.started(GrantPlanner.start(RUN, run, "simulated"), 0);
  }

  /**
   * The trajectory of a policy, which may ask another process.
   *
   * @param settings of the policy
   * @param learners before training
   * @param seed of the measurements' noise
   * @param proposals of that process
   */
  static Trajectory run(
      Scenario scenario,
      String policy,
      Map<String, String> settings,
      Guards guards,
      Learners learners,
      long seed,
      Proposals proposals) {
    return new Simulation(scenario, policy, settings, guards, learners, seed, proposals).run();
  }

  /**
   * The trajectory of a candidate that needs no other process, and has all that its policy needs.
   *
   * @param seed of the measurements' noise
   */
  public static Trajectory of(Scenario scenario, Candidate candidate, long seed) {
    return run(
        scenario,
        candidate.policy(),
        candidate.settings(),
        candidate.guardsFor(scenario.domains()),
        Learners.of(scenario, seed),
        seed,
        Proposals.NONE);
  }

  private Trajectory run() {
    List<Trajectory.Point> points = new ArrayList<>();
    points.add(point(0));
    report(0);
    long batch = 0;
    while (batch < scenario.batches()) {
      Outcome outcome = next(batch);
      if (outcome instanceof Outcome.Ended) {
        break;
      }
      if (!(outcome instanceof Outcome.Propose propose)) {
        throw new IllegalStateException(
            "the run does not go on after batch " + batch + ": " + outcome);
      }
      offset++;
      state.apply(propose.entry(), offset);
      if (propose.entry().body() instanceof Grant grant) {
        while (batch < grant.to()) {
          batch++;
          train(grant.countsOf(batch));
          if (batch % scenario.updateEvery() == 0) {
            points.add(point(batch));
            report(batch);
          } else if (batch == scenario.batches()) {
            points.add(point(batch));
          }
        }
      }
    }
    return new Trajectory(scenario, points);
  }

  private Outcome next(long progress) {
    return GrantPlanner.nextAtOnce(
        state,
        policies,
        new Inputs(
            reports,
            Collections.nCopies(trained.length, new DomainSupply(Long.MAX_VALUE / 4, false)),
            new Inputs.Trainers(progress),
            List.of(),
            0));
  }

  private void train(int[] counts) {
    double[] tokens = new double[counts.length];
    for (int i = 0; i < tokens.length; i++) {
      tokens[i] = scenario.tokensPerBatch() * counts[i] / Scenario.SEQUENCES;
      trained[i] += tokens[i];
    }
    learners.train(tokens);
  }

  private Trajectory.Point point(long batch) {
    return new Trajectory.Point(batch, state.decided().shares(), learners.losses(trained.length));
  }

  private void report(long step) {
    reports.follow(state, policies.find(state.settings()));
    for (String metric : policy.metrics()) {
      double[] means =
          metric.equals(Metrics.PROPOSED_WEIGHT)
              ? proposed(step)
              : metrics.of(metric, learners, trained);
      double[] sums = new double[means.length];
      long[] counts = new long[means.length];
      for (int i = 0; i < means.length; i++) {
        counts[i] = Double.isNaN(means[i]) ? 0 : means.length == trained.length ? weight(i) : 1;
        sums[i] = counts[i] == 0 ? 0 : means[i] * counts[i];
      }
      reports.offer(new Report(0, step, "a" + step, 1, 0, metric, sums, counts));
    }
    Arrays.fill(trained, 0);
  }

  private double[] proposed(long step) {
    double[] weights = state.decided().shares();
    return step == 0
        ? weights
        : proposals.propose(step, weights, metrics.of(Metrics.EVAL_LOSS, learners, trained));
  }

  /** Tokens behind a mean, in thousands: of what was trained on, or one for an evaluation. */
  private long weight(int domain) {
    return 1 + Math.round(trained[domain] * 1e6);
  }
}
