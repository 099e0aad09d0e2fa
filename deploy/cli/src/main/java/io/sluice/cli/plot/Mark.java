package io.sluice.cli.plot;

/** Something drawn in a panel; all arrays of a mark are of one length. */
public sealed interface Mark {
  /**
   * A line through points.
   *
   * @param style index of a colour and dash pattern in {@link Palette}
   * @param dashed whether it is an extrapolation
   */
  record Line(double[] x, double[] y, int style, boolean dashed) implements Mark {}

  /** The area between two lines, solid as in a stack or pale as an interval around a line. */
  record Area(double[] x, double[] low, double[] high, int style, boolean pale) implements Mark {}

  /** Single points. */
  record Points(double[] x, double[] y, int style) implements Mark {}

  /**
   * A point with a bar for its uncertainty.
   *
   * @param low end of the bar
   * @param high end of the bar
   */
  record Estimate(double x, double y, double low, double high, int style) implements Mark {}
}
