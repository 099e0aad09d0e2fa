package io.sluice.jobs.prepare.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeldOutRuleTest {
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.01, 0.1, 0.5, 0.99})
  void holdsOutTheShare(double share) {
    HeldOutRule split = new HeldOutRule(share);

    long heldOut = IntStream.range(0, 50_000).filter(i -> split.isHeldOut("document " + i)).count();

    assertThat(heldOut / 50_000.0).isBetween(share - 0.007, share + 0.007);
  }

  @Test
  void nothingIsHeldOutAtZero() {
    HeldOutRule split = new HeldOutRule(0);

    assertThat(IntStream.range(0, 10_000)).noneMatch(i -> split.isHeldOut("document " + i));
  }

  @Test
  void aLargerShareKeepsWhatASmallerOneHeldOut() {
    HeldOutRule small = new HeldOutRule(0.05);
    HeldOutRule large = new HeldOutRule(0.06);

    assertThat(IntStream.range(0, 10_000).mapToObj(i -> "document " + i).filter(small::isHeldOut))
        .isNotEmpty()
        .allMatch(large::isHeldOut);
  }

  @Test
  void theSidesArePartOfTheFormat() {
    HeldOutRule split = new HeldOutRule(0.1);

    assertThat(IntStream.range(0, 40).filter(i -> split.isHeldOut("document " + i)).boxed())
        .containsExactly(2, 8, 9, 23);
  }
}
