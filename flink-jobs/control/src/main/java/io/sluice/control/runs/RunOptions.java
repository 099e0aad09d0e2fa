package io.sluice.control.runs;

import io.sluice.control.config.ConfigSection;
import io.sluice.control.config.Option;
import io.sluice.control.config.Quantity;
import io.sluice.control.wire.RunField;
import io.sluice.control.wire.RunFields;
import io.sluice.schema.RowLength;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.stream.Stream;

/** Every key of {@code run.yaml}. */
public final class RunOptions {
  private static final double LEAST_TEMPERATURE = 0.1;
  private static final double GREATEST_TEMPERATURE = 1000;

  static final Option<String> RUN =
      Option.text(
          "run",
          "1 to 63 letters, digits, '-' and '_'",
          "velo-small",
          "Name of the run, and of its stream.");

  static final Option<String> DATASET =
      Option.text("dataset", "an applied dataset", "small", "What is mixed.");

  static final Option<Function<IntSupplier, NavigableMap<Long, Integer>>> BATCH =
      new Option<>(
          "batch",
          "sequences or tokens, or a list of {from, size}",
          "1 to 1048576 sequences",
          "",
          "512 sequences",
          "Size of a global batch; in a list, each from a batch or a number of seen tokens on.",
          (section, key) -> lengths -> BatchSizeSection.read(section, lengths));

  static final Option<Function<IntSupplier, List<RowLength>>> SEQUENCE_LENGTH =
      new Option<>(
          RowLengthSection.KEY,
          "tokens, or a list of {from, length}",
          "divisors of the dataset's sequence length",
          "the dataset's",
          "2048 tokens",
          "Length of the rows that a trainer gets: each sequence of a batch is cut into them, so a"
              + " batch has as many tokens as before, in more rows; in a list, each from a batch on.",
          (section, key) -> lengths -> RowLengthSection.read(section, lengths));

  static final Option<InitialWeights> INITIAL_WEIGHTS =
      new Option<>(
          "initial-weights",
          "word or map",
          "uniform, token-proportional, {temperature: T}, or a weight for each domain",
          "",
          "token-proportional",
          "Weights of the first batches, unless the policy starts from its own.",
          RunOptions::initialWeights);

  static final Option<NamedPolicy> POLICY =
      new Option<>(
          "policy",
          "name, or name with settings",
          "a policy on the class path",
          "",
          "{velocitune: {every: 150, target-fraction: 0.6}}",
          "Who decides the weights; 'every' is steps between its rounds.",
          RunOptions::policy);

  static final Option<Map<String, String>> SMOOTHING =
      new Option<>(
          "smoothing",
          "map",
          "see Smoothing and guards",
          "none",
          "{new-weight: 0.25}",
          "What comes between a decision and the weights.",
          (section, key) -> flat(section.section(key)));

  static final Option<Epochs> WHEN_ENDED =
      new Option<>(
          "when-ended",
          "map of domains, or default, to a choice",
          Epochs.ALLOWED,
          "{default: redistribute}",
          "{default: redistribute, wiki: {repeat: 2}}",
          "What happens at the end of a domain's data.",
          (section, key) -> Epochs.read(section.section(key)));

  /** Those that are more than one field of the specification, then the others. */
  public static final List<Option<?>> ALL =
      Stream.<Option<?>>concat(
              Stream.of(
                  RUN,
                  DATASET,
                  BATCH,
                  SEQUENCE_LENGTH,
                  INITIAL_WEIGHTS,
                  POLICY,
                  SMOOTHING,
                  WHEN_ENDED),
              RunFields.ALL.stream().map(RunField::option))
          .toList();

  private RunOptions() {}

  /**
   * A policy as it is asked for.
   *
   * @param settings flat, with dotted keys
   * @param every steps between its rounds; 0 when that is not given
   */
  record NamedPolicy(String name, Map<String, String> settings, long every) {}

  private static InitialWeights initialWeights(ConfigSection root, String key) {
    if (!root.isSection(key)) {
      List<String> words = List.of("uniform", "token-proportional");
      String word = root.text(key);
      if (!words.contains(word)) {
        throw root.invalid(
            key,
            "uniform, token-proportional, {temperature: T}, or a weight for each domain",
            word);
      }
      return word.equals("uniform")
          ? new InitialWeights.Uniform()
          : new InitialWeights.TokenProportional();
    }
    ConfigSection given = root.section(key);
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

  private static NamedPolicy policy(ConfigSection root, String key) {
    if (!root.isSection(key)) {
      return new NamedPolicy(root.text(key), Map.of(), 0);
    }
    ConfigSection policy = root.section(key);
    if (policy.keys().size() != 1) {
      throw root.invalid(key, "one name, or one name with its settings", policy.keys().toString());
    }
    String name = policy.keys().get(0);
    Map<String, String> settings = flat(policy.section(name));
    String every = settings.remove("every");
    return new NamedPolicy(name, settings, every == null ? 0 : wholeSteps(root, name, every));
  }

  private static long wholeSteps(ConfigSection root, String policy, String every) {
    return Quantity.parse(every)
        .filter(q -> q.unit().isEmpty() || q.unit().equals("steps"))
        .map(Quantity::value)
        .filter(steps -> steps >= 1)
        .orElseThrow(() -> root.invalid("policy." + policy + ".every", "at least 1 step", every));
  }

  private static Map<String, String> flat(ConfigSection section) {
    Map<String, String> settings = new LinkedHashMap<>();
    PolicySettingsSection.flatten(section, "", settings);
    return settings;
  }
}
