package io.sluice.client.cache;

/** A node's cache has no room for an object. */
public final class CacheFullException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CacheFullException(String message) {
    super(message);
  }
}
