package io.sluice.serve.web;

/** No run of an id has started. */
final class UnknownRunException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnknownRunException(String runId) {
    super("no run of this id has started: '" + runId + "'");
  }
}
