package io.sluice.client.cache;

/** An object is not there yet: it may be asked for again. */
public final class ObjectAwaitedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** One that says what is awaited. */
  public ObjectAwaitedException(String message) {
    super(message);
  }
}
