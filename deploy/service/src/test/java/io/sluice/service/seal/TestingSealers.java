package io.sluice.service.seal;

import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.Patience;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** Sealers whose clock goes on by a second each time that they work. */
final class TestingSealers implements AutoCloseable {
  private static final Duration WAIT = Duration.ofMillis(100);

  private final Sealers sealers;
  private final AtomicLong nanos;

  TestingSealers(KafkaAccess access, InstantSource clock, AtomicLong nanos, List<String> events) {
    this.sealers = new Sealers(access, "c", clock, nanos::get, events::add);
    this.nanos = nanos;
  }

  void apply(DatasetSpec spec) {
    sealers.apply(spec);
  }

  boolean work() {
    boolean waited = sealers.work(WAIT);
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    return waited;
  }

  /** Works until something is so. */
  void await(BooleanSupplier condition) {
    Patience.await(
        Duration.ofMinutes(1),
        () -> {
          work();
          return condition.getAsBoolean();
        });
  }

  @Override
  public void close() {
    sealers.close();
  }
}
