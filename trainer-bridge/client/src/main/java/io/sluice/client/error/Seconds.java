package io.sluice.client.error;

import java.math.BigDecimal;
import java.time.Duration;

/**
 * Times in messages, as people and the client in Python write them: {@code 20 s}, {@code 0.5 s}.
 */
public final class Seconds {
  private Seconds() {}

  /** A time, to the millisecond. */
  public static String of(Duration time) {
    String seconds = BigDecimal.valueOf(time.toMillis(), 3).stripTrailingZeros().toPlainString();
    return seconds + " s";
  }
}
