package io.sluice.client.error;

/** A run whose token ids the trainer's model cannot take. */
public final class TokenizerMismatchException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public TokenizerMismatchException(String message) {
    super(message);
  }
}
