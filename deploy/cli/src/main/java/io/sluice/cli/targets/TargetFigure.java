package io.sluice.cli.targets;

import io.sluice.cli.plot.Figure;
import io.sluice.cli.plot.Mark;
import io.sluice.cli.plot.Panel;
import io.sluice.control.targets.TargetFits;
import io.sluice.control.targets.TargetFits.DomainTarget;
import io.sluice.mixture.targets.ScalingFit;
import io.sluice.mixture.targets.ScalingLaw;
import io.sluice.mixture.targets.TargetEstimate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A panel for each domain: what was measured, the law, and the target. */
record TargetFigure(String title, TargetFits fits) {
  private static final int CURVE = 80;

  Figure figure() {
    List<Panel> panels = new ArrayList<>();
    for (DomainTarget domain : fits.domains()) {
      boolean fitted = domain.estimate() instanceof TargetEstimate.Fitted;
      String name = domain.domain() + (fitted ? "" : ": no fit, last loss taken");
      panels.add(new Panel(name, "tokens", "nats per token", false, marks(domain)));
    }
    List<String> legend = List.of("measured", "law, " + TargetReport.INTERVAL, "target");
    return new Figure(title, legend, 2, panels);
  }

  private List<Mark> marks(DomainTarget domain) {
    List<Mark> marks = new ArrayList<>();
    double loss = domain.estimate().loss();
    if (domain.estimate() instanceof TargetEstimate.Fitted fitted) {
      double first = domain.tokens()[0];
      double last = domain.tokens()[domain.tokens().length - 1];
      double most = 2 * Arrays.stream(domain.losses()).max().orElseThrow();
      marks.add(band(fitted.fit(), first, Math.max(last, fits.at()), most));
      marks.add(curve(fitted.fit().law(), first, last, false));
      if (fits.at() > last) {
        marks.add(curve(fitted.fit().law(), last, fits.at(), true));
      }
      ScalingFit.Interval range = fitted.interval();
      marks.add(new Mark.Estimate(fits.at(), loss, range.low(), Math.min(most, range.high()), 2));
    } else {
      marks.add(new Mark.Estimate(fits.at(), loss, loss, loss, 2));
    }
    marks.add(new Mark.Points(domain.tokens(), domain.losses(), 0));
    return marks;
  }

  private static Mark curve(ScalingLaw law, double from, double to, boolean dashed) {
    double[] x = sizes(from, to);
    return new Mark.Line(x, Arrays.stream(x).map(law::at).toArray(), 1, dashed);
  }

  private static Mark band(ScalingFit fit, double from, double to, double most) {
    double[] x = sizes(from, to);
    double[] low = Arrays.stream(x).map(size -> fit.interval(size, 0.95).low()).toArray();
    double[] high =
        Arrays.stream(x).map(size -> Math.min(most, fit.interval(size, 0.95).high())).toArray();
    return new Mark.Area(x, low, high, 1, true);
  }

  /** Sizes whose logarithms are evenly spaced. */
  private static double[] sizes(double from, double to) {
    double[] x = new double[CURVE];
    Arrays.setAll(x, i -> from * Math.pow(to / from, i / (CURVE - 1.0)));
    return x;
  }
}
