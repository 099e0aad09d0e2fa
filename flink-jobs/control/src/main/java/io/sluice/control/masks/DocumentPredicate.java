package io.sluice.control.masks;

import io.sluice.schema.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What documents are meant by a text such as {@code source = "forum x" and score < 0.2}: conditions
 * that all hold, of a document's {@code id}, its {@code origin}, or one of its properties.
 *
 * <p>A value in quotes, or that is no number, is a text: {@code =} and {@code !=} compare it as it
 * is. One that is a number is compared as a number; so are values with {@code <}, {@code <=},
 * {@code >} and {@code >=}. A property that is missing, or no number where one is needed, meets no
 * condition, {@code !=} neither.
 */
public final class DocumentPredicate {
  private static final int MOST_CONDITIONS = 32;

  /** A name, an operator and a value; the value, or a name, may be in quotes. */
  private static final Pattern CONDITION =
      Pattern.compile(
          "\\s*(?:\"([^\"]*)\"|([\\w.-]+))\\s*(=|!=|<=|>=|<|>)\\s*"
              + "(?:\"([^\"]*)\"|'([^']*)'|([^\\s\"'=<>!][^\\s\"']*))\\s*");

  private static final Pattern AND = Pattern.compile("and\\b", Pattern.CASE_INSENSITIVE);

  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d{1,3})?");

  private final String text;
  private final List<Condition> conditions;

  private DocumentPredicate(String text, List<Condition> conditions) {
    this.text = text;
    this.conditions = List.copyOf(conditions);
  }

  /** One condition; {@code number} is null where texts are compared. */
  private record Condition(String name, String operator, String value, @Nullable Double number) {
    boolean holds(@Nullable String found) {
      if (found == null) {
        return false;
      }
      if (number == null) {
        return operator.equals("=") == found.equals(value);
      }
      Double is = numberOf(found);
      if (is == null) {
        return false;
      }
      int order = Double.compare(is, number);
      return switch (operator) {
        case "=" -> order == 0;
        case "!=" -> order != 0;
        case "<" -> order < 0;
        case "<=" -> order <= 0;
        case ">" -> order > 0;
        default -> order >= 0;
      };
    }
  }

  /**
   * Reads a predicate.
   *
   * @throws IllegalArgumentException saying where it cannot be read, and what may stand there
   */
  public static DocumentPredicate parse(String text) {
    Limits.requireText("--where", text, 1, Limits.TEXT);
    List<Condition> conditions = new ArrayList<>();
    Matcher condition = CONDITION.matcher(text);
    int at = 0;
    while (true) {
      if (!condition.region(at, text.length()).lookingAt()) {
        throw unreadable(text, at, "NAME = VALUE, with one of = != < <= > >=");
      }
      conditions.add(condition(text, at, condition));
      at = condition.end();
      if (at == text.length()) {
        return new DocumentPredicate(text, conditions);
      }
      Matcher and = AND.matcher(text).region(at, text.length());
      if (!and.lookingAt()) {
        throw unreadable(text, at, "'and'");
      }
      if (conditions.size() == MOST_CONDITIONS) {
        throw new IllegalArgumentException(
            "--where must have at most " + MOST_CONDITIONS + " conditions");
      }
      at = and.end();
    }
  }

  private static Condition condition(String text, int at, Matcher found) {
    String name = found.group(1) == null ? found.group(2) : found.group(1);
    String operator = found.group(3);
    boolean bare = found.group(6) != null;
    String value = bare ? found.group(6) : found.group(4) == null ? found.group(5) : found.group(4);
    Double number = bare || !isOfTexts(operator) ? numberOf(value) : null;
    if (number == null && !isOfTexts(operator)) {
      throw unreadable(text, at, "a number behind " + operator);
    }
    return new Condition(name, operator, value, number);
  }

  private static boolean isOfTexts(String operator) {
    return operator.equals("=") || operator.equals("!=");
  }

  /** The number that a text is; null if it is none. */
  private static @Nullable Double numberOf(String text) {
    String bare = text.strip();
    // 0.0 and -0.0 are one number.
    return NUMBER.matcher(bare).matches() ? Double.valueOf(Double.parseDouble(bare) + 0.0) : null;
  }

  private static IllegalArgumentException unreadable(String text, int at, String wanted) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "--where must have %s at character %d: '%s'",
            wanted,
            at + 1,
            Limits.shown(text.substring(at))));
  }

  /**
   * Whether a document is meant.
   *
   * @param properties of the document
   */
  public boolean test(String id, String origin, Map<String, String> properties) {
    return conditions.stream()
        .allMatch(
            each ->
                each.holds(
                    switch (each.name()) {
                      case "id" -> id;
                      case "origin" -> origin;
                      default -> properties.get(each.name());
                    }));
  }

  @Override
  public String toString() {
    return text;
  }
}
