package io.sluice.client.error;

/** The run went on under a newer timeline than the reader's. */
public final class RewoundException extends StreamException {
  private static final long serialVersionUID = 1L;

  private final int timeline;
  private final long batch;

  public RewoundException(int own, int timeline, long batch) {
    super(
        "the run was rewound to batch "
            + batch
            + " and goes on as timeline "
            + timeline
            + " (this reader follows timeline "
            + own
            + "): resume from a checkpoint at or before batch "
            + batch);
    this.timeline = timeline;
    this.batch = batch;
  }

  /** The newer timeline. */
  public int timeline() {
    return timeline;
  }

  /** Batch before the first one seen under the newer timeline. */
  public long batch() {
    return batch;
  }
}
