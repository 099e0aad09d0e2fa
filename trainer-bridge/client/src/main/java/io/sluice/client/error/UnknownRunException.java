package io.sluice.client.error;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** No run of that name has been started; the message lists those that have. */
public final class UnknownRunException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnknownRunException(String run, Collection<String> known, Duration waited) {
    super(
        "no run '"
            + run
            + "' was started within "
            + Seconds.of(waited)
            + "; known runs: "
            + (known.isEmpty() ? "none" : String.join(", ", List.copyOf(known))));
  }
}
