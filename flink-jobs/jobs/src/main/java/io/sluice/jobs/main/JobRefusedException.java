package io.sluice.jobs.main;

/** Says why a job is not started, and what to do. */
public final class JobRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  JobRefusedException(String message) {
    super(message);
  }
}
