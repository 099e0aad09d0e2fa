package io.sluice.client.error;

import java.time.Duration;

/** No broker answered in time. */
public final class KafkaUnreachableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public KafkaUnreachableException(String bootstrapServers, Duration waited, Throwable cause) {
    super(
        "Kafka at "
            + bootstrapServers
            + " did not answer within "
            + waited.toMillis()
            + " ms: "
            + cause.getMessage(),
        cause);
  }
}
