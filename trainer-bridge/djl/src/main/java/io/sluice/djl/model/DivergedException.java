package io.sluice.djl.model;

/** A training whose loss or gradient is no longer a finite number. */
public final class DivergedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public DivergedException(String message) {
    super(message);
  }

  public static void requireFinite(String what, double value, long step) {
    if (!Double.isFinite(value)) {
      throw new DivergedException(
          what
              + " of step "
              + step
              + " must be finite: "
              + value
              + "; lower the learning rate or go back to a checkpoint");
    }
  }
}
