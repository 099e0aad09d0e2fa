package io.sluice.refine.synthesis.rule;

/** Lines and what stands before them. */
final class Lines {
  private Lines() {}

  /** Code without the indent of its first line, or what all lines share of it. */
  static String dedented(String code) {
    return code.stripTrailing().stripIndent().replaceFirst("^\\n+", "");
  }

  /** A comment's text: its first line as it is, and the others without the indent they share. */
  static String comment(String text) {
    int first = text.indexOf('\n');
    return first < 0
        ? text.strip()
        : (text.substring(0, first).strip()
                + "\n"
                + text.substring(first + 1).stripTrailing().stripIndent())
            .strip();
  }

  /** The lines from a place on that are indented more than so much; empty ones between them. */
  static String indentedBelow(String text, int from, int indent) {
    int at = text.indexOf('\n', from) + 1;
    int end = at;
    while (at > 0 && at < text.length()) {
      int next = text.indexOf('\n', at);
      String line = text.substring(at, next < 0 ? text.length() : next);
      if (!line.isBlank() && indent(line) <= indent) {
        break;
      }
      at = next < 0 ? text.length() : next + 1;
      end = line.isBlank() ? end : at;
    }
    int start = text.indexOf('\n', from) + 1;
    return start == 0 ? "" : text.substring(start, end).stripTrailing();
  }

  private static int indent(String line) {
    int indent = 0;
    while (indent < line.length() && (line.charAt(indent) == ' ' || line.charAt(indent) == '\t')) {
      indent++;
    }
    return indent;
  }
}
