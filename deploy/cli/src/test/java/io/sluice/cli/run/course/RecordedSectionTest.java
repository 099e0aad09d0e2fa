package io.sluice.cli.run.course;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sluice.control.history.RunHistory.Version;
import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policies;
import io.sluice.mixture.policy.Policy;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RecordedSectionTest {
  private static final List<String> DOMAINS = List.of("a", "b", "c");
  private static final Weights FIRST = Weights.ofShares(1, 1);
  private static final Weights SECOND = Weights.ofShares(1, 2, 4);
  private static final Weights THIRD = Weights.ofShares(0, 2, 7);

  private static RecordedSection section(long every) {
    return RecordedSection.of(
        DOMAINS,
        List.of(
            new Version(0, 1, 1, FIRST),
            new Version(0, 2, 13, SECOND),
            new Version(0, 3, 33, THIRD)),
        42,
        every,
        2);
  }

  @Test
  void repeatsTheWeightsToTheLastBit() {
    Map<String, Object> settings = section(10).stretched(42);
    assertThat(settings).containsEntry("every", 10L);
    assertThat(at(settings)).containsOnlyKeys("0", "10", "30");
    Policy policy = recorded(at(settings));
    byte[] state = policy.initialState(FIRST.shares());
    assertThat(Weights.ofShares(policy.decide(state, Observation.at(20)).shares()))
        .isEqualTo(SECOND);
    assertThat(Weights.ofShares(policy.decide(state, Observation.at(30)).shares()))
        .isEqualTo(THIRD);
    assertThat(policy.startingShares(new double[] {0, 0, 1})).containsExactly(.5, .5, 0);
    assertThat(at(settings).get("0")).isEqualTo("a=0.5 b=0.5");
  }

  @Test
  void stretchesTheCourseOntoRoundsOfTheOtherRun() {
    Map<String, Object> settings = section(10).stretched(1057);
    assertThat(settings).containsEntry("every", 252L);
    assertThat(at(settings)).containsOnlyKeys("0", "252", "756");
    assertThat(at(section(10).stretched(3))).containsOnlyKeys("0", "1", "2");
    assertThatThrownBy(() -> section(10).stretched(0)).hasMessage("--steps must be at least 1: 0");
  }

  @Test
  void hasRoundsAtEveryChangeOfARunWithoutRounds() {
    assertThat(section(0).stretched(42)).containsEntry("every", 10L);
    RecordedSection constant =
        RecordedSection.of(DOMAINS, List.of(new Version(0, 1, 1, SECOND)), 42, 0, 0);
    assertThat(constant.stretched(42)).containsEntry("every", 42L);
  }

  @Test
  void averagesOverBatches() {
    Map<String, Object> settings = section(10).average();
    assertThat(settings).containsEntry("use", "average").doesNotContainKey("every");
    Map<String, String> flat = new TreeMap<>(flat(at(settings)));
    flat.put("use", "average");
    double[] mean = Policies.create("recorded", flat, DOMAINS).startingShares(new double[3]);
    assertThat(mean[0]).isEqualTo((12 * .5 + 20 / 7.) / 42, within(1e-12));
    assertThat(mean[2]).isEqualTo((20 * 4 / 7. + 10 * 7 / 9.) / 42, within(1e-12));
  }

  private static Policy recorded(Map<String, String> at) {
    return Policies.create("recorded", flat(at), DOMAINS);
  }

  private static Map<String, String> flat(Map<String, String> at) {
    Map<String, String> flat = new TreeMap<>();
    at.forEach((step, text) -> flat.put("at." + step, text));
    return flat;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, String> at(Map<String, Object> settings) {
    return (Map<String, String>) settings.get("at");
  }
}
