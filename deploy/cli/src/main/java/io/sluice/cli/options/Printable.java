package io.sluice.cli.options;

/** Texts of others, such as ids of documents, on a terminal, which obeys none of them. */
public final class Printable {
  private Printable() {}

  /**
   * A text in one line, without control characters but tabs: question marks are in their places.
   */
  public static String line(String text) {
    StringBuilder shown = new StringBuilder(text.length());
    text.chars().forEach(c -> shown.append(isControl(c) ? '?' : (char) c));
    return shown.toString();
  }

  private static boolean isControl(int c) {
    return Character.isISOControl(c) && c != '\t';
  }
}
