package io.sluice.lab.bench.mix;

import io.sluice.cli.plot.Figure;
import io.sluice.cli.plot.Mark;
import io.sluice.cli.plot.Panel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;

/** Rates and costs over what varies, one row of panels for each compression. */
final class MixFigure {
  private static final List<String> WAYS =
      List.of("mix", "plain copy", "Flink copy", "tuned Flink copy");
  private static final List<Axis> AXES =
      List.of(
          new Axis("domains", MixResult::domains),
          new Axis("lanes", MixResult::lanes),
          new Axis("runs", MixResult::runs),
          new Axis("partitions of the stream", MixResult::partitions),
          new Axis("sequences in a batch", MixResult::batchSize),
          new Axis("bytes of a block", MixResult::blockBytes));

  /** One of the settings that a benchmark can vary. */
  private record Axis(String what, ToIntFunction<MixResult> value) {
    boolean varies(List<MixResult> results) {
      return results.stream().mapToInt(value).distinct().count() > 1;
    }

    double[] of(List<MixResult> results) {
      return results.stream()
          .mapToDouble(r -> Math.log(value.applyAsInt(r)) / Math.log(2))
          .toArray();
    }
  }

  private MixFigure() {}

  /**
   * The figure.
   *
   * @param results of which at most one setting, besides the compression, varies
   */
  static Figure of(List<MixResult> results) {
    Axis axis = AXES.stream().filter(a -> a.varies(results)).findFirst().orElse(AXES.get(0));
    List<Panel> panels = new ArrayList<>();
    for (String compression : results.stream().map(MixResult::compression).distinct().toList()) {
      List<MixResult> some =
          results.stream().filter(r -> r.compression().equals(compression)).toList();
      panels.add(
          panel(
              "rate, " + compression,
              "MB/s",
              axis,
              some,
              List.of(
                  MixResult::mixMBps,
                  MixResult::copyMBps,
                  MixResult::flinkCopyMBps,
                  MixResult::tunedFlinkCopyMBps)));
      panels.add(
          panel(
              "processor time of job and broker, " + compression,
              "µs for each block",
              axis,
              some,
              List.of(
                  r -> r.mixCost().allMicros(),
                  r -> r.copyCost().allMicros(),
                  r -> r.flinkCopyCost().allMicros(),
                  r -> r.tunedFlinkCopyCost().allMicros())));
    }
    return new Figure("Mixing, and copies of the same topics", WAYS, 2, panels);
  }

  private static Panel panel(
      String title,
      String unit,
      Axis axis,
      List<MixResult> results,
      List<ToDoubleFunction<MixResult>> ways) {
    double[] x = axis.of(results);
    List<Mark> marks = new ArrayList<>();
    for (int way = 0; way < ways.size(); way++) {
      double[] y = results.stream().mapToDouble(ways.get(way)).toArray();
      marks.add(new Mark.Line(x, y, way, false));
      marks.add(new Mark.Points(x, y, way));
    }
    return new Panel(title, "log2 of the " + axis.what(), unit, false, marks);
  }
}
