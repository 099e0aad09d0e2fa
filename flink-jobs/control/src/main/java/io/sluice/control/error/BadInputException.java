package io.sluice.control.error;

/** Bad usage or input, which the user can mend: exit code 2. */
public sealed class BadInputException extends CommandException permits MissingTopicException {
  private static final long serialVersionUID = 1L;

  /** Says which input is bad, what is allowed, and what was found. */
  public BadInputException(String message) {
    super(message, null);
  }

  /**
   * Says which input is bad, what is allowed, and what was found, and keeps what caused it for
   * {@code --debug}.
   */
  public BadInputException(String message, Throwable cause) {
    super(message, cause);
  }

  @Override
  public int exitCode() {
    return 2;
  }
}
