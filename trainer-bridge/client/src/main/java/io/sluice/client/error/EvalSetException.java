package io.sluice.client.error;

/** Held-out blocks that are missing, incomplete or unreadable; the message names the domains. */
public final class EvalSetException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public EvalSetException(String message) {
    super(message);
  }
}
