package io.sluice.cli.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class IngestRateTest {
  private final AtomicLong nanos = new AtomicLong(-5);

  @Test
  void aLineSaysHowFarItIsHowFastItGoesAndWhatIsLeft() {
    IngestRate rate = new IngestRate("ingest web", 400_000_000_000L, nanos::get);
    rate.document();
    rate.document();
    assertThat(rate.read(1_000_000)).isEmpty();
    pass(Duration.ofMillis(9_999));
    assertThat(rate.read(1_000_000)).isEmpty();
    pass(Duration.ofMillis(1));
    assertThat(rate.read(498_000_000))
        .contains(
            "ingest web: 500.0 of 400,000.0 MB read, 2 documents written, 50.0 MB/s,"
                + " 2:13:10 left");
    assertThat(rate.read(1)).isEmpty();
    pass(IngestRate.EVERY);
    assertThat(rate.read(499_999_999)).get().asString().startsWith("ingest web: 1,000.0 of");
  }

  @Test
  void ofAStreamNobodyKnowsWhatIsLeft() {
    IngestRate rate = new IngestRate("ingest web", -1, nanos::get);
    pass(IngestRate.EVERY);
    assertThat(rate.read(20_000_000))
        .contains("ingest web: 20.0 MB read, 0 documents written, 2.0 MB/s");
  }

  @Test
  void anIngestThatReadsNothingHasNoTimeLeft() {
    IngestRate rate = new IngestRate("ingest web", 10, nanos::get);
    pass(IngestRate.EVERY);
    assertThat(rate.read(0))
        .contains("ingest web: 0.0 of 0.0 MB read, 0 documents written, 0.0 MB/s");
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }
}
