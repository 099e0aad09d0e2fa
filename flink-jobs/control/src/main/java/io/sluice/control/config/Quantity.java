package io.sluice.control.config;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A whole number with a unit, as people write it: {@code 512 sequences}, {@code 4M tokens}, {@code
 * 1.5Ki}.
 *
 * @param value the number, multiplied out
 * @param unit the word behind it; '' when there is none
 */
public record Quantity(long value, String unit) {
  /** How a quantity is written, for messages. */
  static final String FORM = "a whole number, such as 512, 4M or 64Ki";

  private static final Pattern TEXT =
      Pattern.compile(
          "([+-]?\\d[\\d_]*(?:\\.\\d+)?)(k|K|M|G|B|T|Ki|Mi|Gi|Ti)?(?:\\s+([A-Za-z]+))?");

  private static final Map<String, Long> MULTIPLIERS =
      Map.of(
          "B", 1_000_000_000L,
          "k", 1_000L,
          "K", 1_000L,
          "M", 1_000_000L,
          "G", 1_000_000_000L,
          "T", 1_000_000_000_000L,
          "Ki", 1L << 10,
          "Mi", 1L << 20,
          "Gi", 1L << 30,
          "Ti", 1L << 40);

  /** The quantity that the text holds; empty if it holds none, or one that is not whole. */
  public static Optional<Quantity> parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip());
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String prefix = matcher.group(2);
    long multiplier = prefix == null ? 1 : MULTIPLIERS.getOrDefault(prefix, 1L);
    BigDecimal number = new BigDecimal(matcher.group(1).replace("_", ""));
    try {
      long value = number.multiply(BigDecimal.valueOf(multiplier)).longValueExact();
      return Optional.of(new Quantity(value, matcher.group(3) == null ? "" : matcher.group(3)));
    } catch (ArithmeticException notWholeOrTooLarge) {
      return Optional.empty();
    }
  }
}
