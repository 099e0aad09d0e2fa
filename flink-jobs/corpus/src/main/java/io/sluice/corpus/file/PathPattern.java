package io.sluice.corpus.file;

import io.sluice.control.error.BadInputException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A pattern of paths: {@code *} and {@code ?} are any characters but '/', {@code **} is any, and
 * {@code [a-z]} and {@code [!a-z]} are one of some, or none of them.
 *
 * @param folder what is before the first part with such a sign; "" if there is nothing
 * @param whole matches whole paths
 */
public record PathPattern(String folder, Pattern whole) {
  private static final String SIGNS = "*?[";

  /** Whether a path is a pattern. */
  public static boolean isOne(String path) {
    return firstSign(path) < path.length();
  }

  /**
   * The pattern of a path.
   *
   * @throws BadInputException if a '[' is not closed
   */
  public static PathPattern of(String path) {
    int end = path.lastIndexOf('/', firstSign(path));
    return new PathPattern(path.substring(0, Math.max(0, end)), Pattern.compile(regex(path)));
  }

  /** Whether it has this path. */
  public boolean has(String path) {
    return whole.matcher(path).matches();
  }

  /** Whether it may have a path below a folder. */
  boolean mayHaveBelow(String folder) {
    Matcher matcher = whole.matcher(folder + "/");
    return matcher.matches() || matcher.hitEnd();
  }

  private static int firstSign(String path) {
    int place = 0;
    while (place < path.length() && SIGNS.indexOf(path.charAt(place)) < 0) {
      place++;
    }
    return place;
  }

  private static String regex(String path) {
    StringBuilder regex = new StringBuilder("(?s)");
    int place = 0;
    while (place < path.length()) {
      char sign = path.charAt(place);
      if (path.startsWith("**", place)) {
        regex.append(".*");
        place += 2;
      } else if (sign == '[') {
        int close = path.indexOf(']', place + 2);
        if (close < 0) {
          throw new BadInputException("PATH must close each '[' with ']': " + path);
        }
        regex.append(oneOf(path.substring(place + 1, close)));
        place = close + 1;
      } else {
        regex.append(sign == '*' ? "[^/]*" : sign == '?' ? "[^/]" : Pattern.quote("" + sign));
        place++;
      }
    }
    return regex.toString();
  }

  private static String oneOf(String signs) {
    boolean none = signs.startsWith("!");
    String escaped = signs.substring(none ? 1 : 0).replaceAll("[\\\\\\[\\]^&]", "\\\\$0");
    return "[" + (none ? "^/" : "") + escaped + "]";
  }
}
