package io.sluice.client.cache;

/** An object is not there yet: it may be asked for again. */
public final class ObjectAwaitedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ObjectAwaitedException(String message) {
    super(message);
  }
}
