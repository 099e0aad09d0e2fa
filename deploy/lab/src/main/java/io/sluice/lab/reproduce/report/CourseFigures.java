package io.sluice.lab.reproduce.report;

import io.sluice.cli.plot.Figure;
import io.sluice.cli.plot.Mark;
import io.sluice.cli.plot.Panel;
import io.sluice.lab.reproduce.claim.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The courses of an experiment, as the mean over seeds in the range of them: those that are of a
 * run as a whole, such as {@code loss/mean}, arm by arm in one panel; those of domains, {@code
 * weight/DOMAIN} and {@code loss/DOMAIN}, domain by domain in two panels for each arm.
 */
final class CourseFigures {
  private static final int MOST_STEPS = 200;
  private static final String WEIGHT = "weight/";
  private static final String LOSS = "loss/";
  private static final String MEAN_LOSS = "loss/mean";

  private final SortedMap<String, SortedMap<String, CourseSummary>> arms = new TreeMap<>();
  private final List<String> domains;

  private CourseFigures(Results results, String experiment) {
    results
        .arms(experiment)
        .forEach((arm, seeds) -> arms.put(arm, Courses.of(seeds.values(), MOST_STEPS)));
    SortedSet<String> seen = new TreeSet<>();
    for (String name : names()) {
      if (isOfDomain(name)) {
        seen.add(name.substring(name.indexOf('/') + 1));
      }
    }
    this.domains = List.copyOf(seen);
  }

  /** The figures of an experiment; none without courses. */
  static List<Figure> of(Results results, String experiment) {
    CourseFigures courses = new CourseFigures(results, experiment);
    List<Figure> figures = new ArrayList<>();
    List<Panel> whole = courses.ofRuns();
    if (!whole.isEmpty()) {
      List<String> legend = List.copyOf(courses.arms.keySet());
      figures.add(new Figure(experiment + ": arms", legend, 2, whole));
    }
    List<Panel> each = courses.ofDomains();
    if (!each.isEmpty()) {
      figures.add(new Figure(experiment + ": domains", courses.domains, 2, each));
    }
    return figures;
  }

  private SortedSet<String> names() {
    SortedSet<String> names = new TreeSet<>();
    arms.values().forEach(courses -> names.addAll(courses.keySet()));
    return names;
  }

  private static boolean isOfDomain(String name) {
    return name.startsWith(WEIGHT) || (name.startsWith(LOSS) && !name.equals(MEAN_LOSS));
  }

  private List<Panel> ofRuns() {
    List<Panel> panels = new ArrayList<>();
    for (String name : names()) {
      if (!isOfDomain(name)) {
        List<Mark> marks = new ArrayList<>();
        int style = 0;
        for (SortedMap<String, CourseSummary> courses : arms.values()) {
          add(marks, courses.get(name), style++);
        }
        panels.add(new Panel(name, "step", name, false, marks));
      }
    }
    return panels;
  }

  private List<Panel> ofDomains() {
    List<Panel> panels = new ArrayList<>();
    for (Map.Entry<String, SortedMap<String, CourseSummary>> arm : arms.entrySet()) {
      if (arm.getValue().keySet().stream().anyMatch(CourseFigures::isOfDomain)) {
        panels.add(panel(arm, "weights", WEIGHT, "weight", true));
        panels.add(panel(arm, "losses", LOSS, "nats per token", false));
      }
    }
    return panels;
  }

  private Panel panel(
      Map.Entry<String, SortedMap<String, CourseSummary>> arm,
      String what,
      String prefix,
      String unit,
      boolean zeroToOne) {
    List<Mark> marks = new ArrayList<>();
    for (int style = 0; style < domains.size(); style++) {
      add(marks, arm.getValue().get(prefix + domains.get(style)), style);
    }
    return new Panel(arm.getKey() + ": " + what, "step", unit, zeroToOne, marks);
  }

  private static void add(List<Mark> marks, @Nullable CourseSummary course, int style) {
    if (course == null) {
      return;
    }
    if (course.steps().length == 1) {
      marks.add(
          new Mark.Estimate(
              course.steps()[0], course.mean()[0], course.low()[0], course.high()[0], style));
    } else {
      marks.add(new Mark.Area(course.steps(), course.low(), course.high(), style, true));
      marks.add(new Mark.Line(course.steps(), course.mean(), style, false));
    }
  }
}
