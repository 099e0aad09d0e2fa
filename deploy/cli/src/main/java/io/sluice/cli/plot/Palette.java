package io.sluice.cli.plot;

import java.util.List;

/**
 * Colours that people with any common colour blindness tell apart: those of Okabe and Ito, dark
 * enough for white paper; then the same ones lighter, with another dash; then grey for all others.
 */
public final class Palette {
  /** Styles that differ from each other; every further one is the grey of 'others'. */
  public static final int DISTINCT = 14;

  private static final List<String> COLOURS =
      List.of("#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#8a7f00");
  private static final List<String> LIGHTER =
      List.of("#80b8d8", "#f2cf80", "#80ceb9", "#eaae80", "#e5bcd3", "#aad9f4", "#c4bf80");
  private static final String OTHERS = "#999999";

  private Palette() {}

  /** The colour of a style, as #rrggbb. */
  public static String colour(int style) {
    if (style >= DISTINCT) {
      return OTHERS;
    }
    return style < COLOURS.size() ? COLOURS.get(style) : LIGHTER.get(style - COLOURS.size());
  }

  /** Dash pattern of a line; "none" for a solid one. */
  static String dash(int style) {
    return style < COLOURS.size() ? "none" : "6 2";
  }
}
