package io.sluice.mixture.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every policy's state is in the log of its runs for good, so each version of it must be read. Each
 * {@code policy-states-v<n>.txt} has, a line each, a policy's state in the middle of a run.
 *
 * <p>After a format has changed, add the next version; never change that of a release:
 *
 * <pre>mvn -pl flink-jobs/mixture test -Dtest=PolicyStateFormatTest -Dsluice.samples=v2</pre>
 */
class PolicyStateFormatTest {
  private static final Path FILES = Path.of("src/test/resources/io/sluice/mixture/policy");
  private static final String CURRENT = "v1";
  private static final List<String> DOMAINS = List.of("a", "b", "c");
  private static final double[] SHARES = {.5, .3, .2};
  private static final int MIDDLE = 12;
  private static final int LAST = 24;

  /** A policy with the settings under which its state holds something of everything. */
  private static Map<String, Policy> policies() {
    Map<String, Policy> policies = new TreeMap<>();
    for (String name : Policies.names()) {
      if (!name.equals("loss-share")) {
        Policy policy = Policies.create(name, settings(name), DOMAINS);
        policies.put(name, policy.inRun(new Cadence(1, 0, new TreeMap<>(Map.of(1L, 4)), 1000)));
      }
    }
    return policies;
  }

  private static Map<String, String> settings(String policy) {
    return switch (policy) {
      case "velocitune", "dynamic-batch-loading" -> each("targets", 1.2, 1.4, 1.1);
      case "dga-distribution" -> Map.of("basis.p", "a=3 b=1", "basis.q", "b=1 c=1");
      case "importance-sampling" -> each("histogram", 5, 2, 3);
      case "odm" -> Map.of("warm-up", "2");
      case "aioli" -> Map.of("sweeps", "1", "train-rounds", "2", "gamma", "0.25");
      case "ado" -> Map.of("start", "4", "refit-every", "4", "ignore", "0", "stride", "2");
      case "recorded" -> Map.of("at.0", "a=1 b=3", "at.20", "a=1");
      case "curriculum" -> Map.of("until", "20 batches");
      case "tree" ->
          Map.of(
              "groups.x.domains", "a b",
              "groups.x.policy.topic-perplexity.alpha", "0.4",
              "groups.y.domains", "c",
              "stages.1.ratios.x", "1",
              "stages.1.ratios.y", "4",
              "stages.1.when.plateau", "0.0001",
              "stages.1.when.rounds", "20",
              "stages.2.ratios.x", "2",
              "stages.2.ratios.y", "1");
      default -> Map.of();
    };
  }

  private static Map<String, String> each(String key, double... values) {
    Map<String, String> settings = new TreeMap<>();
    for (int i = 0; i < values.length; i++) {
      settings.put(key + "." + DOMAINS.get(i), Double.toString(values[i]));
    }
    return settings;
  }

  private static Observation measured(Policy policy, long step) {
    Random random = new Random(step);
    Observation observation = Observation.at(step);
    for (String metric : policy.metrics()) {
      int values = policy.axis(metric).names(DOMAINS).size();
      double[] means = random.doubles(values, 1, 3).toArray();
      observation =
          policy.name().equals("aioli")
              ? observation.with(metric, means, random.longs(values, 1, 1000).toArray())
              : observation.with(metric, means);
    }
    return observation;
  }

  private static byte[] start(Policy policy) {
    return policy.initialState(Shares.normalised(policy.startingShares(SHARES)));
  }

  /** The state after rounds that decided on made-up measurements. */
  private static byte[] decide(Policy policy, byte[] from, long after, long last) {
    byte[] state = from;
    for (long step = after + 1; policy.hasRounds() && step <= last; step++) {
      state = policy.decide(state, measured(policy, step)).state();
    }
    return state;
  }

  private static Map<String, String> middles() {
    Map<String, String> states = new TreeMap<>();
    policies()
        .forEach(
            (name, policy) ->
                states.put(
                    name, HexFormat.of().formatHex(decide(policy, start(policy), 0, MIDDLE))));
    return states;
  }

  private static Map<String, String> committed(String version) throws IOException {
    Map<String, String> states = new TreeMap<>();
    for (String line : Files.readAllLines(file(version))) {
      String[] sides = line.split("=", 2);
      states.put(sides[0], sides[1]);
    }
    return states;
  }

  private static Path file(String version) {
    return FILES.resolve("policy-states-" + version + ".txt");
  }

  @Test
  @EnabledIfSystemProperty(named = "sluice.samples", matches = "v\\d+")
  void writesTheCurrentFormats() throws IOException {
    Path file = file(System.getProperty("sluice.samples"));
    Files.createDirectories(FILES);
    List<String> lines = new ArrayList<>();
    middles().forEach((name, state) -> lines.add(name + "=" + state));
    Files.write(file, lines);
    assertThat(file).isNotEmptyFile();
  }

  @Test
  void theCurrentFormatsAreCommitted() throws IOException {
    Map<String, Integer> lengths = new TreeMap<>();
    committed(CURRENT).forEach((name, state) -> lengths.put(name, state.length()));
    Map<String, Integer> now = new TreeMap<>();
    middles().forEach((name, state) -> now.put(name, state.length()));
    assertThat(now).as("a format has changed: add the next version").isEqualTo(lengths);
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1"})
  void goesOnFromTheBytesOfEveryVersion(String version) throws IOException {
    Map<String, String> states = committed(version);
    policies()
        .forEach(
            (name, policy) -> {
              if (policy.hasRounds()) {
                byte[] restored = HexFormat.of().parseHex(states.get(name));
                assertThat(shares(policy, restored))
                    .as(name)
                    .containsExactly(shares(policy, middle(policy)), offset(1e-9));
              }
            });
  }

  private static byte[] middle(Policy policy) {
    return decide(policy, start(policy), 0, MIDDLE);
  }

  /** What the last round decides. */
  private static double[] shares(Policy policy, byte[] middle) {
    byte[] state = decide(policy, middle, MIDDLE, LAST - 1);
    double[] shares = policy.decide(state, measured(policy, LAST)).shares();
    double sum = Arrays.stream(shares).sum();
    return Arrays.stream(shares).map(share -> share / sum).toArray();
  }
}
