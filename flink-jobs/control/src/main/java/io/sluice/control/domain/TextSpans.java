package io.sluice.control.domain;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Spans of a document's text that count in the loss, as {@code Document} has them. */
public final class TextSpans {
  /** Most spans of a document: the text before each of their ends is made tokens once more. */
  public static final int MOST = 256;

  /** Most characters that are made tokens once more. */
  private static final long MOST_CHARACTERS = 64L << 20;

  private TextSpans() {}

  /**
   * Starts and ends of spans, in UTF-16 units.
   *
   * @param spans starts and ends in turn, in code points; null for the whole text
   * @throws IllegalArgumentException if they are not ascending in the text, or too many
   */
  public static @Nullable List<Integer> bounds(@Nullable List<Integer> spans, String text) {
    if (spans == null) {
      return null;
    }
    if (spans.size() % 2 != 0 || spans.size() > 2 * MOST) {
      throw new IllegalArgumentException(
          "trained must have a start and an end for each of at most "
              + MOST
              + " spans: found "
              + spans.size()
              + " numbers");
    }
    List<Integer> bounds = new ArrayList<>();
    int points = 0;
    int at = 0;
    long again = 0;
    for (int i = 0; i < spans.size(); i++) {
      int bound = spans.get(i);
      boolean inText = bound >= points && at + (long) bound - points <= text.length();
      if (!inText || (i % 2 == 1 && bound == points)) {
        throw refused(i, bound);
      }
      try {
        at = text.offsetByCodePoints(at, bound - points);
      } catch (IndexOutOfBoundsException e) {
        throw refused(i, bound);
      }
      points = bound;
      again += at;
      bounds.add(at);
    }
    if (again > MOST_CHARACTERS) {
      throw new IllegalArgumentException(
          "the texts before the ends of spans must have at most "
              + MOST_CHARACTERS
              + " characters together: found "
              + again);
    }
    return bounds;
  }

  private static IllegalArgumentException refused(int i, int bound) {
    return new IllegalArgumentException(
        "trained["
            + i
            + "] must lie in the text, "
            + (i % 2 == 1 ? "after the span's start" : "not before the last span's end")
            + ": found "
            + bound);
  }
}
