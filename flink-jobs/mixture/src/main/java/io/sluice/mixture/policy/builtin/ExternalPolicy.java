package io.sluice.mixture.policy.builtin;

import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyFactory;
import io.sluice.mixture.policy.PolicySettings;
import io.sluice.mixture.policy.StateReader;
import io.sluice.mixture.policy.StateWriter;
import java.util.List;

/**
 * Takes the weights that another process proposes, in whatever language it is written: it reads the
 * run's feedback and answers with a report of {@link Metrics#PROPOSED_WEIGHT}, one value for each
 * domain, for the step of the round.
 *
 * <p>A domain that the proposal leaves out keeps its weight; a proposal with a negative weight, or
 * without any weight, is not followed. A round without a proposal is held or keeps the weights, as
 * the run says for every policy.
 */
final class ExternalPolicy implements Policy {
  static final String NAME = "external";
  private static final int VERSION = 1;
  private static final String KEPT = ": it is not followed";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> metrics() {
    return List.of(Metrics.PROPOSED_WEIGHT);
  }

  @Override
  public byte[] initialState(double[] shares) {
    return StateWriter.ofVersion(VERSION).put(shares).bytes();
  }

  @Override
  public Decision decide(byte[] state, Observation observation) {
    double[] shares = StateReader.ofVersion(NAME, VERSION, state).array();
    double[] proposed = observation.means(Metrics.PROPOSED_WEIGHT);
    double[] next = new double[shares.length];
    double sum = 0;
    for (int i = 0; i < next.length; i++) {
      next[i] = Double.isNaN(proposed[i]) ? shares[i] : proposed[i];
      sum += next[i];
      if (next[i] < 0) {
        return new Decision(state, shares, proposed, "the proposal has a weight below 0" + KEPT);
      }
    }
    if (!(sum > 0) || Double.isInfinite(sum)) {
      return new Decision(state, shares, proposed, "the proposal's weights sum to " + sum + KEPT);
    }
    for (int i = 0; i < next.length; i++) {
      next[i] /= sum;
    }
    return new Decision(initialState(next), next, proposed);
  }

  /** Takes no settings. */
  public record Factory() implements PolicyFactory {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Policy create(PolicySettings settings, List<String> domains) {
      return new ExternalPolicy();
    }
  }
}
