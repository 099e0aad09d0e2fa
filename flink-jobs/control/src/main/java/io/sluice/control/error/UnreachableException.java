package io.sluice.control.error;

import org.jspecify.annotations.Nullable;

/** A broker or job that does not answer, or would not start: exit code 3. */
public final class UnreachableException extends CommandException {
  private static final long serialVersionUID = 1L;

  /** Says what does not answer and where. */
  public UnreachableException(String message) {
    super(message, null);
  }

  /** Says what does not answer and where, and keeps what caused it for {@code --debug}. */
  public UnreachableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  @Override
  public int exitCode() {
    return 3;
  }
}
