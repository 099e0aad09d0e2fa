package io.sluice.mixture.policy;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Decides a run's domain weights from what its trainers measure. A pure function: everything it
 * remembers is in the state that it is handed and hands back.
 */
public interface Policy {
  /** Name in a run's specification. */
  String name();

  /**
   * The metrics that a round waits for, see {@link Metrics}; empty for a policy that needs none.
   */
  List<String> metrics();

  /**
   * What each value of a metric is of.
   *
   * @param metric one of {@link #metrics}
   * @return the domains, unless the policy measures something else
   */
  default Axis axis(String metric) {
    return Axis.DOMAINS;
  }

  /**
   * Domains of the run whose held-out documents a metric is measured against.
   *
   * @param metric one of {@link #metrics}
   * @return none, unless it is told some: then each trainer has its own
   */
  default List<String> targetDomains(String metric) {
    return List.of();
  }

  /** Whether it decides anything after the start; without rounds the weights never change. */
  default boolean hasRounds() {
    return !metrics().isEmpty();
  }

  /** Whether the report of step 0 is decided on before that of the first round. */
  default boolean startsFromStepZero() {
    return false;
  }

  /** The metrics that the report of step 0 must have, if it is decided on. */
  default List<String> metricsOfStepZero() {
    return metrics();
  }

  /**
   * This policy as it acts in a run with these rounds.
   *
   * @throws IllegalArgumentException if it cannot keep its schedule there, naming the key, what it
   *     may be, and what it is
   */
  default Policy inRun(Cadence cadence) {
    return this;
  }

  /**
   * The weights that a run starts with.
   *
   * @param shares the run's own initial weights, summing to 1
   * @return those, unless the policy determines them; not negative, in any scale
   */
  default double[] startingShares(double[] shares) {
    return shares;
  }

  /**
   * State before any round, as bytes that start with the policy's own version.
   *
   * @param shares initial weights, summing to 1
   */
  byte[] initialState(double[] shares);

  /**
   * Whether {@link #decide} would answer at once. Otherwise the policy works on its answer
   * elsewhere from now on, and who must not wait asks again later with the same arguments.
   */
  default boolean isReady(byte[] state, Observation observation) {
    return true;
  }

  /**
   * The decision of one round.
   *
   * @param observation has every metric that the policy needs
   */
  Decision decide(byte[] state, Observation observation);

  /**
   * This policy in a state, ready for report after report.
   *
   * @param state is not changed
   */
  default PolicyUpdater updater(byte[] state) {
    return new DecidingUpdater(this, state);
  }

  /**
   * What a round decided.
   *
   * @param state policy state after the round
   * @param shares weights before smoothing, not negative; they need not sum to 1 exactly
   * @param scores what moved the weights, one for each domain, for people to read; may be empty
   * @param levels what each group of a mixture's tree got of its parent, by path; may be empty
   * @param note what happened besides, for people; may be ''
   * @param finished whether the policy has what it was for, so that the run is complete
   */
  record Decision(
      byte[] state,
      double[] shares,
      double[] scores,
      SortedMap<String, Double> levels,
      String note,
      boolean finished) {
    /** Copies the levels. */
    public Decision {
      levels = Collections.unmodifiableSortedMap(new TreeMap<>(levels));
    }

    /** A decision of a flat mixture, after which the run goes on. */
    public Decision(byte[] state, double[] shares, double[] scores) {
      this(state, shares, scores, "");
    }

    /** The same with a note. */
    public Decision(byte[] state, double[] shares, double[] scores, String note) {
      this(state, shares, scores, Collections.emptySortedMap(), note, false);
    }
  }
}
