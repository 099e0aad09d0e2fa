package io.sluice.client.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.block.BlockReader;
import io.sluice.client.block.Sequence;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DataAgeTest {
  private static final Instant NOW = Instant.ofEpochMilli(10_000);

  private final TestingStream stream = new TestingStream(1, 4);

  @Test
  void isOfTheBlocksThatSayWhenTheyWerePacked() {
    assertThat(batch(9_000, 0, 4_000, 9_500).age(NOW))
        .contains(new DataAge(Duration.ofMillis(2_500), Duration.ofMillis(6_000)));
  }

  @Test
  void isUnknownWhenNoBlockSays() {
    assertThat(batch(0, 0, 0, 0).age(NOW)).isEmpty();
  }

  @Test
  void isNotNegativeWhereClocksDiffer() {
    assertThat(batch(10_500, 9_000, 0, 0).age(NOW))
        .contains(new DataAge(Duration.ofMillis(500), Duration.ofSeconds(1)));
  }

  private GlobalBatch batch(long... producedAt) {
    BlockReader reader = new BlockReader(stream.run());
    List<Sequence> rows =
        Arrays.stream(producedAt)
            .mapToObj(
                millis -> {
                  TokenBlock block = TestingStream.block("java", 7);
                  block.setProducedAtMillis(millis);
                  ByteBuffer encoded = ByteBuffer.wrap(WireCodec.encode(block));
                  return new Sequence(
                      stream.sequence(0).header(), encoded, reader.inspect(encoded), reader);
                })
            .toList();
    return new GlobalBatch(0, 1, 0, rows.size(), 1, 0, rows);
  }
}
