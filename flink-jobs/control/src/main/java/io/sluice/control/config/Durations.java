package io.sluice.control.config;

import io.sluice.control.error.BadInputException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as people write them: {@code 500ms}, {@code 30s}, {@code 10m}, {@code 2h}, {@code 1d}. */
public final class Durations {
  /** How a time is written, for messages. */
  static final String FORM = "a time such as 500ms, 30s, 10m, 2h or 1d";

  private static final Pattern TEXT = Pattern.compile("(\\d{1,12})\\s*(ms|s|m|h|d)");

  private static final Map<String, ChronoUnit> UNITS =
      Map.of(
          "ms", ChronoUnit.MILLIS,
          "s", ChronoUnit.SECONDS,
          "m", ChronoUnit.MINUTES,
          "h", ChronoUnit.HOURS,
          "d", ChronoUnit.DAYS);

  private Durations() {}

  /** The time that the text holds; empty if it holds none. */
  public static Optional<Duration> parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip());
    if (!matcher.matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          Duration.of(Long.parseLong(matcher.group(1)), UNITS.get(matcher.group(2))));
    } catch (ArithmeticException | DateTimeException tooLong) {
      return Optional.empty();
    }
  }

  /**
   * The time that an option holds.
   *
   * @throws BadInputException naming the option, what it may be, and what it is
   */
  public static Duration require(String option, String text) {
    return parse(text)
        .orElseThrow(
            () ->
                new BadInputException(
                    option + " must be a time such as 500ms, 30s or 10m: '" + text + "'"));
  }

  /** A time that has passed, as people say it: in seconds, or in its two largest units. */
  public static String passed(Duration time) {
    long seconds = Math.max(0, time.toSeconds());
    if (seconds < 60) {
      return seconds + " s";
    }
    long minutes = seconds / 60;
    if (minutes < 60) {
      return minutes + " min" + rest(seconds % 60, " s");
    }
    long hours = minutes / 60;
    return hours < 24
        ? hours + " h" + rest(minutes % 60, " min")
        : hours / 24 + " d" + rest(hours % 24, " h");
  }

  private static String rest(long count, String unit) {
    return count == 0 ? "" : " " + count + unit;
  }

  /** The time as {@link #parse} reads it, in the largest unit that is exact. */
  public static String format(Duration time) {
    long millis = time.toMillis();
    if (millis % 1000 != 0 || millis == 0) {
      return millis + "ms";
    }
    long seconds = millis / 1000;
    if (seconds % 60 != 0) {
      return seconds + "s";
    }
    if (seconds % 3600 != 0) {
      return seconds / 60 + "m";
    }
    return seconds % 86_400 != 0 ? seconds / 3600 + "h" : seconds / 86_400 + "d";
  }
}
