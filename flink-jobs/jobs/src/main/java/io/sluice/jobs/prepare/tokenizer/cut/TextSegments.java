package io.sluice.jobs.prepare.tokenizer.cut;

/**
 * Where a long text is cut so that a tokenizer sees a bounded piece at a time.
 *
 * <p>The cut lies before a word, together with its single space, or after a single line break. The
 * byte-pair encodings split there anyway, so the tokens equal those of the whole text. Only a text
 * without such a place in half a segment is cut elsewhere, between two characters; its tokens may
 * then differ at the cut, the same way each time.
 */
public final class TextSegments {
  private TextSegments() {}

  /**
   * End of the segment that starts at {@code from}: at most {@code limit} chars further.
   *
   * @param limit at least 4
   */
  public static int end(String text, int from, int limit) {
    if (text.length() - from <= limit) {
      return text.length();
    }
    int last = from + limit;
    for (int cut = last; cut > from + limit / 2; cut--) {
      if (startsWord(text, cut)) {
        return cut;
      }
    }
    return Character.isLowSurrogate(text.charAt(last)) ? last - 1 : last;
  }

  private static boolean startsWord(String text, int at) {
    if (text.charAt(at) == ' ') {
      return at + 1 < text.length()
          && isAsciiLetter(text.charAt(at + 1))
          && !Character.isWhitespace(text.charAt(at - 1));
    }
    return isAsciiLetter(text.charAt(at))
        && text.charAt(at - 1) == '\n'
        && !Character.isWhitespace(text.charAt(at - 2));
  }

  private static boolean isAsciiLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }
}
