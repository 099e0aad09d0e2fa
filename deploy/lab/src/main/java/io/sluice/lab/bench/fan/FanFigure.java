package io.sluice.lab.bench.fan;

import io.sluice.cli.plot.Figure;
import io.sluice.cli.plot.Mark;
import io.sluice.cli.plot.Panel;
import io.sluice.lab.bench.fan.FanOut.StoreReads;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/** What brokers and stores give out over the number of GPUs, both as powers. */
final class FanFigure {
  private static final List<String> LEGEND = List.of("tokens", "derived", "derived, with caches");

  private FanFigure() {}

  static Figure of(List<FanOut> tokens, List<FanOut> derived) {
    return new Figure(
        "What feeds how many GPUs, by the model",
        LEGEND,
        2,
        List.of(
            panel("out of the brokers", "MB/s", tokens, derived, FanOut::brokersOutMBps),
            panel(
                "connections", "connections", tokens, derived, each -> (double) each.connections()),
            panel(
                "requests to the brokers", "a second", tokens, derived, FanOut::requestsPerSecond),
            store(derived)));
  }

  private static Panel panel(
      String title,
      String unit,
      List<FanOut> tokens,
      List<FanOut> derived,
      ToDoubleFunction<FanOut> what) {
    List<Mark> marks = new ArrayList<>(line(tokens, what, 0));
    marks.addAll(line(derived, what, 1));
    return of(title, unit, marks);
  }

  private static Panel store(List<FanOut> derived) {
    List<Mark> marks = new ArrayList<>(line(derived, each -> reads(each).directMBps(), 1));
    marks.addAll(line(derived, each -> reads(each).cachedMBps(), 2));
    return of("out of the store", "MB/s", marks);
  }

  private static StoreReads reads(FanOut derived) {
    return Objects.requireNonNull(derived.store());
  }

  private static List<Mark> line(List<FanOut> points, ToDoubleFunction<FanOut> what, int style) {
    double[] x = points.stream().mapToDouble(each -> Math.log(each.gpus()) / Math.log(2)).toArray();
    double[] y = points.stream().mapToDouble(what).map(Math::log10).toArray();
    return List.of(new Mark.Line(x, y, style, false), new Mark.Points(x, y, style));
  }

  private static Panel of(String title, String unit, List<Mark> marks) {
    return new Panel(title, "log2 of the GPUs", "log10 of " + unit, false, marks);
  }
}
