package io.sluice.schema;

import java.time.Duration;

/** No broker answered in time; the message names the servers that were tried and the wait. */
public final class KafkaUnreachableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** After a wait in vain. */
  public KafkaUnreachableException(String bootstrapServers, Duration waited, Throwable cause) {
    super(
        "Kafka is unreachable: no answer from "
            + bootstrapServers
            + " within "
            + waited.toMillis() / 1000.0
            + " s ("
            + cause.getMessage()
            + ")",
        cause);
  }
}
