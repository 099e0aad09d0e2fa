package io.sluice.control.runs;

import io.sluice.control.config.ConfigSection;
import io.sluice.control.config.Option;
import io.sluice.control.config.Quantity;
import io.sluice.control.wire.RunSpecs;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.Function;
import java.util.function.IntSupplier;

/** Every key of {@code run.yaml}. */
public final class RunOptions {
  private static final long MOST = Long.MAX_VALUE;
  private static final double LEAST_TEMPERATURE = 0.1;
  private static final double GREATEST_TEMPERATURE = 1000;
  private static final Duration LONGEST = Duration.ofDays(365);

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

  static final Option<Long> BATCHES =
      Option.count(
          "batches", "batches", 0, MOST, 0L, "100k", "The run is complete after these; 0: no end.");

  static final Option<Long> SEED =
      Option.count(
          "seed", "", Long.MIN_VALUE, MOST, 0L, "7", "Of the order of sequences and of epochs.");

  static final Option<Long> STREAM_PARTITIONS =
      Option.count(
          "stream-partitions",
          "",
          1,
          RunSpecs.MAX_PARTITIONS,
          4L,
          "8",
          "Partitions of the stream, a multiple of the dataset's lanes: how many readers share it.");

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

  static final Option<Long> LAG =
      Option.count(
          "apply.lag",
          "batches",
          0,
          MOST,
          0L,
          "2 batches",
          "Batches between a round's step and the first that it governs, less one.");

  static final Option<String> ON_TIMEOUT =
      Option.oneOf(
          "apply.on-timeout",
          List.of("hold", "keep-weights"),
          "hold",
          "What becomes of a round whose feedback does not come in time.");

  static final Option<Duration> TIMEOUT =
      Option.duration(
          "apply.timeout",
          Duration.ofMillis(1),
          LONGEST,
          Duration.ofMinutes(10),
          "5m",
          "How long a round may wait once a trainer has reached its step.");

  static final Option<Long> LEAD =
      Option.count(
          "apply.lead",
          "batches",
          0,
          MOST,
          0L,
          "40 batches",
          "Batches that the stream may run ahead of the trainers; 0: to the end of the round, or 256"
              + " without feedback.");

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
          "redistribute, stop, or {repeat: N}",
          "{default: redistribute}",
          "{default: redistribute, wiki: {repeat: 2}}",
          "What happens at the end of a domain's data.",
          (section, key) -> Epochs.read(section.section(key)));

  static final Option<String> WHEN_BEHIND =
      Option.oneOf(
          "when-behind",
          List.of("wait", "redistribute"),
          "wait",
          "What happens while a domain's next blocks are not there yet.");

  static final Option<String> RECLAIM =
      Option.oneOf(
          "reclaim",
          List.of("never", "checkpoint"),
          "never",
          "When sequences of the stream are deleted: once no trainer's checkpoint needs them.");

  static final Option<Long> EVAL_TOKENS =
      Option.count(
          "eval-tokens",
          "tokens",
          0,
          Integer.MAX_VALUE,
          0L,
          "64k tokens",
          "Held-out tokens of each domain that a round evaluates; 0: the trainer's choice.");

  static final Option<Long> PROBE_TOKENS =
      Option.count(
          "probe-tokens",
          "tokens",
          0,
          Integer.MAX_VALUE,
          0L,
          "4k tokens",
          "Tokens of each domain's probe batch for gradient alignments; 0: the trainer's choice.");

  /** In the order in which people write them. */
  public static final List<Option<?>> ALL =
      List.of(
          RUN,
          DATASET,
          BATCH,
          BATCHES,
          INITIAL_WEIGHTS,
          POLICY,
          LAG,
          ON_TIMEOUT,
          TIMEOUT,
          LEAD,
          SMOOTHING,
          WHEN_ENDED,
          WHEN_BEHIND,
          RECLAIM,
          STREAM_PARTITIONS,
          EVAL_TOKENS,
          PROBE_TOKENS,
          SEED);

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
