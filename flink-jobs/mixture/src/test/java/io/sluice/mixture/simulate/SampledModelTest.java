package io.sluice.mixture.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mixture.simulate.scenario.Learners;
import io.sluice.mixture.simulate.scenario.Scenario;
import io.sluice.mixture.simulate.scenario.Scenarios;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SampledModelTest {
  private static final Scenario LOW_DATA = Scenarios.named("low-data");
  private static final int MEMORISED = 3;
  private static final double FLOOR = 2.41;
  private static final int SEEDS = 16;

  private static Candidate dga(String eta, String beta) {
    Map<String, String> settings = Map.of("eta", eta, "beta", beta);
    return new Candidate("eta=" + eta + " beta=" + beta, "dga", settings, Map.of());
  }

  /** Batches of one domain only. */
  private static void train(Learners learners, int domain, int batches) {
    double[] tokens = new double[LOW_DATA.domains().size()];
    tokens[domain] = batches * LOW_DATA.tokensPerBatch();
    learners.train(tokens);
  }

  @Test
  void learnsNoMoreFromADomainThatItKnowsByHeart() {
    Learners learners = Learners.of(LOW_DATA, 7);
    double first = learners.loss(MEMORISED);
    double benefit = learners.benefits()[MEMORISED];
    train(learners, MEMORISED, 3000);
    double known = learners.loss(MEMORISED);
    train(learners, MEMORISED, 7000);
    assertThat(known).isLessThan(first - 5).isGreaterThan(FLOOR + .4);
    assertThat(learners.loss(MEMORISED)).isGreaterThan(known - .1);
    assertThat(learners.benefits()[MEMORISED]).isLessThan(benefit / 1000);
    assertThat(Math.abs(learners.alignments()[MEMORISED])).isLessThan(.05);
  }

  @Test
  void teachesOtherDomainsLessThanTheOneItIsTrainedOn() {
    Learners learners = Learners.of(LOW_DATA, 7);
    double first = learners.loss(14);
    train(learners, MEMORISED, 500);
    assertThat(learners.loss(14))
        .isLessThan(first - .5)
        .isGreaterThan(learners.loss(MEMORISED) + .5);
  }

  @Test
  void measuresAlignmentsWithTheNoiseOfMiniBatches() {
    Learners learners = Learners.of(LOW_DATA, 7);
    double[] one = learners.alignments();
    double[] again = learners.alignments();
    assertThat(again).isNotEqualTo(one);
    for (double alignment : one) {
      assertThat(alignment).isBetween(-1.0, 1.0);
    }
    assertThat(Learners.of(LOW_DATA, 7).alignments()).isEqualTo(one);
    assertThat(learners.untrained().alignments()).isEqualTo(one);
    assertThat(Learners.of(LOW_DATA, 8).alignments()).isNotEqualTo(one);
  }

  private static double churn(List<Trajectory> courses) {
    return courses.stream().mapToDouble(Trajectory::churn).average().orElseThrow();
  }

  /** How far losses are above those with the same seed. */
  private static Estimate beyond(List<Trajectory> courses, List<Trajectory> others) {
    return Estimate.of(
        IntStream.range(0, SEEDS)
            .mapToDouble(n -> courses.get(n).objective() - others.get(n).objective())
            .toArray());
  }

  @Test
  void averagingSteadiesGradientAlignmentAtNoWorseLoss() {
    List<Candidate> candidates =
        List.of(
            new Candidate("static", "static", Map.of(), Map.of()),
            dga("1.5", "1"),
            dga("1.5", "0.1"),
            dga("25", "1"),
            dga("25", "0.1"));
    List<List<Trajectory>> courses = new ArrayList<>();
    candidates.forEach(candidate -> courses.add(new ArrayList<>()));
    for (int seed = 1; seed <= SEEDS; seed++) {
      Trial trial = new Trial(LOW_DATA, seed);
      for (int n = 0; n < candidates.size(); n++) {
        courses.get(n).add(trial.of(candidates.get(n), () -> Proposals.NONE));
      }
    }
    List<Trajectory> plain = courses.get(1);
    List<Trajectory> averaged = courses.get(2);
    assertThat(churn(averaged)).isLessThan(.4 * churn(plain));
    Estimate cost = beyond(averaged, plain);
    assertThat(cost.mean()).isLessThan(2 * cost.error());

    List<Trajectory> rushing = courses.get(3);
    List<Trajectory> steadied = courses.get(4);
    assertThat(churn(steadied)).isLessThan(.4 * churn(rushing));
    assertThat(beyond(steadied, rushing).mean()).isNegative();
    assertThat(beyond(courses.get(0), plain).low()).isPositive();
  }
}
