package io.sluice.client.wait;

import io.sluice.schema.RunStatus;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Whether a batch that is not granted is waited for for want of documents, which the service alone
 * knows: asked after a second, and then the less often the longer the wait is. One thread asks.
 */
public final class SupplyQuestion {
  /** What the status of such a run begins with. */
  private static final String FOR_SUPPLY = "supply: ";

  private static final long FIRST_NANOS = Duration.ofSeconds(1).toNanos();

  private final Supplier<Optional<RunStatus>> status;
  private volatile long batch = -1;
  private long askedAfter;
  private volatile boolean lacks;

  /**
   * A question that nobody has asked.
   *
   * @param status what the service says of the run, if anything
   */
  public SupplyQuestion(Supplier<Optional<RunStatus>> status) {
    this.status = status;
  }

  /** A batch that is not granted has been waited for for so long. */
  public void waits(long awaited, long nanos) {
    if (nanos < FIRST_NANOS || (awaited == batch && nanos < 2 * askedAfter)) {
      return;
    }
    batch = awaited;
    askedAfter = nanos;
    lacks = status.get().filter(said -> said.getWaiting().startsWith(FOR_SUPPLY)).isPresent();
  }

  /**
   * Whether the last answer was, as any thread may ask, that documents are wanting for this batch.
   */
  public boolean lacks(long awaited) {
    return awaited == batch && lacks;
  }
}
