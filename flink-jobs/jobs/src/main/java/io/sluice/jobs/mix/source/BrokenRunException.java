package io.sluice.jobs.mix.source;

/** A run that cannot go on: its logs contradict each other. Other runs are not concerned. */
final class BrokenRunException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BrokenRunException(String message) {
    super(message);
  }
}
