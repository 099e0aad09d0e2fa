package io.sluice.cli.plot;

import java.util.List;
import java.util.function.DoubleConsumer;

/**
 * One pair of axes with marks.
 *
 * @param zeroToOne whether the vertical axis is that of shares, else it covers the data
 */
public record Panel(
    String title, String xLabel, String yLabel, boolean zeroToOne, List<Mark> marks) {
  /** Copies the marks. */
  public Panel {
    marks = List.copyOf(marks);
  }

  Axis xAxis() {
    Range range = new Range();
    for (Mark mark : marks) {
      if (mark instanceof Mark.Line line) {
        range.takeAll(line.x());
      } else if (mark instanceof Mark.Area area) {
        range.takeAll(area.x());
      } else if (mark instanceof Mark.Points points) {
        range.takeAll(points.x());
      } else if (mark instanceof Mark.Estimate estimate) {
        range.accept(estimate.x());
      }
    }
    return Axis.exact(range.low(), range.high());
  }

  Axis yAxis() {
    if (zeroToOne) {
      return new Axis(0, 1, 0.2);
    }
    Range range = new Range();
    for (Mark mark : marks) {
      if (mark instanceof Mark.Line line) {
        range.takeAll(line.y());
      } else if (mark instanceof Mark.Area area) {
        range.takeAll(area.low());
        range.takeAll(area.high());
      } else if (mark instanceof Mark.Points points) {
        range.takeAll(points.y());
      } else if (mark instanceof Mark.Estimate estimate) {
        range.accept(estimate.low());
        range.accept(estimate.high());
      }
    }
    return Axis.covering(range.low(), range.high());
  }

  /** Least and greatest of the finite values seen; 0 to 1 before any. */
  private static final class Range implements DoubleConsumer {
    private double low = Double.POSITIVE_INFINITY;
    private double high = Double.NEGATIVE_INFINITY;

    @Override
    public void accept(double value) {
      if (Double.isFinite(value)) {
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    }

    void takeAll(double[] values) {
      for (double value : values) {
        accept(value);
      }
    }

    double low() {
      return low <= high ? low : 0;
    }

    double high() {
      return low <= high ? high : 1;
    }
  }
}
