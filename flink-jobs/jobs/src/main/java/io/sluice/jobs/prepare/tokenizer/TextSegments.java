package io.sluice.jobs.prepare.tokenizer;

/**
 * Where a long text is cut so that a tokenizer sees a bounded piece at a time.
 *
 * <p>The cut lies before a single space that a word follows. Every tokenizer here starts a word at
 * such a space, so the tokens equal those of the whole text. Only a text without a word in half a
 * segment is cut elsewhere, between two characters; its tokens may then differ at the cut, the same
 * way each time.
 */
final class TextSegments {
  private TextSegments() {}

  /**
   * End of the segment that starts at {@code from}: at most {@code limit} chars further.
   *
   * @param limit at least 4
   */
  static int end(String text, int from, int limit) {
    if (text.length() - from <= limit) {
      return text.length();
    }
    int last = from + limit;
    for (int cut = last; cut > from + limit / 2; cut--) {
      if (text.charAt(cut) == ' '
          && !Character.isWhitespace(text.charAt(cut - 1))
          && isAsciiLetter(text, cut + 1)) {
        return cut;
      }
    }
    return Character.isLowSurrogate(text.charAt(last)) ? last - 1 : last;
  }

  private static boolean isAsciiLetter(String text, int at) {
    if (at >= text.length()) {
      return false;
    }
    char c = text.charAt(at);
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }
}
