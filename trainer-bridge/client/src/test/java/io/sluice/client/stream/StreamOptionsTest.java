package io.sluice.client.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.client.run.TrainerRank;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StreamOptionsTest {
  @Test
  void everyKeyCanBeSet() {
    TrainerRank rank = TrainerRank.of(1, 4);
    StreamOptions options =
        StreamOptions.defaults()
            .withGapTimeout(Duration.ofSeconds(1))
            .withStatusInterval(Duration.ofSeconds(2))
            .withBufferBytes(3)
            .withRank(rank)
            .withMetrics(Set.of("m"))
            .withCache(Path.of("/cache"))
            .observing();
    assertThat(options)
        .hasToString(
            "StreamOptions[gapTimeout=PT1S, statusInterval=PT2S, bufferBytes=3, rank="
                + rank
                + ", attaches=false, metrics=[m], cache=Optional[/cache]]");
    assertThatThrownBy(() -> options.withGapTimeout(Duration.ZERO))
        .hasMessage("gapTimeout must be positive: PT0S");
    assertThatThrownBy(() -> options.withStatusInterval(Duration.ZERO))
        .hasMessage("statusInterval must be positive: PT0S");
    assertThatThrownBy(() -> options.withBufferBytes(-1))
        .hasMessage("bufferBytes must not be negative: -1");
  }
}
