package io.sluice.control.error;

/** The thing that was checked does not hold: exit code 1. */
public final class CheckFailedException extends CommandException {
  private static final long serialVersionUID = 1L;

  /** Says what does not hold. */
  public CheckFailedException(String message) {
    super(message, null);
  }

  /** Says what does not hold, and keeps what caused it for {@code --debug}. */
  public CheckFailedException(String message, Throwable cause) {
    super(message, cause);
  }

  @Override
  public int exitCode() {
    return 1;
  }
}
