package io.sluice.service.cache;

/** A store has other bytes under a name than those that it stands for. */
final class OtherBytesException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  OtherBytesException(String message) {
    super(message);
  }
}
