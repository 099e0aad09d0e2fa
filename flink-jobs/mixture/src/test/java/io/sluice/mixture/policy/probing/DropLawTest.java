package io.sluice.mixture.policy.probing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import org.junit.jupiter.api.Test;

class DropLawTest {
  private static final int[] BOTH = {0, 1};

  @Test
  void isWhatStretchesFollowed() {
    // Two stretches of each: drops are A times the shares, summed.
    double[] trained = {1.5, .5, .4, 1.6};
    double[] drops = {1.5 * 3 + .5, 1.5 * 2 + .5 * 5, .4 * 3 + 1.6, .4 * 2 + 1.6 * 5};
    assertThat(DropLaw.of(2, BOTH, trained, drops).orElseThrow().values())
        .containsExactly(new double[] {3, 1, 2, 5}, offset(1e-12));
  }

  @Test
  void isNoneWhereSharesDoNotTellDomainsApart() {
    double[] drops = {1, 1, 1, 1};
    assertThat(DropLaw.of(2, BOTH, new double[] {.5, .5, .5, .5}, drops)).isEmpty();
    assertThat(DropLaw.of(2, BOTH, new double[] {.5, .5, .4999, .5001}, drops)).isEmpty();
    assertThat(DropLaw.of(2, BOTH, new double[] {0, 0, .1, .9}, drops)).isEmpty();
  }

  @Test
  void aLossThatWasNotMeasuredHasNoParameters() {
    double[] drops = {1, Double.NaN, 2, 3};
    double[] values =
        DropLaw.of(2, BOTH, new double[] {.9, .1, .1, .9}, drops).orElseThrow().values();
    assertThat(values).hasSize(4);
    assertThat(values[0]).isFinite();
    assertThat(values[2]).isNaN();
    assertThat(values[3]).isNaN();
  }
}
