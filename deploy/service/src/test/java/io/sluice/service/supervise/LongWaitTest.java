package io.sluice.service.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class LongWaitTest {
  private final AtomicLong nanos = new AtomicLong(-5);
  private final List<String> events = new ArrayList<>();
  private final LongWait wait = new LongWait(events::add, nanos::get);

  @Test
  void tellsEveryTenSecondsWhatItWaitsFor() {
    goOnAfter(Duration.ofSeconds(9));
    assertThat(events).isEmpty();
    goOnAfter(Duration.ofSeconds(1));
    goOnAfter(Duration.ofSeconds(9));
    assertThat(events).containsExactly("waiting for 10 s: a train");
    goOnAfter(Duration.ofHours(1));
    assertThat(events).containsExactly("waiting for 10 s: a train", "waiting for 3619 s: a train");
  }

  private void goOnAfter(Duration time) {
    nanos.addAndGet(time.toNanos());
    wait.goOn(() -> "a train");
  }
}
