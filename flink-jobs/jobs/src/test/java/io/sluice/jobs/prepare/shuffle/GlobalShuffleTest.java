package io.sluice.jobs.prepare.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.jobs.prepare.dataset.ShuffleSettings;
import io.sluice.jobs.prepare.pack.TestingSlots;
import io.sluice.jobs.prepare.shuffle.ShuffleQuality.Measure;
import io.sluice.schema.DatasetSpec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class GlobalShuffleTest {
  private static final DatasetSpec SPEC = TestingDatasets.dataset(8, ShuffleSettings.GLOBAL, 0);

  private static byte[] document(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  private static Shuffle filled(TestingSlots slots, int documents) {
    Shuffle shuffle = Shuffle.of(SPEC, "java", slots, 0, 0);
    for (int i = 0; i < documents; i++) {
      assertThat(shuffle.exchange(document(i))).isEmpty();
    }
    return shuffle;
  }

  private static void drain(Shuffle shuffle, int most, List<Integer> order) {
    for (int i = 0; i < most; i++) {
      Optional<byte[]> next = shuffle.drain();
      next.ifPresent(document -> order.add(ByteBuffer.wrap(document).getInt()));
    }
  }

  @Test
  void everyDocumentComesOnceWhateverTheirNumber() {
    for (int documents = 0; documents < 300; documents++) {
      List<Integer> order = new ArrayList<>();
      TestingSlots slots = new TestingSlots();
      drain(filled(slots, documents), documents + 1, order);

      assertThat(order)
          .containsExactlyInAnyOrderElementsOf(IntStream.range(0, documents).boxed().toList());
      assertThat(slots.documents()).isEmpty();
    }
  }

  @Test
  void restoredEqualsNeverStopped() {
    List<Integer> straight = new ArrayList<>();
    drain(filled(new TestingSlots(), 77), 77, straight);

    TestingSlots slots = new TestingSlots();
    Shuffle shuffle = filled(slots, 50);
    shuffle = Shuffle.of(SPEC, "java", slots, shuffle.size(), shuffle.picks());
    for (int i = 50; i < 77; i++) {
      shuffle.exchange(document(i));
    }
    List<Integer> order = new ArrayList<>();
    while (shuffle.size() > 0) {
      drain(shuffle, 5, order);
      shuffle = Shuffle.of(SPEC, "java", slots, shuffle.size(), shuffle.picks());
    }
    assertThat(order).isEqualTo(straight);
    assertThat(shuffle.entered()).isEqualTo(77);
  }

  @Test
  void noneComesInOnceTheyGo() {
    Shuffle shuffle = filled(new TestingSlots(), 2);
    shuffle.drain();
    assertThatThrownBy(() -> shuffle.exchange(document(2)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a document comes after 1 were drawn of all");
  }

  @Test
  void itIsAsGoodAsAShuffleOfAllAtOnceIsExpectedToBe() {
    ShuffleQuality quality = ShuffleQuality.of(SPEC, "java", 20_000).orElseThrow();
    for (Measure measure : List.of(quality.distance(), quality.variance())) {
      assertThat(measure.here()).isCloseTo(measure.global(), Percentage.withPercentage(8));
    }
    assertThat(quality.kept().here()).isLessThan(10.0 / 20_000);
  }
}
