package io.sluice.cli.bench;

import io.sluice.cli.plot.Figure;
import io.sluice.cli.plot.Mark;
import io.sluice.cli.plot.Panel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Rates and costs over the number of domains, one row of panels for each compression. */
final class MixFigure {
  private static final List<String> WAYS = List.of("mix", "plain copy", "Flink copy");
  private static final String DOMAINS = "log2 of the domains";

  private MixFigure() {}

  static Figure of(List<MixResult> results) {
    List<Panel> panels = new ArrayList<>();
    for (String compression : results.stream().map(MixResult::compression).distinct().toList()) {
      List<MixResult> some =
          results.stream().filter(r -> r.compression().equals(compression)).toList();
      panels.add(
          panel(
              "rate, " + compression,
              "MB/s",
              some,
              List.of(MixResult::mixMBps, MixResult::copyMBps, MixResult::flinkCopyMBps)));
      panels.add(
          panel(
              "processor time of job and broker, " + compression,
              "µs for each block",
              some,
              List.of(
                  r -> r.mixCost().allMicros(),
                  r -> r.copyCost().allMicros(),
                  r -> r.flinkCopyCost().allMicros())));
    }
    return new Figure("Mixing, and copies of the same topics", WAYS, 2, panels);
  }

  private static Panel panel(
      String title, String unit, List<MixResult> results, List<ToDoubleFunction<MixResult>> ways) {
    double[] x = results.stream().mapToDouble(r -> Math.log(r.domains()) / Math.log(2)).toArray();
    List<Mark> marks = new ArrayList<>();
    for (int way = 0; way < ways.size(); way++) {
      double[] y = results.stream().mapToDouble(ways.get(way)).toArray();
      marks.add(new Mark.Line(x, y, way, false));
      marks.add(new Mark.Points(x, y, way));
    }
    return new Panel(title, DOMAINS, unit, false, marks);
  }
}
