package io.sluice.control.topics;

import java.time.Duration;

/** No broker answered in time; the message names the servers that were tried and the wait. */
public final class BrokerUnreachableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BrokerUnreachableException(String bootstrapServers, Duration wait, Throwable cause) {
    super(
        "Kafka is unreachable: no answer from "
            + bootstrapServers
            + " within "
            + wait.toMillis() / 1000.0
            + " s ("
            + cause.getMessage()
            + ")",
        cause);
  }
}
