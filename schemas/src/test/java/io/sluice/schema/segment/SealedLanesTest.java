package io.sluice.schema.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.FileInPlace;
import io.sluice.schema.Segment;
import io.sluice.schema.StoredPart;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class SealedLanesTest {
  private final SealedLanes sealed = new SealedLanes(7);

  @Test
  void countsWhatIsCoveredFromTheFirstBlockOnWithoutAGap() {
    assertThat(sealed.rows("a", 0)).isZero();
    sealed.take(segment(4, 6));
    assertThat(sealed.rows("a", 0)).isZero();
    sealed.take(segment(0, 3));
    assertThat(sealed.rows("a", 0)).isEqualTo(3);
    sealed.take(segment(2, 2));
    assertThat(sealed.rows("a", 0)).isEqualTo(10);
    assertThat(sealed.rows("a", 1)).isZero();
    assertThat(sealed.rows("b", 0)).isZero();
    assertThat(sealed.last("a", 0)).contains(segment(4, 6));
    assertThat(sealed.last("b", 0)).isEmpty();
  }

  @Test
  void countsTheSameInWhateverOrderTheyCome() {
    List<Segment> segments = new ArrayList<>();
    for (int first = 0; first < 100; first += 5) {
      segments.add(segment(first, 5 + first % 3));
    }
    for (int seed = 0; seed < 50; seed++) {
      Collections.shuffle(segments, new Random(seed));
      SealedLanes lanes = new SealedLanes(7);
      segments.forEach(lanes::take);
      assertThat(lanes.rows("a", 0)).as("seed %d", seed).isEqualTo(102);
    }
  }

  @Test
  void takesNothingOfAnotherFingerprintAndNoSegmentWithoutARow() {
    sealed.take(Segment.newBuilder(segment(0, 3)).setFingerprint(8).build());
    sealed.take(segment(0, 0));
    sealed.take(segment(-1, 9));
    assertThat(sealed.rows("a", 0)).isZero();
    assertThat(sealed.objects()).isEmpty();
  }

  @Test
  void knowsTheObjectsOfWhatCounts() {
    sealed.take(segment(0, 3));
    Segment again = segment(0, 3);
    again.setSide(new StoredPart("d/2.side", 0L, 1L, ""));
    sealed.take(again);
    assertThat(sealed.objects()).containsExactlyInAnyOrder("d/0.rows", "d/2.side");
    assertThat(SealedLanes.key(again)).isEqualTo("a/0/0");
  }

  @Test
  void knowsWhichLanesAreInPlace() {
    sealed.take(segment(0, 3));
    Segment inPlace = segment(0, 3);
    inPlace.setDomain("b");
    inPlace.setStride(256);
    inPlace.setFile(new FileInPlace(770L, "1", ""));
    sealed.take(inPlace);
    assertThat(sealed.isInPlace("a", 0)).isFalse();
    assertThat(sealed.isInPlace("b", 0)).isTrue();
    assertThat(sealed.isInPlace("b", 1)).isFalse();
  }

  private static Segment segment(long first, int rows) {
    return Segment.newBuilder()
        .setDataset("d")
        .setFingerprint(7)
        .setDomain("a")
        .setLane(0)
        .setFirst(first)
        .setRows(rows)
        .setEnded(false)
        .setData(new StoredPart("d/" + first + ".rows", 0L, 1L, ""))
        .setSide(new StoredPart("d/" + first + ".side", 0L, 1L, ""))
        .setTimeMillis(0)
        .build();
  }
}
