package io.sluice.client.error;

/** A rank out of its range, or a world size that does not divide the run's batches. */
public final class InvalidWorldSizeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public InvalidWorldSizeException(String message) {
    super(message);
  }
}
