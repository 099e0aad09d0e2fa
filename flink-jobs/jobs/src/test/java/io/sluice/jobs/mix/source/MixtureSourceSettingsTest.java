package io.sluice.jobs.mix.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.jobs.heap.HeapShare;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MixtureSourceSettingsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void everyKeyIsTakenAndHasARange() {
    assertThat(
            new MixtureSourceSettings(
                SECOND, 1 << 20, 7, 1 << 21, Duration.ofSeconds(2), new HeapShare(.5)))
        .hasToString(
            "MixtureSourceSettings[discoveryInterval=PT1S, fetchBytes=1048576, domainsOfAReader=7,"
                + " unsentBytes=2097152, waitReport=PT2S, heapShare=HeapShare[share=0.5]]");
    assertThatThrownBy(() -> of(Duration.ZERO, 1 << 20, 7, 1 << 20, SECOND))
        .hasMessage("source's discovery interval must be at least 1 ms: PT0S");
    assertThatThrownBy(() -> of(SECOND, 1, 7, 1 << 20, SECOND))
        .hasMessage("source's fetch budget must be at least 65536 bytes: 1");
    assertThatThrownBy(() -> of(SECOND, 1 << 20, 0, 1 << 20, SECOND))
        .hasMessage("source's domains of a reader must be at least 1: 0");
    assertThatThrownBy(() -> of(SECOND, 1 << 20, 7, 1, SECOND))
        .hasMessage("source's budget of unsent bytes must be at least 65536 bytes: 1");
    assertThatThrownBy(() -> of(SECOND, 1 << 20, 7, 1 << 20, Duration.ZERO))
        .hasMessage("source's wait report must be at least 1 ms: PT0S");
  }

  private static MixtureSourceSettings of(
      Duration discovery, long fetch, int domains, long unsent, Duration wait) {
    return new MixtureSourceSettings(discovery, fetch, domains, unsent, wait, null);
  }
}
