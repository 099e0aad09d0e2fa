package io.sluice.client.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.Limits;
import io.sluice.schema.ReadBatches;
import io.sluice.schema.segment.BatchDigest;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class UnsaidDigestsTest {
  private final UnsaidDigests digests = new UnsaidDigests();

  static LongStream seeds() {
    return LongStream.range(0, 100);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyBatchIsSaidOnceInPartsThatARecordCanSay(long seed) {
    Random random = new Random(seed);
    TreeMap<Long, Long> unsaid = new TreeMap<>();
    long batch = random.nextInt(10);
    for (int step = 0; step < 20; step++) {
      for (int more = random.nextInt(3000); more > 0; more--) {
        batch++;
        digests.add(batch, 3 * batch);
        unsaid.put(batch, 3 * batch);
      }
      if (random.nextInt(5) == 0) {
        digests.forget();
        unsaid.clear();
        batch = random.nextInt(10_000);
      }
      long to = Math.max(0, batch - random.nextInt(3));
      TreeMap<Long, Long> said = new TreeMap<>();
      for (ReadBatches part : digests.take(to)) {
        BatchDigest.requirePossible(part, to);
        for (int i = 0; i < part.getDigests().size(); i++) {
          assertThat(said.put(part.getFirst() + i, part.getDigests().get(i))).isNull();
        }
      }
      assertThat(said).isEqualTo(unsaid.headMap(to, true));
      unsaid.headMap(to, true).clear();
    }
  }

  @Test
  void whoeverReportsNothingKeepsTheLastOnes() {
    long most = UnsaidDigests.MOST;
    for (long batch = 1; batch <= most + 5; batch++) {
      digests.add(batch, batch);
    }
    List<ReadBatches> taken = digests.take(most + 5);
    assertThat(taken).hasSize((int) (most / Limits.DIGESTS));
    assertThat(taken.get(0).getFirst()).isEqualTo(6);
    assertThat(digests.take(most + 5)).isEmpty();
  }
}
