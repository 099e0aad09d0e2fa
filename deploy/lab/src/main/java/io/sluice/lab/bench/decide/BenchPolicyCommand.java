package io.sluice.lab.bench.decide;

import io.sluice.lab.bench.measure.BenchLog;
import io.sluice.lab.bench.measure.Benchmark;
import io.sluice.lab.bench.measure.Machine;
import io.sluice.lab.bench.measure.Stopwatch;
import io.sluice.lab.bench.measure.Stopwatch.Times;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policies;
import io.sluice.mixture.policy.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice bench policy}. */
@Command(
    name = "policy",
    description = {"What one round of a policy costs.", ""})
public final class BenchPolicyCommand extends Benchmark {
  /** Policies that need no more than numbers of domains to be made, with their settings. */
  private static final Map<String, Map<String, String>> SETTINGS =
      Map.of("velocitune", Map.of("target-fraction", "0.5"));

  private static final List<String> USUAL =
      List.of("velocitune", "dga", "topic-perplexity", "odm", "doremi", "doge");

  @Option(
      names = "--domains",
      split = ",",
      paramLabel = "K",
      description = "Numbers of domains. Default: 8,4096,262144; without the last: --quick.")
  private @Nullable List<Integer> domains;

  @Option(
      names = "--policy",
      split = ",",
      paramLabel = "P",
      description = "Policies that need no settings of their own. Default: all such.")
  private List<String> policies = USUAL;

  @Override
  public void run() {
    Machine machine = Machine.here();
    BenchLog log = log();
    Stopwatch stopwatch = stopwatch();
    List<Integer> numbers = or(domains, List.of(8, 4096), List.of(8, 4096, 262_144));
    List<PolicyResult> results = new ArrayList<>();
    for (String policy : policies) {
      for (int k : numbers) {
        log.say("%s, %d domains", policy, k);
        results.add(measure(stopwatch, policy, k));
      }
    }
    report(machine, PolicyResult.HEAD, results.stream().map(PolicyResult::row).toList(), results);
  }

  private static PolicyResult measure(Stopwatch stopwatch, String name, int k) {
    List<String> names =
        IntStream.range(0, k).mapToObj(i -> String.format(Locale.ROOT, "d%06d", i)).toList();
    Policy policy = Policies.create(name, SETTINGS.getOrDefault(name, Map.of()), names);
    double[] shares = new double[k];
    Arrays.fill(shares, 1.0 / k);
    byte[] state = policy.initialState(shares);
    if (policy.startsFromStepZero()) {
      state = policy.decide(state, observation(policy, 0, k)).state();
    }
    byte[] before = state;
    Observation observation = observation(policy, 100, k);
    Times times = stopwatch.measure(() -> policy.decide(before, observation));
    return new PolicyResult(
        name, k, times.micros().median(), times.allocatedBytes(), times.micros());
  }

  private static Observation observation(Policy policy, long step, int k) {
    Random random = new Random(step);
    Observation observation = Observation.at(step);
    for (String metric : policy.metrics()) {
      observation = observation.with(metric, random.doubles(k, 1, 3).toArray());
    }
    return observation;
  }
}
