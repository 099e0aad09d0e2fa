package io.sluice.client.error;

/** Why the bytes of a block cannot be trained on. */
public final class UnusableBlockException extends Exception {
  private static final long serialVersionUID = 1L;

  public UnusableBlockException(String reason) {
    super(reason);
  }
}
