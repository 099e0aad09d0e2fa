package io.sluice.jobs.mix.split;

/** A run that cannot go on: its logs contradict each other. Other runs are not concerned. */
public final class BrokenRunException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BrokenRunException(String message) {
    super(message);
  }
}
