package io.sluice.mixture.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mixture.simulate.SeedComparison.Row;
import java.util.List;
import java.util.Map;
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

  @Test
  void averagingSteadiesGradientAlignmentAtNoWorseLoss() {
    Candidate sampling = new Candidate("sampling", "importance-sampling", Map.of(), Map.of());
    SeedComparison comparison =
        SeedComparison.of(
            LOW_DATA,
            List.of(dga("1.5", "1"), dga("1.5", "0.1"), dga("25", "1"), dga("25", "0.1"), sampling),
            SEEDS,
            () -> Proposals.NONE);
    Row plain = comparison.rows().get(1);
    Row averaged = comparison.rows().get(2);
    Row rushing = comparison.rows().get(3);
    Row steadied = comparison.rows().get(4);
    assertThat(averaged.label()).isEqualTo("eta=1.5 beta=0.1");
    assertThat(averaged.churn().mean()).isLessThan(.4 * plain.churn().mean());
    assertThat(averaged.beyondFirst().mean()).isLessThan(2 * averaged.beyondFirst().error());
    assertThat(steadied.churn().mean()).isLessThan(.4 * rushing.churn().mean());
    assertThat(steadied.loss().mean()).isLessThan(rushing.loss().mean());

    Row equal = comparison.rows().get(0);
    Row sampled = comparison.rows().get(5);
    assertThat(plain.beyondFirst().mean()).isZero();
    assertThat(equal.beyondFirst().mean()).isGreaterThan(3 * equal.beyondFirst().error());
    assertThat(sampled.beyondFirst().mean()).isGreaterThan(sampled.beyondFirst().error());
  }
}
