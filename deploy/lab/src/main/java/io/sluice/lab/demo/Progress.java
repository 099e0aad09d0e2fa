package io.sluice.lab.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a demo's table shows: where the training is, and each domain's weight and losses. */
final class Progress {
  private static final int BAR = 24;

  private final String run;
  private final List<String> domains;
  private final long steps;
  private final Map<String, Double> weights = new TreeMap<>();
  private final Map<String, Double> firstLosses = new TreeMap<>();
  private final Map<String, Double> losses = new TreeMap<>();
  private final Map<String, Long> sequences = new TreeMap<>();
  private long step;
  private int version;
  private double trainLoss = Double.NaN;
  private double tokensPerSecond;
  private double waitMillis;
  private double lagMillis = Double.NaN;

  Progress(String run, List<String> domains, long steps) {
    this.run = run;
    this.domains = List.copyOf(domains);
    this.steps = steps;
  }

  /** The weights that govern from now on. */
  void weights(Map<String, Double> byDomain) {
    weights.putAll(byDomain);
  }

  /** One more step is done. */
  void step(long done, int weightsVersion, double loss, Map<String, Integer> batch, double waited) {
    step = done;
    version = weightsVersion;
    trainLoss = loss;
    waitMillis = waited;
    batch.forEach((domain, count) -> sequences.merge(domain, (long) count, Long::sum));
  }

  /** Tokens per second so far. */
  void speed(double tokens) {
    tokensPerSecond = tokens;
  }

  /** Time from sending a round's feedback to the first batch that it governs. */
  void lag(double millis) {
    lagMillis = millis;
  }

  /** Held-out losses were measured. */
  void losses(Map<String, Double> byDomain) {
    byDomain.forEach(firstLosses::putIfAbsent);
    losses.putAll(byDomain);
  }

  /** One line: batch, version, losses, weights, speed, lag. */
  String line() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "batch %4d/%d  v%-3d %8.0f tokens/s  wait %4.0f ms%s  |",
            step,
            steps,
            version,
            tokensPerSecond,
            waitMillis,
            Double.isNaN(lagMillis)
                ? ""
                : String.format(Locale.ROOT, "  lag %4.0f ms", lagMillis)));
    for (String domain : domains) {
      text.append(
          String.format(
              Locale.ROOT, "  %s %.3f", domain, weights.getOrDefault(domain, Double.NaN)));
      text.append(loss(losses.get(domain), " (%.3f)"));
    }
    return text.toString();
  }

  /** The table, a line each. */
  List<String> table() {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "run %s   batch %d of %d   mixture version %d   %.0f tokens/s   wait %.0f ms%s%s",
            run,
            step,
            steps,
            version,
            tokensPerSecond,
            waitMillis,
            Double.isNaN(lagMillis) ? "" : String.format(Locale.ROOT, "   lag %.0f ms", lagMillis),
            Double.isNaN(trainLoss) ? "" : String.format(Locale.ROOT, "   loss %.3f", trainLoss)));
    int width = domains.stream().mapToInt(String::length).max().orElse(6);
    lines.add(
        String.format(
            Locale.ROOT,
            "  %-" + width + "s  %-" + BAR + "s  %6s  %9s  %9s  %9s",
            "domain",
            "weight",
            "",
            "eval loss",
            "first",
            "sequences"));
    for (String domain : domains) {
      double weight = weights.getOrDefault(domain, 0.0);
      int filled = (int) Math.round(weight * BAR);
      lines.add(
          String.format(
              Locale.ROOT,
              "  %-" + width + "s  %s  %6.3f  %9s  %9s  %9d",
              domain,
              "█".repeat(filled) + "·".repeat(BAR - filled),
              weight,
              loss(losses.get(domain), "%.3f"),
              loss(firstLosses.get(domain), "%.3f"),
              sequences.getOrDefault(domain, 0L)));
    }
    return lines;
  }

  private static String loss(@Nullable Double value, String format) {
    return value == null ? "" : String.format(Locale.ROOT, format, value);
  }
}
