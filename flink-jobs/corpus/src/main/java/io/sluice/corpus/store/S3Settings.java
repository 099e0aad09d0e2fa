package io.sluice.corpus.store;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * How long a store is waited for that does not answer.
 *
 * @param patience since it answered last
 * @param notice told, once each time, that it is waited for
 */
public record S3Settings(Duration patience, Consumer<String> notice) {
  /** A minute. */
  public static S3Settings usual(Consumer<String> notice) {
    return new S3Settings(Duration.ofMinutes(1), notice);
  }

  /** As long as it takes. */
  public static S3Settings forever(Consumer<String> notice) {
    return new S3Settings(Duration.ofDays(36_500), notice);
  }
}
