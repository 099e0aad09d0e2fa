package io.sluice.control.targets;

import io.sluice.control.config.ConfigFile;
import io.sluice.control.config.ConfigSection;
import io.sluice.control.error.BadInputException;
import io.sluice.mixture.targets.TargetEstimate;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a policy's target losses come from, if not from its run's file itself: the losses of an
 * estimation run, a file, or a share of the initial losses.
 *
 * @param runs losses of a run that has ended, by its name
 * @param fullTokens of the run that the targets are for, if it has an end
 * @param say what was found, for people
 */
public record TargetSources(
    Function<String, LossHistory> runs, OptionalDouble fullTokens, Consumer<String> say) {
  private static final Pattern SOURCE =
      Pattern.compile("((?:.*\\.)?)targets\\.(from-run|file|fraction)");
  private static final Pattern GROUP = Pattern.compile("(.*groups\\.[^.]+\\.)policy\\.[^.]+\\.");
  private static final double MAX_LOSS = 1e6;

  /** The settings with the files of targets seen from the folder of the file that names them. */
  public static Map<String, String> besides(Path file, Map<String, String> settings) {
    Map<String, String> resolved = new TreeMap<>(settings);
    resolved.replaceAll(
        (key, value) -> {
          Matcher source = SOURCE.matcher(key);
          boolean names = source.matches() && source.group(2).equals("file");
          return names ? file.toAbsolutePath().resolveSibling(value).toString() : value;
        });
    return resolved;
  }

  /**
   * The settings with a target loss for each domain in place of each source.
   *
   * @param settings of a policy, flat
   * @param domains of the run
   * @throws BadInputException naming the key, what it may be, and what it is
   */
  public Map<String, String> resolve(Map<String, String> settings, List<String> domains) {
    Map<String, String> resolved = new TreeMap<>();
    settings.forEach(
        (key, value) -> {
          Matcher source = SOURCE.matcher(key);
          if (!source.matches()) {
            resolved.put(key, value);
          } else if (source.group(2).equals("fraction")) {
            resolved.put(source.group(1) + "target-fraction", value);
          } else {
            List<String> wanted = wanted(source.group(1), settings, domains);
            Map<String, Double> targets =
                source.group(2).equals("file")
                    ? ofFile("policy." + key, Path.of(value), wanted)
                    : ofHistory("policy." + key, value, runs.apply(value), wanted);
            targets.forEach(
                (domain, loss) ->
                    resolved.put(source.group(1) + "targets." + domain, Double.toString(loss)));
          }
        });
    return resolved;
  }

  /** The domains of the group whose policy the settings are of; without groups, all. */
  private static List<String> wanted(
      String prefix, Map<String, String> settings, List<String> domains) {
    Matcher group = GROUP.matcher(prefix);
    String names = group.matches() ? settings.get(group.group(1) + "domains") : null;
    return names == null ? domains : List.of(names.strip().split("\\s+"));
  }

  private Map<String, Double> ofFile(String key, Path file, List<String> domains) {
    if (file.toString().toLowerCase(Locale.ROOT).endsWith(".csv")) {
      return ofHistory(key, file.getFileName().toString(), LossCsv.read(file), domains);
    }
    ConfigSection root = ConfigFile.read(file);
    if (root.isList("evalLoss")) {
      LossHistory history = DemoReportFile.read(key, file);
      return ofHistory(key, file.getFileName().toString(), history, domains);
    }
    ConfigSection targets = root.isSection("targets") ? root.section("targets") : root;
    Map<String, Double> losses = new LinkedHashMap<>();
    for (String domain : domains) {
      losses.put(domain, targets.number(domain, 0, MAX_LOSS));
    }
    return losses;
  }

  private Map<String, Double> ofHistory(
      String key, String name, LossHistory history, List<String> domains) {
    for (String domain : domains) {
      if (!history.domains().contains(domain)) {
        throw new BadInputException(
            key + " must have losses of " + domains + ": " + name + " has " + history.domains());
      }
    }
    double at =
        fullTokens.orElseGet(
            () ->
                history
                    .plannedTokens()
                    .orElseThrow(
                        () ->
                            new BadInputException(
                                "batches must be given for targets by "
                                    + key
                                    + ", because neither this run nor "
                                    + name
                                    + " has an end")));
    Map<String, Double> losses = new LinkedHashMap<>();
    for (TargetFits.DomainTarget target : TargetFits.of(history, at).domains()) {
      if (domains.contains(target.domain())) {
        losses.put(target.domain(), target.estimate().loss());
        say.accept("target of " + target.domain() + " from " + name + ": " + said(target));
      }
    }
    return losses;
  }

  private static String said(TargetFits.DomainTarget target) {
    if (target.estimate() instanceof TargetEstimate.Fitted fitted) {
      return String.format(
          Locale.ROOT,
          "%.4f (95 %% interval %.4f to %.4f)",
          fitted.loss(),
          fitted.interval().low(),
          fitted.interval().high());
    }
    TargetEstimate.Rejected rejected = (TargetEstimate.Rejected) target.estimate();
    return String.format(
        Locale.ROOT, "%.4f, its last loss, because %s", rejected.loss(), rejected.reason());
  }
}
