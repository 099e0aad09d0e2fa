package io.sluice.control.runs;

import io.sluice.control.config.ConfigFile;
import io.sluice.control.config.ConfigSection;
import io.sluice.control.config.Quantity;
import io.sluice.control.error.BadInputException;
import io.sluice.control.targets.TargetSources;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The {@code run.yaml} that a person writes. */
public final class RunFile {
  private static final long MOST = Long.MAX_VALUE;
  private static final long MOST_HELD_OUT = Integer.MAX_VALUE;
  private static final double LEAST_TEMPERATURE = 0.1;
  private static final double GREATEST_TEMPERATURE = 1000;
  private static final Duration LONGEST = Duration.ofDays(365);

  private RunFile() {}

  /**
   * The run that the file asks for.
   *
   * @param sequenceLengths labels per sequence of a dataset, by its name; asked only where the file
   *     gives a batch in tokens
   * @throws BadInputException naming the key, what is allowed and what was found
   */
  public static RunRequest read(Path file, SequenceLengths sequenceLengths) {
    RunRequest request = parse(ConfigFile.read(file), sequenceLengths);
    return request.withPolicySettings(TargetSources.besides(file, request.policySettings()));
  }

  /** Looks a dataset's sequence length up. */
  public interface SequenceLengths {
    /** Labels per sequence. */
    int of(String dataset);
  }

  public static RunRequest parse(ConfigSection root, SequenceLengths sequenceLengths) {
    String dataset = root.text("dataset");
    Map<String, String> settings = new LinkedHashMap<>();
    String policy = policy(root, settings);
    String every = settings.remove("every");
    ConfigSection apply = root.section("apply");
    Map<String, String> smoothing = new LinkedHashMap<>();
    PolicySettingsSection.flatten(root.section("smoothing"), "", smoothing);
    Map<String, Integer> epochs = new LinkedHashMap<>();
    int defaultEpochs = epochs(root.section("when-ended"), epochs);
    RunRequest request =
        new RunRequest(
            root.text("run"),
            dataset,
            BatchSizeSection.read(root, () -> sequenceLengths.of(dataset)),
            root.count("batches", "batches", 0, MOST, 0),
            root.count("seed", "", Long.MIN_VALUE, MOST, 0),
            (int) root.count("stream-partitions", "", 1, 1024, 4),
            initialWeights(root),
            policy,
            PolicySettingsSection.inSequences(settings, () -> sequenceLengths.of(dataset)),
            every == null ? 0 : wholeSteps(root, policy, every),
            apply.count("lag", "batches", 0, MOST, 0),
            apply.oneOf("on-timeout", "hold", List.of("hold", "keep-weights")),
            apply.duration("timeout", Duration.ofMillis(1), LONGEST, Duration.ofMinutes(10)),
            apply.count("lead", "batches", 0, MOST, 0),
            smoothing,
            defaultEpochs,
            epochs,
            root.oneOf("when-behind", "wait", List.of("wait", "redistribute")),
            root.oneOf("reclaim", "never", List.of("never", "checkpoint")),
            root.count("eval-tokens", "tokens", 0, MOST_HELD_OUT, 0),
            root.count("probe-tokens", "tokens", 0, MOST_HELD_OUT, 0));
    apply.requireNoOther();
    root.requireNoOther();
    return request;
  }

  private static InitialWeights initialWeights(ConfigSection root) {
    if (!root.isSection("initial-weights")) {
      List<String> words = List.of("uniform", "token-proportional");
      String word = root.text("initial-weights");
      if (!words.contains(word)) {
        throw root.invalid(
            "initial-weights",
            "uniform, token-proportional, {temperature: T}, or a weight for each domain",
            word);
      }
      return word.equals("uniform")
          ? new InitialWeights.Uniform()
          : new InitialWeights.TokenProportional();
    }
    ConfigSection given = root.section("initial-weights");
    if (given.keys().equals(List.of("temperature"))) {
      return new InitialWeights.Temperature(
          given.number("temperature", LEAST_TEMPERATURE, GREATEST_TEMPERATURE));
    }
    Map<String, Double> shares = new LinkedHashMap<>();
    for (String domain : given.keys()) {
      shares.put(domain, given.number(domain, 0, 1e12));
    }
    return new InitialWeights.Explicit(shares);
  }

  /** The policy's name; its settings are put into the map, flat. */
  private static String policy(ConfigSection root, Map<String, String> settings) {
    if (!root.isSection("policy")) {
      return root.text("policy");
    }
    ConfigSection policy = root.section("policy");
    if (policy.keys().size() != 1) {
      throw root.invalid(
          "policy", "one name, or one name with its settings", policy.keys().toString());
    }
    String name = policy.keys().get(0);
    PolicySettingsSection.flatten(policy.section(name), "", settings);
    return name;
  }

  private static long wholeSteps(ConfigSection root, String policy, String every) {
    return Quantity.parse(every)
        .filter(q -> q.unit().isEmpty() || q.unit().equals("steps"))
        .map(Quantity::value)
        .filter(steps -> steps >= 1)
        .orElseThrow(() -> root.invalid("policy." + policy + ".every", "at least 1 step", every));
  }

  /** Epochs of domains without an entry of their own; the others are put into the map. */
  private static int epochs(ConfigSection section, Map<String, Integer> byDomain) {
    int otherwise = 1;
    for (String key : section.keys()) {
      int epochs;
      if (section.isSection(key)) {
        ConfigSection choice = section.section(key);
        epochs = (int) choice.count("repeat", "", 1, Integer.MAX_VALUE);
        choice.requireNoOther();
      } else {
        String word = section.oneOf(key, "", List.of("redistribute", "stop"));
        epochs = word.equals("stop") ? 0 : 1;
      }
      if (key.equals("default")) {
        otherwise = epochs;
      } else {
        byDomain.put(key, epochs);
      }
    }
    return otherwise;
  }
}
