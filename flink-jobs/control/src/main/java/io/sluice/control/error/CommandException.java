package io.sluice.control.error;

import org.jspecify.annotations.Nullable;

/** The end of a command without success; the message is the one line its user reads. */
public abstract sealed class CommandException extends RuntimeException
    permits CheckFailedException, BadInputException, UnreachableException {
  private static final long serialVersionUID = 1L;

  CommandException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Exit code of the process. */
  public abstract int exitCode();
}
