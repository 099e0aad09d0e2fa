package io.sluice.mixture.log;

/** Something is not as Sluice itself must have made it: its run stops, and the others go on. */
public final class InvariantViolatedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public InvariantViolatedException(String what, Object expected, Object actual) {
    super(what + " must be " + expected + ": " + actual);
  }
}
