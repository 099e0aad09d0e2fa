package io.sluice.lab.reproduce.claim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PlanTest {
  @Test
  void saysWhatTheSeedsDecide() {
    Results.Builder pilot = Results.builder();
    Planted.differences(pilot, "steady", -.021, -.020, -.022);
    Planted.differences(pilot, "wild", -.2, .3, .1);
    Planted.differences(pilot, "lone", -.2);
    Claims claims =
        Planted.claims(
            Planted.lower("steady", 0.01),
            Planted.lower("wild", 0.01),
            Planted.lower("lone", 0.01));
    Plan plan = Plan.of(claims, pilot.build(), 10);
    assertThat(plan.rows()).extracting(Plan.Row::suffices).containsExactly(true, false, false);
    assertThat(plan.lines())
        .containsExactly(
            "steady: 10 seeds decide 0.0012 in test_loss/mean, asked for is 0.010: enough",
            "wild: 10 seeds decide 0.31 in test_loss/mean, asked for is 0.010: too few",
            "lone: 1 pairs, too few to know a spread");
  }
}
