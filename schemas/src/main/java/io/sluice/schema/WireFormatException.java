package io.sluice.schema;

/** Bytes that are not the record they were read as; the message says what was found. */
public final class WireFormatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  WireFormatException(String message) {
    super(message);
  }

  WireFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
