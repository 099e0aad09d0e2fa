package io.sluice.cli.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.control.config.ConfigFile;
import io.sluice.control.config.ConfigSection;
import io.sluice.control.config.OptionReader;
import io.sluice.control.error.BadInputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The {@code sweep.yaml} that a person writes. */
final class SweepFile {
  /** Of a sweep. */
  static final int MOST_ARMS = 1000;

  /** Of a sweep, and of an arm: with a seed behind them they are the name of a run. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,23}");

  private static final List<String> OWN = List.of("run", "seed");

  private SweepFile() {}

  /**
   * The sweep that a file asks for.
   *
   * @param domainsOf those of a dataset; asked only where mixtures are drawn
   * @throws BadInputException naming the key, what is allowed and what was found
   */
  static Sweep read(Path file, Function<String, List<String>> domainsOf) {
    return parse(ConfigFile.read(file), domainsOf);
  }

  static Sweep parse(ConfigSection root, Function<String, List<String>> domainsOf) {
    OptionReader file = new OptionReader(root);
    String name = requireName(root, "sweep", file.get(SweepOptions.SWEEP));
    ConfigSection run = file.get(SweepOptions.RUN);
    requireNone(root, run.keys());
    MixtureArms mixtures =
        new MixtureArms(
            Math.toIntExact(file.get(SweepOptions.MIXTURES)),
            file.get(SweepOptions.CONCENTRATION),
            file.get(SweepOptions.TOGETHER));
    List<SweepArm> arms = new ArrayList<>();
    file.get(SweepOptions.ARMS)
        .forEach(
            (arm, changes) ->
                arms.add(new SweepArm(requireName(root, "arms", arm), checked(root, changes))));
    arms.addAll(grid(root, file.get(SweepOptions.VARY)));
    if (mixtures.count() > 0) {
      arms.addAll(mixtures.arms(domainsOf.apply(run.text("dataset"))));
    }
    Map<String, Double> aims = file.get(SweepOptions.LOSS);
    if (!aims.isEmpty()) {
      requireAims(root, aims, domainsOf.apply(run.text("dataset")));
    }
    if (arms.isEmpty() || arms.size() > MOST_ARMS) {
      throw root.invalid(
          "vary", "with arms and mixtures, 1 to " + MOST_ARMS + " arms", arms.size() + " arms");
    }
    Sweep sweep =
        new Sweep(
            name,
            run,
            arms,
            Math.toIntExact(file.get(SweepOptions.SEEDS)),
            file.get(SweepOptions.WARM),
            aims,
            mixtures,
            new ArmTrainer(file.get(SweepOptions.TRAINER), file.get(SweepOptions.COMMAND)));
    file.requireNoOther();
    return sweep;
  }

  private static void requireAims(
      ConfigSection root, Map<String, Double> aims, List<String> domains) {
    for (String domain : aims.keySet()) {
      if (!domains.contains(domain)) {
        throw root.invalid("loss", "of domains of the dataset, " + domains, domain);
      }
    }
    if (aims.values().stream().noneMatch(aim -> aim > 0)) {
      throw root.invalid("loss", "above 0 for a domain at least", aims.toString());
    }
  }

  private static List<SweepArm> grid(ConfigSection root, Map<String, List<JsonNode>> vary) {
    List<Map<String, JsonNode>> combined = new ArrayList<>();
    combined.add(Map.of());
    for (Map.Entry<String, List<JsonNode>> each : vary.entrySet()) {
      List<Map<String, JsonNode>> more = new ArrayList<>();
      for (Map<String, JsonNode> before : combined) {
        for (JsonNode value : each.getValue()) {
          Map<String, JsonNode> next = new LinkedHashMap<>(before);
          next.put(each.getKey(), value);
          more.add(next);
        }
      }
      combined = more;
      if (combined.size() > MOST_ARMS) {
        throw root.invalid("vary", "at most " + MOST_ARMS + " arms", combined.size() + " and more");
      }
    }
    List<SweepArm> arms = new ArrayList<>();
    for (Map<String, JsonNode> changes :
        vary.isEmpty() ? List.<Map<String, JsonNode>>of() : combined) {
      arms.add(new SweepArm(Integer.toString(arms.size() + 1), checked(root, changes)));
    }
    return arms;
  }

  private static Map<String, JsonNode> checked(ConfigSection root, Map<String, JsonNode> changes) {
    requireNone(root, changes.keySet());
    return changes;
  }

  private static void requireNone(ConfigSection root, Iterable<String> keys) {
    for (String key : keys) {
      if (OWN.contains(key)) {
        throw root.invalid("run", "without " + key + ", which is each run's own", key);
      }
    }
  }

  private static String requireName(ConfigSection root, String key, String name) {
    if (!NAME.matcher(name).matches()) {
      throw root.invalid(key, "named with 1 to 24 letters, digits, '-' and '_'", name);
    }
    return name;
  }

  /** A text in a run's file. */
  static JsonNode text(String value) {
    return JsonNodeFactory.instance.textNode(value);
  }
}
