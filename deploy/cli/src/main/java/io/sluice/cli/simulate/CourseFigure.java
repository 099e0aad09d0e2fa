package io.sluice.cli.simulate;

import io.sluice.cli.plot.Figure;
import io.sluice.cli.plot.Mark;
import io.sluice.cli.plot.Palette;
import io.sluice.cli.plot.Panel;
import io.sluice.mixture.simulate.Trajectory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Two panels for each policy: its weights, stacked, and the losses. With more domains than colours,
 * those with the greatest weights are shown and the others as one.
 */
final class CourseFigure {
  /** More points than this in a panel cannot be seen. */
  private static final int MOST_POINTS = 400;

  private final List<String> domains;
  private final int[] shown;

  private CourseFigure(List<String> domains, List<Course> courses) {
    this.domains = domains;
    double[] greatest = new double[domains.size()];
    for (Course course : courses) {
      for (Trajectory.Point point : course.points()) {
        Arrays.setAll(greatest, i -> Math.max(greatest[i], point.shares()[i]));
      }
    }
    this.shown = Course.greatest(greatest, -1, Palette.DISTINCT);
  }

  static Figure of(String title, List<String> domains, List<Course> courses) {
    CourseFigure figure = new CourseFigure(domains, courses);
    List<Panel> panels = new ArrayList<>();
    for (Course course : courses) {
      List<Trajectory.Point> points = thinned(course.points());
      panels.add(
          new Panel(course.label() + ": weights", "batch", "weight", true, figure.stack(points)));
      panels.add(
          new Panel(
              course.label() + ": losses", "batch", "nats per token", false, figure.lines(points)));
    }
    return new Figure(title, figure.legend(), 2, panels);
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

  /** The weights of a point governed the batches since the point before, so they go in steps. */
  private List<Mark> stack(List<Trajectory.Point> points) {
    int n = 2 * (points.size() - 1);
    double[] x = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = points.get((i + 1) / 2).batch();
    }
    List<Mark> areas = new ArrayList<>();
    double[] low = new double[n];
    for (int style = 0; style < shown.length; style++) {
      double[] high = low.clone();
      for (int i = 0; i < n; i++) {
        high[i] = Math.min(1, high[i] + points.get(i / 2 + 1).shares()[shown[style]]);
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

  private List<Mark> lines(List<Trajectory.Point> points) {
    double[] x = points.stream().mapToDouble(Trajectory.Point::batch).toArray();
    List<Mark> lines = new ArrayList<>();
    for (int style = 0; style < shown.length; style++) {
      int domain = shown[style];
      double[] y = points.stream().mapToDouble(point -> point.losses()[domain]).toArray();
      lines.add(new Mark.Line(x, y, style, false));
    }
    return lines;
  }

  private static List<Trajectory.Point> thinned(List<Trajectory.Point> points) {
    int stride = (points.size() + MOST_POINTS - 1) / MOST_POINTS;
    int last = points.size() - 1;
    return IntStream.rangeClosed(0, last)
        .filter(i -> i % stride == 0 || i == last)
        .mapToObj(points::get)
        .toList();
  }
}
