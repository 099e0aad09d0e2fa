package io.sluice.refine.synthesis.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;

/** The header {@code Retry-After}: seconds, or a date as RFC 9110 section 5.6.7 prefers it. */
final class RetryAfter {
  private static final Pattern SECONDS = Pattern.compile("\\d{1,9}");

  private RetryAfter() {}

  /** How long to wait from now on; empty if the value says neither. */
  static Optional<Duration> parse(String value, Instant now) {
    String said = value.strip();
    if (SECONDS.matcher(said).matches()) {
      return Optional.of(Duration.ofSeconds(Long.parseLong(said)));
    }
    try {
      Instant until = ZonedDateTime.parse(said, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      Duration pause = Duration.between(now, until);
      return Optional.of(pause.isNegative() ? Duration.ZERO : pause);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
