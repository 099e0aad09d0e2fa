package io.sluice.cli.plot;

/** Draws one panel into a rectangle of the figure. */
final class PanelDrawing {
  private static final double LEFT = 52;
  private static final double RIGHT = 14;
  private static final double TOP = 26;
  private static final double BOTTOM = 40;
  private static final double TICK = 4;
  private static final double RADIUS = 2.5;
  private static final String INK = "#333333";

  private final Svg svg;
  private final Panel panel;
  private final Axis xAxis;
  private final Axis yAxis;
  private final double x0;
  private final double y0;
  private final double width;
  private final double height;

  PanelDrawing(Svg svg, Panel panel, double x, double y, double width, double height) {
    this.svg = svg;
    this.panel = panel;
    this.xAxis = panel.xAxis();
    this.yAxis = panel.yAxis();
    this.x0 = x + LEFT;
    this.y0 = y + TOP;
    this.width = width - LEFT - RIGHT;
    this.height = height - TOP - BOTTOM;
  }

  void draw() {
    svg.text(x0, y0 - 8, panel.title(), "font-size", 12.0, "font-weight", "bold");
    grid();
    panel.marks().forEach(this::mark);
    frame();
  }

  private void mark(Mark mark) {
    if (mark instanceof Mark.Line line) {
      line(line);
    } else if (mark instanceof Mark.Area area) {
      area(area);
    } else if (mark instanceof Mark.Points points) {
      for (int i = 0; i < points.x().length; i++) {
        dot(points.x()[i], points.y()[i], points.style());
      }
    } else if (mark instanceof Mark.Estimate estimate) {
      estimate(estimate);
    }
  }

  private void grid() {
    for (double tick : yAxis.ticks()) {
      double y = y(tick);
      rule(x0, y, x0 + width, y, "#e6e6e6");
      svg.text(x0 - TICK - 3, y + 4, yAxis.label(tick), "text-anchor", "end", "fill", INK);
    }
    for (double tick : xAxis.ticks()) {
      double x = x(tick);
      double base = y0 + height;
      rule(x, base, x, base + TICK, INK);
      svg.text(x, base + TICK + 12, xAxis.label(tick), "text-anchor", "middle", "fill", INK);
    }
  }

  private void frame() {
    double base = y0 + height;
    rule(x0, y0, x0, base, INK);
    rule(x0, base, x0 + width, base, INK);
    svg.text(x0 + width / 2, base + 32, panel.xLabel(), "text-anchor", "middle", "fill", INK);
    double middle = y0 + height / 2;
    String turned = "rotate(-90 " + Svg.number(x0 - 40) + " " + Svg.number(middle) + ")";
    svg.text(
        x0 - 40, middle, panel.yLabel(), "text-anchor", "middle", "fill", INK, "transform", turned);
  }

  private void rule(double x1, double y1, double x2, double y2, String colour) {
    svg.element("line", "x1", x1, "y1", y1, "x2", x2, "y2", y2, "stroke", colour);
  }

  private void line(Mark.Line line) {
    StringBuilder path = new StringBuilder();
    boolean pen = false;
    for (int i = 0; i < line.x().length; i++) {
      boolean there = Double.isFinite(line.y()[i]);
      if (there) {
        path.append(pen ? " L" : " M").append(at(line.x()[i], line.y()[i]));
      }
      pen = there;
    }
    svg.element(
        "path",
        "d",
        path.toString().strip(),
        "fill",
        "none",
        "stroke",
        Palette.colour(line.style()),
        "stroke-width",
        1.6,
        "stroke-linejoin",
        "round",
        "stroke-dasharray",
        line.dashed() ? "2 3" : Palette.dash(line.style()));
  }

  private void area(Mark.Area area) {
    StringBuilder corners = new StringBuilder();
    int n = area.x().length;
    for (int i = 0; i < n; i++) {
      corners.append(at(area.x()[i], area.high()[i])).append(' ');
    }
    for (int i = n - 1; i >= 0; i--) {
      corners.append(at(area.x()[i], area.low()[i])).append(' ');
    }
    svg.element(
        "polygon",
        "points",
        corners.toString().strip(),
        "fill",
        Palette.colour(area.style()),
        "fill-opacity",
        area.pale() ? 0.18 : 1.0,
        "stroke",
        area.pale() ? "none" : "#ffffff",
        "stroke-width",
        0.4);
  }

  private void estimate(Mark.Estimate estimate) {
    String colour = Palette.colour(estimate.style());
    double x = x(estimate.x());
    rule(x, y(estimate.low()), x, y(estimate.high()), colour);
    rule(x - TICK, y(estimate.low()), x + TICK, y(estimate.low()), colour);
    rule(x - TICK, y(estimate.high()), x + TICK, y(estimate.high()), colour);
    dot(estimate.x(), estimate.y(), estimate.style());
  }

  private void dot(double x, double y, int style) {
    if (Double.isFinite(y)) {
      svg.element("circle", "cx", x(x), "cy", y(y), "r", RADIUS, "fill", Palette.colour(style));
    }
  }

  private String at(double x, double y) {
    return Svg.number(x(x)) + "," + Svg.number(y(y));
  }

  private double x(double value) {
    return x0 + width * xAxis.at(value);
  }

  private double y(double value) {
    return y0 + height * (1 - yAxis.at(value));
  }
}
