package io.sluice.client;

/** Held-out blocks that are missing, incomplete or unreadable; the message names the domains. */
public final class EvalSetException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  EvalSetException(String message) {
    super(message);
  }
}
