package io.sluice.client;

/** Why the bytes of a block cannot be trained on. */
final class UnusableBlockException extends Exception {
  private static final long serialVersionUID = 1L;

  UnusableBlockException(String reason) {
    super(reason);
  }
}
