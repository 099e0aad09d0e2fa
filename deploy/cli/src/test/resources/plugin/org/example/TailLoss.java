package org.example;

import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyFactory;
import io.sluice.mixture.policy.PolicySettings;
import java.util.List;

/** Weights in proportion to the greatest loss of any token of a domain, to a power. */
public final class TailLoss implements PolicyFactory {
  @Override
  public String name() {
    return "tail-loss";
  }

  @Override
  public Policy create(PolicySettings settings, List<String> domains) {
    return new Weigher(settings.number("power", 1, 0, 10));
  }

  private record Weigher(double power) implements Policy {
    private static final byte[] VERSION_1 = {1};

    @Override
    public String name() {
      return "tail-loss";
    }

    @Override
    public List<String> metrics() {
      return List.of(MaxLoss.METRIC);
    }

    @Override
    public boolean startsFromStepZero() {
      return true;
    }

    @Override
    public byte[] initialState(double[] shares) {
      return VERSION_1;
    }

    @Override
    public Decision decide(byte[] state, Observation observation) {
      double[] shares = observation.means(MaxLoss.METRIC);
      for (int i = 0; i < shares.length; i++) {
        shares[i] = Math.pow(shares[i], power);
      }
      return new Decision(VERSION_1, shares, new double[0]);
    }
  }
}
