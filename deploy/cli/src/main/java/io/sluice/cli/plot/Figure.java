package io.sluice.cli.plot;

import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A grid of panels under a title and a legend.
 *
 * @param legend name of each style, in their order; long ones are cut
 * @param columns panels in a row
 */
public record Figure(String title, List<String> legend, int columns, List<Panel> panels) {
  private static final double WIDTH = 380;
  private static final double HEIGHT = 230;
  private static final double MARGIN = 12;
  private static final double HEAD = 34;
  private static final double LEGEND_CELL = 150;
  private static final double LEGEND_LINE = 17;
  private static final int NAME_LENGTH = 20;

  /** Copies the lists. */
  public Figure {
    legend = List.copyOf(legend);
    panels = List.copyOf(panels);
  }

  /**
   * Writes the figure.
   *
   * @throws BadInputException if the file cannot be written
   */
  public void write(Path file) {
    try {
      Files.writeString(file, svg(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new BadInputException(
          "--svg must be a file that can be written: " + file + ": " + e, e);
    }
  }

  /** The figure as an SVG document. */
  public String svg() {
    return drawn(Svg.ofSize(width(), height()));
  }

  /** The figure as a part of a page. */
  public String inline() {
    return drawn(Svg.inline(width(), height()));
  }

  private double width() {
    return columns * WIDTH + 2 * MARGIN;
  }

  private double height() {
    int rows = (panels.size() + columns - 1) / columns;
    return top() + rows * HEIGHT + MARGIN;
  }

  private double top() {
    int legendLines = (legend.size() + perLine() - 1) / perLine();
    return HEAD + legendLines * LEGEND_LINE + MARGIN;
  }

  private int perLine() {
    return (int) ((width() - 2 * MARGIN) / LEGEND_CELL);
  }

  private String drawn(Svg svg) {
    int perLine = perLine();
    double top = top();
    svg.text(MARGIN, 22, title, "font-size", 15.0, "font-weight", "bold");
    for (int i = 0; i < legend.size(); i++) {
      int line = i / perLine;
      double x = MARGIN + (i % perLine) * LEGEND_CELL;
      double y = HEAD + line * LEGEND_LINE;
      svg.element("rect", "x", x, "y", y, "width", 12.0, "height", 12.0, "fill", Palette.colour(i));
      svg.text(x + 17, y + 10, cut(legend.get(i)));
    }
    for (int i = 0; i < panels.size(); i++) {
      int row = i / columns;
      double x = MARGIN + (i % columns) * WIDTH;
      double y = top + row * HEIGHT;
      new PanelDrawing(svg, panels.get(i), x, y, WIDTH, HEIGHT).draw();
    }
    return svg.closed();
  }

  private static String cut(String name) {
    return name.length() <= NAME_LENGTH ? name : name.substring(0, NAME_LENGTH - 1) + "…";
  }
}
