package io.sluice.client.run;

import java.util.Locale;

/** What a training loop stands still for while its next batch is not there. */
public enum WaitCause {
  /** The batch is not granted yet: its round's feedback is missing, or the run is held back. */
  GRANT,

  /** The batch is not granted for want of prepared documents. */
  SUPPLY,

  /** The batch is granted, and as far as the broker has told the service has not written it. */
  EMISSION,

  /** No broker answers. */
  BROKER,

  /** The broker has the batch, and it has not all arrived. */
  NETWORK,

  /** The rows are put together. */
  DECODE;

  private final String label = name().toLowerCase(Locale.ROOT);

  /** The cause as people and other programs read it. */
  public String label() {
    return label;
  }
}
