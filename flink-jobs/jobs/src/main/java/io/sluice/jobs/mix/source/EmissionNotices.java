package io.sluice.jobs.mix.source;

/**
 * Tells people why granted batches of a run are not emitted. Nobody waits for that, and it may be
 * lost. From any thread.
 */
interface EmissionNotices extends AutoCloseable {
  /**
   * A lane of a run waits.
   *
   * @param reason with names and numbers
   */
  void waits(String runId, int lane, String reason, long sinceMillis);

  /** A lane of a run does not wait any more, or it is not this reader's. */
  void flows(String runId, int lane);

  @Override
  void close();
}
