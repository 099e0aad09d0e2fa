package io.sluice.cli.targets;

import io.sluice.cli.plot.Figure;
import io.sluice.cli.plot.TextTable;
import io.sluice.control.targets.LossHistory;
import io.sluice.control.targets.TargetFits;
import io.sluice.control.targets.TargetFits.DomainTarget;
import io.sluice.mixture.targets.ScalingFit;
import io.sluice.mixture.targets.ScalingLaw;
import io.sluice.mixture.targets.SettlingRule.Status;
import io.sluice.mixture.targets.TargetEstimate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Target losses as text, as JSON, and as a figure. */
record TargetReport(String source, LossHistory history, TargetFits fits) {
  static final String INTERVAL = "95 % interval";

  /** What JSON says of one domain; law and interval are null where no fit can be believed. */
  record Outcome(
      int points,
      @Nullable Double initialLoss,
      double lastLoss,
      double target,
      @Nullable Double low,
      @Nullable Double high,
      @Nullable ScalingLaw law,
      @Nullable String rejected) {}

  /** Everything that JSON says. */
  record Json(
      String source,
      double tokens,
      Status standing,
      @Nullable Double lastMove,
      Map<String, Double> targets,
      Map<String, Outcome> domains) {}

  List<String> lines() {
    TextTable table =
        new TextTable(List.of("domain", "points", "last loss", "target", INTERVAL, "law"));
    List<String> refusals = new ArrayList<>();
    for (DomainTarget domain : fits.domains()) {
      TargetEstimate estimate = domain.estimate();
      String target = text("%.4f", estimate.loss());
      String last = text("%.4f", domain.losses()[domain.losses().length - 1]);
      String points = Integer.toString(domain.losses().length);
      if (estimate instanceof TargetEstimate.Fitted fitted) {
        ScalingFit.Interval interval = fitted.interval();
        String range = text("%.4f", interval.low()) + " to " + text("%.4f", interval.high());
        table.add(List.of(domain.domain(), points, last, target, range, law(fitted.fit().law())));
      } else if (estimate instanceof TargetEstimate.Rejected rejected) {
        table.add(List.of(domain.domain(), points, last, target, "none", "refused"));
        refusals.add(
            "refused for "
                + domain.domain()
                + ", whose last loss is taken instead: "
                + rejected.reason());
      }
    }
    List<String> lines = new ArrayList<>(List.of(title(), ""));
    lines.addAll(table.lines());
    lines.add("");
    lines.addAll(refusals);
    lines.add(status());
    if (history.weightsMoved()) {
      lines.add("The mixture changed during this run: its laws are not those of one mixture.");
    }
    return lines;
  }

  Figure figure() {
    return new TargetFigure(title(), fits).figure();
  }

  private String title() {
    return text("%s: target losses at %.4g tokens, in nats per token", source, fits.at());
  }

  private String status() {
    String sigma = TargetFits.RULE.sigma() + " nats";
    return switch (fits.status()) {
      case SETTLED ->
          text(
              "settled: the last measurement moved no target by %s or more (%.2g)",
              sigma, fits.lastMove());
      case CAPPED ->
          text(
              "not settled, but %.0f %% of the tokens are used, which is where an estimation ends",
              100 * TargetFits.RULE.cap());
      case GOING_ON ->
          Double.isNaN(fits.lastMove())
              ? text(
                  "not settled: that takes more than %d complete measurements",
                  TargetFits.RULE.minPoints())
              : text(
                  "not settled: the last measurement moved a target by %.2g nats, at least %s",
                  fits.lastMove(), sigma);
    };
  }

  Json json() {
    Map<String, Double> targets = new LinkedHashMap<>();
    Map<String, Outcome> outcomes = new LinkedHashMap<>();
    for (DomainTarget domain : fits.domains()) {
      targets.put(domain.domain(), domain.estimate().loss());
      outcomes.put(domain.domain(), outcome(domain));
    }
    Double move = Double.isNaN(fits.lastMove()) ? null : fits.lastMove();
    return new Json(source, fits.at(), fits.status(), move, targets, outcomes);
  }

  private static Outcome outcome(DomainTarget domain) {
    TargetEstimate estimate = domain.estimate();
    Double initial = Double.isInfinite(domain.initialLoss()) ? null : domain.initialLoss();
    int points = domain.losses().length;
    double last = domain.losses()[points - 1];
    if (estimate instanceof TargetEstimate.Fitted fitted) {
      ScalingFit.Interval range = fitted.interval();
      ScalingLaw law = fitted.fit().law();
      return new Outcome(
          points, initial, last, estimate.loss(), range.low(), range.high(), law, null);
    }
    String reason = ((TargetEstimate.Rejected) estimate).reason();
    return new Outcome(points, initial, last, estimate.loss(), null, null, null, reason);
  }

  private static String law(ScalingLaw law) {
    return text("%.4f + %.4g / D^%.4f", law.floor(), law.scale(), law.exponent());
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
