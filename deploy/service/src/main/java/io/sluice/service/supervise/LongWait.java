package io.sluice.service.supervise;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Says of a wait that has no end of its own, every ten seconds, that it goes on and what for. */
public final class LongWait {
  private static final long EVERY_NANOS = Duration.ofSeconds(10).toNanos();

  private final Consumer<String> events;
  private final LongSupplier nanos;
  private final long begun;
  private long told;

  /** A wait that begins now. */
  public LongWait(Consumer<String> events) {
    this(events, System::nanoTime);
  }

  /**
   * The same by another clock.
   *
   * @param nanos its time, from anywhere
   */
  public LongWait(Consumer<String> events, LongSupplier nanos) {
    this.events = events;
    this.nanos = nanos;
    this.begun = nanos.getAsLong();
  }

  /**
   * Called as often as the waiting looks whether it is over.
   *
   * @param what is waited for, asked only when it is told
   */
  public void goOn(Supplier<String> what) {
    long waited = nanos.getAsLong() - begun;
    if (waited - told >= EVERY_NANOS) {
      told = waited;
      events.accept("waiting for " + Duration.ofNanos(waited).toSeconds() + " s: " + what.get());
    }
  }
}
