package io.sluice.lab.chaos.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TwinsTest {
  private final Twins twins = new Twins();

  /** Batches from 1 on, by the digests of their rows. */
  private static List<Journal.Accepted> batches(long... rows) {
    return LongStream.rangeClosed(1, rows.length)
        .mapToObj(batch -> new Journal.Accepted(batch, 0, 8, 1, "any", rows[(int) batch - 1], 0, 0))
        .toList();
  }

  private Twins.Held hold(boolean derived, long... rows) {
    return twins.hold(Reweighting.STATIC, derived, batches(rows));
  }

  @Test
  void whatBothDeliveriesHaveIsShared() {
    assertThat(hold(false, 5, 6, 7)).isEqualTo(new Twins.Held(0, 0));
    assertThat(hold(true, 5, 6, 7, 8)).isEqualTo(new Twins.Held(3, 0));
    assertThat(hold(false, 5, 6, 7, 8, 9)).isEqualTo(new Twins.Held(4, 0));
  }

  @Test
  void otherRowsDifferFromThoseOfEitherDelivery() {
    hold(false, 5, 6);
    assertThat(hold(false, 5, 1)).isEqualTo(new Twins.Held(0, 1));
    assertThat(hold(true, 2, 6)).isEqualTo(new Twins.Held(2, 1));
    assertThat(hold(false, 5, 6)).isEqualTo(new Twins.Held(2, 1));
  }

  @Test
  void runsOfAnotherPolicyAreNoTwins() {
    hold(false, 5, 6);
    assertThat(twins.hold(Reweighting.EVERY_STEP, true, batches(1, 2)))
        .isEqualTo(new Twins.Held(0, 0));
  }
}
