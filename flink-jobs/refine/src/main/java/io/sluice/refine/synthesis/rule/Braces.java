package io.sluice.refine.synthesis.rule;

/** Where a block of Java ends. */
final class Braces {
  private Braces() {}

  /**
   * The place behind the brace that closes one.
   *
   * @param open place of the brace that opens
   * @return -1 if it is not closed
   */
  static int end(String code, int open) {
    int depth = 0;
    int at = open;
    while (at >= 0 && at < code.length()) {
      char c = code.charAt(at);
      if (c == '{') {
        depth++;
      } else if (c == '}' && --depth == 0) {
        return at + 1;
      }
      at = next(code, at);
    }
    return -1;
  }

  /** The next place that is not within a comment or a text; -1 if there is none. */
  private static int next(String code, int at) {
    if (code.startsWith("//", at)) {
      return code.indexOf('\n', at);
    }
    if (code.startsWith("/*", at)) {
      return behind(code, "*/", at + 2);
    }
    if (code.startsWith("\"\"\"", at)) {
      return behind(code, "\"\"\"", at + 3);
    }
    char quote = code.charAt(at);
    if (quote != '"' && quote != '\'') {
      return at + 1;
    }
    int end = at + 1;
    while (end < code.length() && code.charAt(end) != quote && code.charAt(end) != '\n') {
      end += code.charAt(end) == '\\' ? 2 : 1;
    }
    return end + 1;
  }

  private static int behind(String code, String mark, int from) {
    int end = code.indexOf(mark, from);
    return end < 0 ? -1 : end + mark.length();
  }
}
