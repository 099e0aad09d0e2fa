package io.sluice.jobs.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeldOutSplitTest {
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.01, 0.1, 0.5, 0.99})
  void holdsOutTheShare(double share) {
    HeldOutSplit split = new HeldOutSplit(share);

    long heldOut = IntStream.range(0, 50_000).filter(i -> split.isHeldOut("document " + i)).count();

    assertThat(heldOut / 50_000.0).isBetween(share - 0.007, share + 0.007);
  }

  @Test
  void nothingIsHeldOutAtZero() {
    HeldOutSplit split = new HeldOutSplit(0);

    assertThat(IntStream.range(0, 10_000)).noneMatch(i -> split.isHeldOut("document " + i));
  }

  @Test
  void aLargerShareKeepsWhatASmallerOneHeldOut() {
    HeldOutSplit small = new HeldOutSplit(0.05);
    HeldOutSplit large = new HeldOutSplit(0.06);

    assertThat(IntStream.range(0, 10_000).mapToObj(i -> "document " + i).filter(small::isHeldOut))
        .isNotEmpty()
        .allMatch(large::isHeldOut);
  }

  @Test
  void theSidesArePartOfTheFormat() {
    HeldOutSplit split = new HeldOutSplit(0.1);

    assertThat(IntStream.range(0, 40).filter(i -> split.isHeldOut("document " + i)).boxed())
        .containsExactly(2, 8, 9, 23);
  }
}
