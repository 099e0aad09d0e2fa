package io.sluice.jobs.prepare.tokenizer.cut;

import java.util.List;
import java.util.stream.IntStream;

/**
 * What is printed in ASCII, and letters of other alphabets that write spaces: every Unicode normal
 * form, lower case and removed accents leave each of them one of these.
 */
final class PlainCharacters {
  /** Each of them. */
  static final List<String> ALL =
      IntStream.range(0, Character.MAX_VALUE)
          .filter(c -> is((char) c))
          .mapToObj(Character::toString)
          .toList();

  private PlainCharacters() {}

  static boolean is(char c) {
    return c < 0x80
        ? c > ' ' && c < 0x7F
        : isGreekOrCyrillic(c) || isHebrewOrArabic(c) || isDevanagari(c);
  }

  private static boolean isGreekOrCyrillic(char c) {
    return (c >= '\u0391' && c <= '\u03A9' && c != '\u03A2')
        || (c >= '\u03B1' && c <= '\u03C9')
        || (c >= '\u0410' && c <= '\u044F' && c != '\u0419' && c != '\u0439');
  }

  private static boolean isHebrewOrArabic(char c) {
    return (c >= '\u05D0' && c <= '\u05EA')
        || (c >= '\u0627' && c <= '\u063A')
        || (c >= '\u0641' && c <= '\u064A');
  }

  private static boolean isDevanagari(char c) {
    return c >= '\u0915' && c <= '\u0939' && c != '\u0929' && c != '\u0931' && c != '\u0934';
  }
}
