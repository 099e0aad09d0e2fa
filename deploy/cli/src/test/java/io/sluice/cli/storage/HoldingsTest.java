package io.sluice.cli.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HoldingsTest {
  private static final Owner DATASET = new Owner(Owner.Kind.DATASET, "small");
  private static final Owner RUN = new Owner(Owner.Kind.RUN, "velo");
  private static final TopicBytes ONE = new TopicBytes(1, 3, 300, 100);

  @Test
  void ownersHaveTheSumOfTheirTopics() {
    Holdings holdings =
        new Holdings(
            new TreeMap<>(
                Map.of("blocks", DATASET, "eval", DATASET, "stream", RUN, "left", Owner.NOBODY)),
            new TreeMap<>(Map.of("blocks", ONE, "eval", ONE, "stream", ONE)));
    assertThat(holdings.byOwner())
        .containsExactly(
            Map.entry(DATASET, new TopicBytes(2, 6, 600, 200)),
            Map.entry(RUN, ONE),
            Map.entry(Owner.NOBODY, TopicBytes.NONE));
    assertThat(holdings.total()).isEqualTo(new TopicBytes(3, 9, 900, 300));
    assertThat(holdings.topics(DATASET)).containsOnlyKeys("blocks", "eval");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1024, 1.0 KiB",
    "1536, 1.5 KiB",
    "1073741824, 1.0 GiB",
    "9223372036854775807, 8.0 EiB"
  })
  void bytesAreReadable(long bytes, String text) {
    assertThat(ByteText.of(bytes)).isEqualTo(text);
  }
}
