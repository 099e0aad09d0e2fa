package io.sluice.lab.reproduce.report;

import io.sluice.cli.plot.Figure;
import io.sluice.cli.plot.Mark;
import io.sluice.cli.plot.Panel;
import io.sluice.lab.reproduce.claim.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What arms are worth on a target against in general, a point a seed, as in figure 2 of the DGA
 * paper: an arm is better than those above it and to its right. A panel for each setting, which is
 * what an arm's name has behind its @.
 */
final class TradeOffFigure {
  private static final String TARGET = "target_loss";
  private static final String GENERAL = "general_loss/mean";
  private static final int LONGEST_NAME = 20;
  private static final int END = 7;

  private final Results results;
  private final String experiment;
  private final SortedSet<String> settings = new TreeSet<>();
  private final SortedSet<String> arms = new TreeSet<>();

  private TradeOffFigure(Results results, String experiment) {
    this.results = results;
    this.experiment = experiment;
    for (String arm : results.arms(experiment).keySet()) {
      if (!points(arm).isEmpty()) {
        int at = arm.indexOf('@');
        arms.add(at < 0 ? arm : arm.substring(0, at));
        settings.add(at < 0 ? "" : arm.substring(at));
      }
    }
  }

  /** The figure of an experiment; empty if no arm has both losses. */
  static Optional<Figure> of(Results results, String experiment) {
    TradeOffFigure figure = new TradeOffFigure(results, experiment);
    return figure.arms.isEmpty() ? Optional.empty() : Optional.of(figure.drawn());
  }

  private Figure drawn() {
    List<Panel> panels = new ArrayList<>();
    for (String setting : settings) {
      List<Mark> marks = new ArrayList<>();
      int style = 0;
      for (String arm : arms) {
        SortedMap<Long, Double> targets = points(arm + setting);
        Map<Long, Double> general = results.values(experiment, arm + setting, GENERAL);
        double[] x = targets.values().stream().mapToDouble(d -> d).toArray();
        double[] y = targets.keySet().stream().mapToDouble(general::get).toArray();
        if (x.length > 0) {
          marks.add(new Mark.Points(x, y, style));
        }
        style++;
      }
      String title = setting.isEmpty() ? "seeds" : "seeds, " + setting;
      panels.add(new Panel(title, TARGET, GENERAL, false, marks));
    }
    String title = experiment + ": the target against what is general";
    return new Figure(title, arms.stream().map(TradeOffFigure::shortened).toList(), 2, panels);
  }

  /** A name that a legend has room for, with its end: arms differ there by their settings. */
  private static String shortened(String arm) {
    int left = LONGEST_NAME - END - 1;
    return arm.length() <= LONGEST_NAME
        ? arm
        : arm.substring(0, left) + "…" + arm.substring(arm.length() - END);
  }

  /** Losses on the target by seed, of seeds that have both losses. */
  private SortedMap<Long, Double> points(String arm) {
    SortedMap<Long, Double> targets = results.values(experiment, arm, TARGET);
    targets.keySet().retainAll(results.values(experiment, arm, GENERAL).keySet());
    return targets;
  }
}
