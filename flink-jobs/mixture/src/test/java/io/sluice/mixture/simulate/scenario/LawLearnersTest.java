package io.sluice.mixture.simulate.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.targets.ScalingLaw;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LawLearnersTest {
  private static Learners of(LearnerLaw learner) {
    return Learners.of(
        new Scenario(
            "one",
            List.of("a", "b"),
            List.of(learner, learner),
            new double[][] {{1, 0}, {0, 1}},
            new Scenario.Noise(0, 0),
            Weights.uniform(2),
            new double[] {1, 0},
            10,
            5,
            .1,
            List.of(),
            Model.LAWS),
        7);
  }

  @Test
  void forgetsWhatIsNotReplayedAndOverfitsWhatIsRepeated() {
    Scenario scenario = Scenarios.named("reasoning");
    Learners forgetting = Learners.of(scenario, 7);
    forgetting.train(new double[] {0, 0, 0, 1, 0});
    double learnt = forgetting.loss(3);
    forgetting.train(new double[] {20, 0, 0, 0, 0});
    assertThat(forgetting.loss(3)).isGreaterThan(learnt);
    Learners repeating = Learners.of(scenario, 7);
    double best = Double.POSITIVE_INFINITY;
    for (int n = 0; n < 100; n++) {
      repeating.train(new double[] {0, 0, 0, 0, 1});
      best = Math.min(best, repeating.loss(4));
    }
    assertThat(repeating.loss(4)).isGreaterThan(best + .1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"reasoning 3 4", "syne 0 3 6 9", "bilingual 4 5 6 7 8 9 10"})
  void forgetsWhatTheBaseModelKnewOfDomainsThatAreReplayed(String replayed) {
    String[] words = replayed.split(" ", -1);
    for (String word : Arrays.copyOfRange(words, 1, words.length)) {
      int domain = Integer.parseInt(word);
      Scenario scenario = Scenarios.named(words[0]);
      Learners learners = Learners.of(scenario, 7);
      double first = learners.loss(domain);
      double[] others = new double[scenario.domains().size()];
      others[domain == 0 ? 1 : 0] = 60;
      learners.train(others);
      assertThat(learners.loss(domain)).as(scenario.domains().get(domain)).isGreaterThan(first);
      assertThat(learners.untrained().loss(domain)).isEqualTo(first);
    }
  }

  @Test
  void endsAboveItsStartWhereReplayDoesNotMakeUpForIt() {
    Learners learners = of(LearnerLaw.of(1, 1, .5, 4, 10).forgetting(0, .1));
    learners.train(new double[] {1, 9});
    assertThat(learners.loss(0)).isGreaterThan(1.5);
    assertThat(learners.loss(0)).isCloseTo(1 + 1 / Math.sqrt(4 * Math.exp(-.9) + 1), within(1e-9));
  }

  @Test
  void showsNothingOnAPlateau() {
    Learners learners = of(LearnerLaw.of(1, 1, .5, 1, 10).late(2));
    learners.train(new double[] {2, 0});
    assertThat(learners.loss(0)).isEqualTo(2);
    learners.train(new double[] {1, 0});
    assertThat(learners.loss(0)).isLessThan(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"reasoning", "system-stack", "syne", "bilingual", "known-mixture"})
  void hardlyMindsHowManyCallsAConstantMixtureComesIn(String name) {
    Scenario scenario = Scenarios.named(name);
    double[] shares = scenario.initial().shares();
    assertThat(objective(scenario, shares, 40))
        .isCloseTo(objective(scenario, shares, 4000), within(2e-4));
  }

  private static double objective(Scenario scenario, double[] shares, int calls) {
    Learners learners = Learners.of(scenario, 7);
    double[] tokens = new double[shares.length];
    Arrays.setAll(tokens, i -> shares[i] * scenario.totalTokens() / calls);
    for (int call = 0; call < calls; call++) {
      learners.train(tokens);
    }
    return scenario.objectiveOf(learners.losses(shares.length));
  }

  @Test
  void refusesWhatIsOutOfRange() {
    ScalingLaw law = new ScalingLaw(1, 1, .5);
    assertThatThrownBy(() -> new LearnerLaw(law, 1, 1, 0, 1.5, 0))
        .hasMessage("a learner's head-forgetting is out of range: 1.5");
    assertThatThrownBy(() -> new LearnerLaw(law, 1, 1, Double.NaN, 0, 0))
        .hasMessage("a learner's forgetting is out of range: NaN");
    assertThatThrownBy(() -> new Model.Laws(1.2, 4, .02, .2))
        .hasMessage("a model's repeat-value is out of range: 1.2");
    assertThatThrownBy(() -> new Scenario.Noise(-1, 0))
        .hasMessage("noise must be at least 0: -1.0 of losses, 0.0 of alignments");
  }
}
