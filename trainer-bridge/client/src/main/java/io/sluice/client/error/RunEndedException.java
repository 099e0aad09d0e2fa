package io.sluice.client.error;

/** The run will not give another batch: it completed, was stopped or deleted, or failed. */
public final class RunEndedException extends StreamException {
  private static final long serialVersionUID = 1L;

  private final String state;
  private final long lastBatch;

  public RunEndedException(String run, String state, long lastBatch, String why) {
    super(
        "run "
            + run
            + " is "
            + state
            + (why.isEmpty() ? "" : " (" + why + ")")
            + ": batch "
            + lastBatch
            + " was the last one handed out");
    this.state = state;
    this.lastBatch = lastBatch;
  }

  /** 'completed', 'stopped', 'deleted' or 'failed'. */
  public String state() {
    return state;
  }

  /** Whether it was completed or stopped: all that was granted was handed out. */
  public boolean inOrder() {
    return state.equals("completed") || state.equals("stopped");
  }

  /** Last batch that the stream handed out; 0 when none was. */
  public long lastBatch() {
    return lastBatch;
  }
}
