package io.sluice.cli.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.control.config.ConfigSection;
import io.sluice.control.config.Option;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every key of {@code sweep.yaml}. */
public final class SweepOptions {
  static final Option<String> SWEEP =
      Option.text(
          "sweep",
          "1 to 24 letters, digits, '-' and '_'",
          "eta",
          "Name of the sweep; its runs are NAME-ARM-SEED.");

  static final Option<ConfigSection> RUN =
      new Option<>(
          "run",
          "map",
          "the keys of run.yaml but run and seed",
          "",
          "{dataset: small, batch: 16 sequences, batches: 200, initial-weights: uniform, policy: static}",
          "What all runs have in common.",
          ConfigSection::section);

  static final Option<Map<String, List<JsonNode>>> VARY =
      new Option<>(
          "vary",
          "map of keys of run to lists",
          "with dots between keys",
          "none",
          "{policy.dga.eta: [0.5, 1.5, 5], policy.dga.beta: [0.1, 1]}",
          "Each combination of these values is an arm.",
          SweepOptions::lists);

  static final Option<Map<String, Map<String, JsonNode>>> ARMS =
      new Option<>(
          "arms",
          "map of names to maps",
          "keys of run, with dots between",
          "none",
          "{uniform: {policy: static}}",
          "Arms by name, each with what it changes; before those of vary, of which the first is"
              + " compared with all.",
          SweepOptions::arms);

  static final Option<Long> MIXTURES =
      Option.count(
          "mixtures.count",
          "",
          0,
          SweepFile.MOST_ARMS,
          0L,
          "24",
          "Arms whose first weights are drawn, for sluice fit-mixture.");

  static final Option<Double> CONCENTRATION =
      Option.number(
          "mixtures.concentration",
          0.01,
          1000,
          1,
          "0.5",
          "Of the Dirichlet distribution they are drawn from: 1 for uniform over all mixtures, less for"
              + " mixtures of few domains.");

  static final Option<Map<String, Map<String, Double>>> TOGETHER =
      new Option<>(
          "mixtures.together",
          "map of names to maps of domains to weights",
          "each domain once at most",
          "none",
          "{old: {wiki: 0.7, code: 0.3}}",
          "Domains whose ratio stays: of them, only the sum is drawn. So a mixture found before goes on"
              + " when domains come.",
          SweepOptions::together);

  static final Option<Long> SEEDS =
      Option.count(
          "seeds",
          "",
          1,
          100,
          3L,
          "5",
          "Runs of each arm: orders of sequences, and initial parameters.");

  static final Option<Long> WARM =
      Option.count(
          "warm",
          "batches",
          0,
          Long.MAX_VALUE,
          0L,
          "100 batches",
          "Batches that all arms of a seed share: one run of the file's own settings is trained so"
              + " far, and each arm is a fork of it that begins with its checkpoint.");

  static final Option<Map<String, Double>> LOSS =
      new Option<>(
          "loss",
          "map of domains to numbers",
          "0 to 1e6 each",
          "every domain 1",
          "{wiki: 1, code: 2}",
          "What a domain's held-out loss counts in the one that arms are compared by.",
          (section, key) -> numbers(section.section(key)));

  static final Option<Map<String, JsonNode>> TRAINER =
      new Option<>(
          "trainer.options",
          "map",
          "options of sluice trainer, without their dashes",
          "none",
          "{layers: 2, width: 64, lr: 3e-3, lr-course: cosine}",
          "How its model is trained.",
          (section, key) -> section.section(key).written());

  static final Option<List<String>> COMMAND =
      new Option<>(
          "trainer.command",
          "list of texts",
          "with {run}, {kafka}, {steps}, {seed}, {eval-every}, {checkpoints} and {from} in them",
          "sluice trainer",
          "[torchrun, train.py, '--run={run}', '--kafka={kafka}', '--seed={seed}']",
          "A trainer of one's own: trains the run to its end, and reports eval_loss at {steps}.",
          (section, key) -> section.has(key) ? section.texts(key) : List.of());

  /** In the order in which a file would have them. */
  public static final List<Option<?>> ALL =
      List.of(
          SWEEP,
          RUN,
          VARY,
          ARMS,
          MIXTURES,
          CONCENTRATION,
          TOGETHER,
          SEEDS,
          WARM,
          LOSS,
          TRAINER,
          COMMAND);

  private SweepOptions() {}

  private static Map<String, List<JsonNode>> lists(ConfigSection parent, String key) {
    ConfigSection section = parent.section(key);
    Map<String, List<JsonNode>> lists = new LinkedHashMap<>();
    section.keys().forEach(each -> lists.put(each, section.values(each)));
    return lists;
  }

  private static Map<String, Map<String, JsonNode>> arms(ConfigSection parent, String key) {
    ConfigSection section = parent.section(key);
    Map<String, Map<String, JsonNode>> arms = new LinkedHashMap<>();
    section.keys().forEach(each -> arms.put(each, section.section(each).written()));
    return arms;
  }

  private static Map<String, Map<String, Double>> together(ConfigSection parent, String key) {
    ConfigSection section = parent.section(key);
    Map<String, Map<String, Double>> together = new LinkedHashMap<>();
    section.keys().forEach(each -> together.put(each, numbers(section.section(each))));
    return together;
  }

  private static Map<String, Double> numbers(ConfigSection section) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    section.keys().forEach(each -> numbers.put(each, section.number(each, 0, 1e6)));
    return numbers;
  }
}
