package io.sluice.lab.reproduce.report;

import io.sluice.cli.plot.Figure;
import io.sluice.cli.plot.Mark;
import io.sluice.cli.plot.Panel;
import io.sluice.lab.reproduce.claim.Results;
import io.sluice.mixture.law.RankCorrelation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Two measures of all arms against each other, a point a seed. A panel for each setting, which is
 * what an arm's name has behind its @.
 *
 * @param x measure to the right
 * @param y measure upwards
 * @param caption what is to be seen
 */
record ScatterFigure(Results results, String experiment, String x, String y, String caption) {
  private static final int LONGEST_NAME = 20;
  private static final int END = 7;

  /** Those of an experiment; none whose measures no arm has. */
  static List<ScatterFigure> of(Results results, String experiment) {
    return Stream.of(
            // Figure 2 of the DGA paper.
            new ScatterFigure(
                results,
                experiment,
                "target_loss",
                "general_loss/mean",
                "A point a seed; lower and further left is better."),
            new ScatterFigure(
                results,
                experiment,
                "loss_difference/simulated",
                "loss_difference/real",
                "A point a seed: how far an arm's mean held-out loss is above that of the static"
                    + " arm, by the simulator and in truth. The simulator's learners are fitted to"
                    + " the other arms of the same seed."))
        .filter(figure -> !figure.arms().isEmpty())
        .toList();
  }

  /** What is drawn, in a sentence, with how alike both orders are. */
  String note() {
    List<Double> horizontal = new ArrayList<>();
    List<Double> vertical = new ArrayList<>();
    for (String arm : results.arms(experiment).keySet()) {
      Map<Long, Double> other = results.values(experiment, arm, y);
      points(arm)
          .forEach(
              (seed, value) -> {
                horizontal.add(value);
                vertical.add(Objects.requireNonNull(other.get(seed)));
              });
    }
    double[] one = horizontal.stream().mapToDouble(d -> d).toArray();
    double rank = RankCorrelation.of(one, vertical.stream().mapToDouble(d -> d).toArray());
    return String.format(
        Locale.ROOT,
        "%s Spearman's rank correlation of %s and %s: %.2f over %d points.",
        caption,
        x,
        y,
        rank,
        one.length);
  }

  Figure figure() {
    SortedSet<String> arms = arms();
    List<Panel> panels = new ArrayList<>();
    for (String setting : settings()) {
      List<Mark> marks = new ArrayList<>();
      int style = 0;
      for (String arm : arms) {
        SortedMap<Long, Double> points = points(arm + setting);
        Map<Long, Double> other = results.values(experiment, arm + setting, y);
        double[] right = points.values().stream().mapToDouble(d -> d).toArray();
        double[] up = points.keySet().stream().mapToDouble(other::get).toArray();
        if (right.length > 0) {
          marks.add(new Mark.Points(right, up, style));
        }
        style++;
      }
      panels.add(new Panel(setting.isEmpty() ? "seeds" : "seeds, " + setting, x, y, false, marks));
    }
    return new Figure(
        experiment + ": " + x + " and " + y,
        arms.stream().map(ScatterFigure::shortened).toList(),
        2,
        panels);
  }

  private SortedSet<String> arms() {
    return named(arm -> arm.indexOf('@') < 0 ? arm : arm.substring(0, arm.indexOf('@')));
  }

  private SortedSet<String> settings() {
    return named(arm -> arm.indexOf('@') < 0 ? "" : arm.substring(arm.indexOf('@')));
  }

  private SortedSet<String> named(UnaryOperator<String> part) {
    SortedSet<String> named = new TreeSet<>();
    for (String arm : results.arms(experiment).keySet()) {
      if (!points(arm).isEmpty()) {
        named.add(part.apply(arm));
      }
    }
    return named;
  }

  /** A name that a legend has room for, with its end: arms differ there by their settings. */
  private static String shortened(String arm) {
    int left = LONGEST_NAME - END - 1;
    return arm.length() <= LONGEST_NAME
        ? arm
        : arm.substring(0, left) + "…" + arm.substring(arm.length() - END);
  }

  /** The measure to the right by seed, of seeds that have both. */
  private SortedMap<Long, Double> points(String arm) {
    SortedMap<Long, Double> points = results.values(experiment, arm, x);
    points.keySet().retainAll(results.values(experiment, arm, y).keySet());
    return points;
  }
}
