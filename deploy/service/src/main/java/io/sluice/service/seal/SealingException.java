package io.sluice.service.seal;

/** A dataset cannot be sealed for now; the message says why. */
final class SealingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SealingException(String message) {
    super(message);
  }
}
