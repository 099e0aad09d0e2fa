package io.sluice.lab.reproduce.report;

import io.sluice.cli.plot.Axis;
import io.sluice.cli.plot.Palette;
import io.sluice.cli.plot.Svg;
import io.sluice.lab.reproduce.claim.Claim;
import io.sluice.lab.reproduce.claim.Direction;
import io.sluice.lab.reproduce.claim.Evidence;
import io.sluice.lab.reproduce.claim.Judgement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The differences of a claim as dots on a line, their mean with the t interval below them, and
 * below that the bootstrap's; behind all, what is too small to matter, and to the sides, where the
 * claim would have them.
 */
final class DifferencePlot {
  private static final double WIDTH = 640;
  private static final double HEIGHT = 112;
  private static final double LEFT = 84;
  private static final double RIGHT = 64;
  private static final double DOTS = 28;
  private static final double MEAN = 50;
  private static final double DRAWN = 68;
  private static final double BASE = 82;
  private static final String INK = "currentColor";

  private final Svg svg = Svg.inline(WIDTH, HEIGHT);
  private final Judgement judgement;
  private final Axis axis;

  private DifferencePlot(Judgement judgement) {
    this.judgement = judgement;
    List<Double> seen = new ArrayList<>(judgement.differences().bySeed().values());
    double least = judgement.claim().leastEffect();
    seen.addAll(List.of(0.0, -least, least));
    judgement
        .measured()
        .ifPresent(
            evidence ->
                seen.addAll(
                    List.of(
                        evidence.interval().low(),
                        evidence.interval().high(),
                        evidence.bootstrap().low(),
                        evidence.bootstrap().high())));
    this.axis = Axis.covering(Collections.min(seen), Collections.max(seen));
  }

  static String of(Judgement judgement) {
    return new DifferencePlot(judgement).drawn();
  }

  private String drawn() {
    Claim claim = judgement.claim();
    double least = claim.leastEffect();
    svg.element(
        "rect",
        "x",
        x(-least),
        "y",
        14.0,
        "width",
        x(least) - x(-least),
        "height",
        BASE - 14,
        "fill",
        INK,
        "fill-opacity",
        0.1);
    line(x(0), BASE - 6, x(0), BASE, 1, "none");
    line(LEFT, BASE, WIDTH - RIGHT, BASE, 1, "none");
    for (double tick : axis.ticks()) {
      line(x(tick), BASE, x(tick), BASE + 4, 1, "none");
      label(x(tick), BASE + 16, axis.label(tick), "middle");
    }
    line(x(bound()), 14, x(bound()), BASE, 1, "3 3");
    label(x(bound()), 10, isDown() ? "← claimed" : "claimed →", isDown() ? "end" : "start");
    dots(judgement.differences().bySeed().values());
    evidence(judgement.measured().orElse(null));
    return svg.closed();
  }

  private boolean isDown() {
    Direction direction = judgement.claim().direction();
    return direction == Direction.LOWER || direction == Direction.NOT_HIGHER;
  }

  /** Where what is claimed begins: at 0, or at the margin. */
  private double bound() {
    double margin =
        judgement.claim().direction().isMarginal() ? judgement.claim().leastEffect() : 0;
    return isDown() ? margin : -margin;
  }

  private void dots(Collection<Double> differences) {
    label(LEFT - 8, DOTS + 4, "seeds", "end");
    for (double difference : differences) {
      svg.element(
          "circle",
          "cx",
          x(difference),
          "cy",
          DOTS,
          "r",
          4.0,
          "fill",
          Palette.colour(0),
          "fill-opacity",
          0.7);
    }
  }

  private void evidence(@Nullable Evidence evidence) {
    if (evidence == null) {
      return;
    }
    label(LEFT - 8, MEAN + 4, "mean, t", "end");
    line(x(evidence.interval().low()), MEAN, x(evidence.interval().high()), MEAN, 3, "none");
    svg.element("circle", "cx", x(evidence.mean()), "cy", MEAN, "r", 5.0, "fill", INK);
    label(LEFT - 8, DRAWN + 4, "bootstrap", "end");
    line(x(evidence.bootstrap().low()), DRAWN, x(evidence.bootstrap().high()), DRAWN, 2, "none");
  }

  private void line(double x1, double y1, double x2, double y2, double width, String dash) {
    svg.element(
        "line",
        "x1",
        x1,
        "y1",
        y1,
        "x2",
        x2,
        "y2",
        y2,
        "stroke",
        INK,
        "stroke-width",
        width,
        "stroke-dasharray",
        dash);
  }

  private void label(double x, double y, String text, String anchor) {
    svg.text(x, y, text, "text-anchor", anchor, "fill", INK);
  }

  private double x(double difference) {
    return LEFT + (WIDTH - LEFT - RIGHT) * axis.at(difference);
  }
}
