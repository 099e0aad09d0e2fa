package io.sluice.client;

/** A run whose token ids the trainer's model cannot take. */
public final class TokenizerMismatchException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  TokenizerMismatchException(String message) {
    super(message);
  }
}
