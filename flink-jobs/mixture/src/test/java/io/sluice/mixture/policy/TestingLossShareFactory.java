package io.sluice.mixture.policy;

import java.util.List;

/**
 * A policy as a user's jar would bring it: weights in proportion to the last losses, to a power.
 */
public final class TestingLossShareFactory implements PolicyFactory {
  @Override
  public String name() {
    return "loss-share";
  }

  @Override
  public Policy create(PolicySettings settings, List<String> domains) {
    return new LossShare(settings.number("power", 1, 0, 10));
  }

  private record LossShare(double power) implements Policy {
    @Override
    public String name() {
      return "loss-share";
    }

    @Override
    public List<String> metrics() {
      return List.of(Metrics.EVAL_LOSS);
    }

    @Override
    public byte[] initialState(double[] shares) {
      return StateWriter.ofVersion(1).put(shares).bytes();
    }

    @Override
    public Decision decide(byte[] state, Observation observation) {
      double[] shares = StateReader.ofVersion(name(), 1, state).array();
      double[] losses = observation.means(Metrics.EVAL_LOSS);
      for (int i = 0; i < shares.length; i++) {
        shares[i] = Double.isNaN(losses[i]) ? shares[i] : Math.pow(losses[i], power);
      }
      return new Decision(initialState(shares), shares, losses);
    }
  }
}
