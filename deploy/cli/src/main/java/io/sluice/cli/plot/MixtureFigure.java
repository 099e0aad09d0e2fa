package io.sluice.cli.plot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The weights of each course, stacked, and beside them the losses, if any were measured. With more
 * domains than colours, those with the greatest weights are shown and the others as one.
 */
public final class MixtureFigure {
  /** More points than this in a panel cannot be seen. */
  private static final int MOST_POINTS = 400;

  private final List<String> domains;
  private final int[] shown;

  private MixtureFigure(List<String> domains, List<MixtureCourse> courses) {
    this.domains = domains;
    double[] greatest = new double[domains.size()];
    for (MixtureCourse course : courses) {
      for (double[] shares : course.shares()) {
        Arrays.setAll(greatest, i -> Math.max(greatest[i], shares[i]));
      }
    }
    this.shown = MixtureCourse.greatest(greatest, -1, Palette.DISTINCT);
  }

  /**
   * The figure of some courses of the same domains.
   *
   * @param domains in the order of the courses' arrays
   */
  public static Figure of(String title, List<String> domains, List<MixtureCourse> courses) {
    MixtureFigure figure = new MixtureFigure(domains, courses);
    boolean measured = courses.stream().anyMatch(course -> course.steps().length > 0);
    List<Panel> panels = new ArrayList<>();
    for (MixtureCourse each : courses) {
      MixtureCourse course = each.thinned(MOST_POINTS);
      panels.add(
          new Panel(course.label() + ": weights", "batch", "weight", true, figure.stack(course)));
      if (measured) {
        panels.add(
            new Panel(
                course.label() + ": losses",
                "batch",
                "nats per token",
                false,
                figure.losses(course)));
      }
    }
    return new Figure(title, figure.legend(), measured ? 2 : 1, panels);
  }

  private List<String> legend() {
    List<String> names = new ArrayList<>();
    for (int domain : shown) {
      names.add(domains.get(domain));
    }
    int others = domains.size() - shown.length;
    if (others > 0) {
      names.add(others + " others");
    }
    return names;
  }

  /** Weights govern all batches between two bounds, so they go in steps. */
  private List<Mark> stack(MixtureCourse course) {
    int n = 2 * course.shares().size();
    double[] x = new double[n];
    Arrays.setAll(x, i -> course.bounds()[(i + 1) / 2]);
    List<Mark> areas = new ArrayList<>();
    double[] low = new double[n];
    for (int style = 0; style < shown.length; style++) {
      double[] high = low.clone();
      for (int i = 0; i < n; i++) {
        high[i] = Math.min(1, high[i] + course.shares().get(i / 2)[shown[style]]);
      }
      areas.add(new Mark.Area(x, low, high, style, false));
      low = high;
    }
    if (shown.length < domains.size()) {
      double[] all = new double[n];
      Arrays.fill(all, 1);
      areas.add(new Mark.Area(x, low, all, Palette.DISTINCT, false));
    }
    return areas;
  }

  /** A line through what was measured of each domain; a point where that is one loss alone. */
  private List<Mark> losses(MixtureCourse course) {
    List<Mark> marks = new ArrayList<>();
    for (int style = 0; style < shown.length; style++) {
      int domain = shown[style];
      int[] measured =
          IntStream.range(0, course.steps().length)
              .filter(i -> Double.isFinite(course.losses().get(i)[domain]))
              .toArray();
      double[] x = IntStream.of(measured).mapToDouble(i -> course.steps()[i]).toArray();
      double[] y =
          IntStream.of(measured).mapToDouble(i -> course.losses().get(i)[domain]).toArray();
      if (measured.length == 1) {
        marks.add(new Mark.Points(x, y, style));
      } else if (measured.length > 1) {
        marks.add(new Mark.Line(x, y, style, false));
      }
    }
    return marks;
  }
}
