package io.sluice.service.cache;

/** There is no room for an object in the cache, or on its disk. */
final class NoRoomException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NoRoomException(String message) {
    super(message);
  }
}
