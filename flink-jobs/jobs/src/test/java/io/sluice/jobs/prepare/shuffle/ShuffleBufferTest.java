package io.sluice.jobs.prepare.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.jobs.prepare.pack.TestingSlots;
import io.sluice.schema.DatasetSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShuffleBufferTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 10, 99, 100, 1000})
  void releasesEveryDocumentOnce(int capacity) {
    assertThat(order(TestingDatasets.dataset(8, capacity, 0), "java", 100))
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 100).boxed().toList());
  }

  @Test
  void capacityOneKeepsTheOrder() {
    assertThat(order(TestingDatasets.dataset(8, 1, 0), "java", 20))
        .isEqualTo(IntStream.range(0, 20).boxed().toList());
  }

  @Test
  void theOrderIsPartOfTheFormat() {
    assertThat(order(TestingDatasets.dataset(8, 4, 0), "java", 12))
        .containsExactly(2, 4, 3, 6, 5, 1, 8, 0, 11, 7, 9, 10);
  }

  @Test
  void seedAndDomainChangeTheOrder() {
    DatasetSpec spec = TestingDatasets.dataset(8, 16, 0);
    DatasetSpec reseeded = DatasetSpec.newBuilder(spec).setSeed(8).build();

    assertThat(order(spec, "java", 100))
        .isNotEqualTo(order(spec, "prose", 100))
        .isNotEqualTo(order(reseeded, "java", 100))
        .isEqualTo(order(spec, "java", 100));
  }

  @Test
  void everySlotIsPickedAboutEquallyOften() {
    int capacity = 10;
    ShuffleBuffer buffer =
        new ShuffleBuffer(
            TestingDatasets.dataset(8, capacity, 0), "java", new TestingSlots(), 0, 0);
    int[] ages = new int[4];
    for (int i = 0; i < 20_000; i++) {
      int arrived = i;
      buffer
          .exchange(bytes(i))
          .ifPresent(released -> ages[Math.min(3, (arrived - number(released)) / capacity)]++);
    }
    // A document stays for k exchanges with probability (1 - 1/capacity)^k.
    assertThat(ages[0] / 19_990.0).isBetween(0.57, 0.66);
    assertThat(ages[1] / 19_990.0).isBetween(0.20, 0.27);
  }

  @Test
  void restoredEqualsNeverStoppedAtEveryDocument() {
    DatasetSpec spec = TestingDatasets.dataset(8, 5, 0);
    TestingSlots slots = new TestingSlots();
    ShuffleBuffer buffer = new ShuffleBuffer(spec, "java", slots, 0, 0);
    List<Integer> released = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      buffer.exchange(bytes(i)).ifPresent(document -> released.add(number(document)));
      slots = slots.copy();
      buffer = new ShuffleBuffer(spec, "java", slots, buffer.size(), buffer.picks());
    }
    drain(buffer, released);

    assertThat(released).isEqualTo(order(spec, "java", 30));
    assertThat(slots.documents()).isEmpty();
  }

  private static List<Integer> order(DatasetSpec spec, String domain, int documents) {
    ShuffleBuffer buffer = new ShuffleBuffer(spec, domain, new TestingSlots(), 0, 0);
    List<Integer> released = new ArrayList<>();
    for (int i = 0; i < documents; i++) {
      buffer.exchange(bytes(i)).ifPresent(document -> released.add(number(document)));
    }
    drain(buffer, released);
    return released;
  }

  private static void drain(ShuffleBuffer buffer, List<Integer> released) {
    for (Optional<byte[]> left = buffer.drain(); left.isPresent(); left = buffer.drain()) {
      released.add(number(left.get()));
    }
  }

  private static byte[] bytes(int number) {
    return new byte[] {(byte) number, (byte) (number >>> 8), (byte) (number >>> 16)};
  }

  private static int number(byte[] bytes) {
    return (bytes[0] & 0xFF) | (bytes[1] & 0xFF) << 8 | (bytes[2] & 0xFF) << 16;
  }
}
