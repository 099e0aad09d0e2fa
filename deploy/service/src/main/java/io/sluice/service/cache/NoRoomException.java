package io.sluice.service.cache;

/** There is no room for an object in the cache, or on its disk. */
final class NoRoomException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean passes;

  private NoRoomException(String message, boolean passes) {
    super(message);
    this.passes = passes;
  }

  /** There will be none either, as long as nobody does something about it. */
  static NoRoomException lasting(String message) {
    return new NoRoomException(message, false);
  }

  /** There will be once what is on its way has come. */
  static NoRoomException passing(String message) {
    return new NoRoomException(message, true);
  }

  /** Whether there will be room. */
  boolean passes() {
    return passes;
  }
}
