package io.sluice.mixture.replay;

import io.sluice.mixture.decide.RunPolicy;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.log.Snapshot;
import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.policy.Axis;
import io.sluice.mixture.policy.Cadence;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyUpdater;
import io.sluice.mixture.simulate.Candidate;
import io.sluice.mixture.simulate.Trajectory;
import io.sluice.mixture.smoothing.Guards;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A policy fed with what the trainers of another run measured: an open loop, in which its weights
 * change nothing that is measured. It tells how the policy moves, not what its mixture is worth.
 * The same measurements give the same decisions, bit for bit, as they would in a run.
 */
public final class Replay {
  private final List<String> domains;
  private final Policy policy;
  private final Guards guards;
  private final byte[] state;
  private final boolean begins;
  private final boolean pinned;
  private final Weights weights;

  /** What was measured, by step. */
  @FunctionalInterface
  public interface Feedback {
    /** What a round of these metrics hears of a step; empty if it hears nothing. */
    Optional<Observation> at(long step, List<String> metrics);
  }

  /**
   * A round that was closed.
   *
   * @param heard whether there was something to decide on; else the weights stayed
   * @param weights in force from it on
   * @param finished whether the policy has what it was for, so that no round follows
   */
  public record Round(long step, boolean heard, Weights weights, boolean finished) {}

  private Replay(
      List<String> domains,
      Policy policy,
      Guards guards,
      Weights weights,
      byte[] state,
      boolean begins,
      boolean pinned) {
    this.domains = List.copyOf(domains);
    this.policy = policy;
    this.guards = guards;
    this.weights = weights;
    this.state = state;
    this.begins = begins;
    this.pinned = pinned;
  }

  /**
   * A policy that begins.
   *
   * @param initial weights of the run, which the policy may replace
   * @throws IllegalArgumentException if it cannot act in such a run, naming the key, what it may
   *     be, and what it is
   */
  public static Replay begun(
      Candidate candidate, List<String> domains, Cadence cadence, Weights initial) {
    Policy policy = candidate.create(domains).inRun(cadence);
    Guards guards = candidate.guardsFor(domains);
    Weights weights = Weights.ofShares(policy.startingShares(initial.shares()));
    guards.check(domains, weights);
    byte[] state = policy.initialState(weights.shares());
    return new Replay(domains, policy, guards, weights, state, true, false);
  }

  /**
   * A run's own policy, from where its log has it.
   *
   * @throws IllegalArgumentException if the policy cannot be made here
   */
  public static Replay continued(RunSettings settings, Snapshot from) {
    return new Replay(
        settings.domains(),
        RunPolicy.make(settings),
        settings.guards(),
        from.decided(),
        from.policyState(),
        from.round() == from.baseRound(),
        from.pinned());
  }

  /** The metrics that a round waits for, without repetition. */
  public List<String> metrics() {
    return policy.metrics().stream().distinct().toList();
  }

  /** What each value of a metric must be of, by metric; of those that are not here, the domains. */
  public Map<String, List<String>> measured() {
    Map<String, List<String>> measured = new TreeMap<>();
    for (String metric : metrics()) {
      if (!policy.axis(metric).equals(Axis.DOMAINS)) {
        measured.put(metric, policy.axis(metric).names(domains));
      }
    }
    return measured;
  }

  /** Domains whose held-out documents a metric must be measured against; none: any. */
  public List<String> targetDomains(String metric) {
    return policy.targetDomains(metric);
  }

  /** The weights before the first round. */
  public Weights weights() {
    return weights;
  }

  /**
   * Closes rounds. The first hears of the step before it, too, if its policy begins there.
   *
   * @param base step of the round before the first
   * @param steps of the rounds, ascending
   * @return the rounds; none if the policy has none, fewer if it has finished
   */
  public List<Round> rounds(long base, List<Long> steps, Feedback feedback) {
    List<Round> rounds = new ArrayList<>();
    Weights now = weights;
    PolicyUpdater updater = policy.updater(state);
    boolean starts = begins && policy.startsFromStepZero();
    for (long step : policy.hasRounds() ? steps : List.<Long>of()) {
      Optional<List<Observation>> heard =
          starts
              ? feedback
                  .at(base, policy.metricsOfStepZero())
                  .flatMap(first -> at(step, feedback).map(next -> List.of(first, next)))
              : at(step, feedback).map(List::of);
      starts = false;
      heard.ifPresent(observations -> observations.forEach(updater::take));
      Optional<Policy.Decision> decision = heard.map(observations -> updater.decision());
      boolean finished = decision.isPresent() && decision.get().finished();
      if (decision.isPresent() && !finished && !pinned) {
        now = guards.apply(domains, now, decision.get().shares(), step);
      }
      rounds.add(new Round(step, heard.isPresent(), now, finished));
      if (finished) {
        break;
      }
    }
    return rounds;
  }

  private Optional<Observation> at(long step, Feedback feedback) {
    return feedback.at(step, policy.metrics());
  }

  /**
   * Rounds as they are drawn.
   *
   * @param initial weights before the first
   * @param losses by step; NaN where none was measured
   * @return for each step, the losses and the weights in force before its round
   */
  public static List<Trajectory.Point> points(
      Weights initial, List<Round> rounds, SortedMap<Long, double[]> losses) {
    List<Trajectory.Point> points = new ArrayList<>();
    Weights inForce = initial;
    int closed = 0;
    for (Map.Entry<Long, double[]> measured : losses.entrySet()) {
      long step = measured.getKey();
      while (closed < rounds.size() && rounds.get(closed).step() < step) {
        inForce = rounds.get(closed).weights();
        closed++;
      }
      points.add(new Trajectory.Point(step, inForce.shares(), measured.getValue().clone()));
    }
    return points;
  }
}
