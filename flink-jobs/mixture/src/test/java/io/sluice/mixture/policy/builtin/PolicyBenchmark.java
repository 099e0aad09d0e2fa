package io.sluice.mixture.policy.builtin;

import io.sluice.mixture.Golden;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policies;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyUpdater;
import io.sluice.mixture.policy.Shares;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What a policy's update costs; with {@code -prof gc}, what it allocates. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PolicyBenchmark {
  private static final int BASES = 22;
  private static final int OBSERVATIONS = 4;

  @Param({"64", "262144"})
  private int domains;

  @Param({"velocitune", "dynamic-batch-loading", "dga", "dga-distribution", "doremi"})
  private String policy = "dga";

  private final Observation[] observations = new Observation[OBSERVATIONS];
  private Policy made = new StaticPolicy(StaticPolicy.NAME, null);
  private byte[] state = {};
  private PolicyUpdater updater = made.updater(state);
  private int next;

  /** A policy after a few updates, and measurements of every domain. */
  @Setup
  public void prepare() {
    List<String> names = Golden.domains(domains);
    made = Policies.create(policy, settings(names), names);
    Random random = new Random(5);
    for (int n = 0; n < observations.length; n++) {
      Observation observation = Observation.at(n + 1);
      for (String metric : made.metrics()) {
        int measured = made.axis(metric).names(names).size();
        double[] sums = random.doubles(measured, 50, 200).toArray();
        long[] counts = new long[measured];
        Arrays.fill(counts, 64);
        observation = observation.with(metric, sums, counts);
      }
      observations[n] = observation;
    }
    double[] shares = made.startingShares(Shares.normalised(random.doubles(domains).toArray()));
    updater = made.updater(made.initialState(shares));
    for (Observation observation : observations) {
      updater.take(observation);
    }
    state = updater.state();
  }

  private Map<String, String> settings(List<String> names) {
    Map<String, String> settings = new TreeMap<>();
    switch (policy) {
      case "velocitune" -> settings.put("target-fraction", "0.5");
      case "dynamic-batch-loading" -> settings.put("target-fraction", "0.8");
      case "dga-distribution" -> {
        // Each domain is in two of the histograms.
        for (int basis = 0; basis < BASES; basis++) {
          StringBuilder shares = new StringBuilder();
          for (int i = 0; i < names.size(); i++) {
            if (i % BASES == basis || i * 7 % BASES == basis) {
              shares.append(names.get(i)).append("=1 ");
            }
          }
          settings.put("basis.b" + basis, shares.append(names.get(basis)).append("=1").toString());
        }
      }
      default -> {}
    }
    return settings;
  }

  /** One update in the arrays of a run's updater. */
  @Benchmark
  public double[] update() {
    next = (next + 1) % OBSERVATIONS;
    updater.take(observations[next]);
    return updater.shares();
  }

  /** One decision from state in bytes to state in bytes, as a control log needs it. */
  @Benchmark
  public Policy.Decision decide() {
    next = (next + 1) % OBSERVATIONS;
    return made.decide(state, observations[next]);
  }
}
