package io.sluice.mixture.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StepReportsTest {
  @Test
  void mergesRanksBySumsAndCounts() {
    StepReports reports = new StepReports();
    assertThat(reports.offer(rank(1, "x", new double[] {6, 0}, new long[] {2, 0})))
        .isEqualTo(StepReports.Offer.COUNTED);
    assertThat(winner(reports)).isEmpty();
    reports.offer(rank(0, "x", new double[] {3, 0}, new long[] {1, 0}));
    assertThat(means(winner(reports).orElseThrow())).containsExactly(3, Double.NaN);
  }

  @Test
  void letsTheFirstCompleteAttemptWinWhateverFollows() {
    StepReports reports = new StepReports();
    reports.offer(rank(0, "x", new double[] {1, 1}, new long[] {1, 1}));
    reports.offer(rank(0, "y", new double[] {5, 5}, new long[] {1, 1}));
    assertThat(reports.offer(rank(0, "y", new double[] {7, 7}, new long[] {1, 1})))
        .isEqualTo(StepReports.Offer.DUPLICATE);
    reports.offer(rank(1, "y", new double[] {5, 5}, new long[] {1, 1}));
    assertThat(reports.offer(rank(1, "x", new double[] {1, 1}, new long[] {1, 1})))
        .isEqualTo(StepReports.Offer.DECIDED);
    StepReports.Winner winner = winner(reports).orElseThrow();
    assertThat(winner.attempt()).isEqualTo("y");
    assertThat(means(winner)).containsExactly(5, 5);
  }

  @Test
  void doesNotMixWorldSizes() {
    StepReports reports = new StepReports();
    reports.offer(rank(0, "x", new double[] {1, 1}, new long[] {1, 1}));
    Report other =
        new Report(0, 10, "x", 1, 0, "eval_loss", new double[] {1, 1}, new long[] {1, 1});
    assertThat(reports.offer(other)).isEqualTo(StepReports.Offer.WORLD_SIZE_DIFFERS);
    assertThat(winner(reports)).isEmpty();
  }

  @Test
  void keepsABoundedNumberOfAttemptsAndNoneThatIsUnderWayIsPushedOut() {
    StepReports reports = new StepReports();
    double[] sums = {1, 1};
    long[] counts = {1, 1};
    offer(reports, "under-way", 0, sums, counts);
    offer(reports, "under-way", 1, sums, counts);
    for (int i = 0; i < 1_000; i++) {
      assertThat(offer(reports, "wild-" + i, 0, sums, counts)).isEqualTo(StepReports.Offer.COUNTED);
    }
    assertThat(reports.encode().length).isLessThan(17 * 100);
    offer(reports, "under-way", 2, sums, counts);
    assertThat(winner(reports).orElseThrow().attempt()).isEqualTo("under-way");
  }

  private static StepReports.Offer offer(
      StepReports reports, String attempt, int rank, double[] sums, long[] counts) {
    return reports.offer(new Report(0, 10, attempt, 3, rank, "eval_loss", sums, counts));
  }

  @Test
  void restoresAsIfNeverStopped() {
    StepReports whole = new StepReports();
    StepReports restored = new StepReports();
    String[] attempts = {"x", "y", "y", "x"};
    int[] ranks = {0, 1, 0, 1};
    for (int i = 0; i < attempts.length; i++) {
      Report report = rank(ranks[i], attempts[i], new double[] {.1 * i, 2}, new long[] {3, 1});
      restored = StepReports.decode(restored.encode());
      assertThat(restored.offer(report)).isEqualTo(whole.offer(report));
      assertThat(restored.encode()).isEqualTo(whole.encode());
    }
    assertThat(winner(restored).orElseThrow().attempt()).isEqualTo("y");
  }

  @Test
  void refusesWhatCannotCount() {
    TestingRun run = new TestingRun(TestingRun.velocitune().build());
    run.report(0, 4, 4);
    run.report(10, 3, 4);
    run.settle();
    assertRefused(run, 0, 20, 0, 1, Double.NaN, 1, "feedback eval_loss of b must be finite: NaN");
    assertRefused(run, 0, 20, 0, 1, 1, -1, "feedback count of b must be at least 0: -1");
    assertRefused(run, 3, 20, 0, 1, 1, 1, "feedback timeline must be 0: 3");
    assertRefused(run, 0, 21, 0, 1, 1, 1, "feedback step must be a multiple of 10: 21");
    assertRefused(
        run, 0, 10, 0, 1, 1, 1, "feedback step must be after the last closed round's: 10");
    assertRefused(run, 0, 20, 1, 1, 1, 1, "feedback rank must be in [0, world size): 1 of 1");
    assertThat(TestingRun.report(20, "x", 1, 0, 1, 1).refusal(run.state)).isEmpty();
  }

  @Test
  void decidesEachMetricByItself() {
    StepReports reports = new StepReports();
    List<String> both = List.of("train_loss", "eval_loss");
    reports.offer(rank(0, "x", new double[] {1, 1}, new long[] {1, 1}));
    reports.offer(rank(1, "x", new double[] {1, 1}, new long[] {1, 1}));
    assertThat(reports.winner(10, both)).isEmpty();
    assertThat(reports.missing(both)).containsExactly("train_loss");
    Report train =
        new Report(0, 10, "y", 1, 0, "train_loss", new double[] {8, 0}, new long[] {4, 0});
    assertThat(reports.offer(train)).isEqualTo(StepReports.Offer.COUNTED);
    StepReports restored = StepReports.decode(reports.encode());
    assertThat(restored.encode()).isEqualTo(reports.encode());
    StepReports.Winner winner = restored.winner(10, both).orElseThrow();
    assertThat(winner.attempt()).isEqualTo("y,x");
    assertThat(winner.observation().step()).isEqualTo(10);
    assertThat(winner.observation().means("train_loss")).containsExactly(2, Double.NaN);
    assertThat(winner.observation().counts("train_loss")).containsExactly(4, 0);
    assertThat(means(winner)).containsExactly(1, 1);
    assertThat(restored).hasToString("eval_loss x: 2 of 2 ranks, train_loss y: 1 of 1 ranks");
  }

  private static Optional<StepReports.Winner> winner(StepReports reports) {
    return reports.winner(10, List.of("eval_loss"));
  }

  private static double[] means(StepReports.Winner winner) {
    return winner.observation().means("eval_loss");
  }

  private static void assertRefused(
      TestingRun run,
      int timeline,
      long step,
      int rank,
      int world,
      double sum,
      long count,
      String message) {
    double[] sums = {1, sum};
    long[] counts = {1, count};
    Report report = new Report(timeline, step, "x", world, rank, "eval_loss", sums, counts);
    assertThat(report.refusal(run.state)).contains(message);
  }

  private static Report rank(int rank, String attempt, double[] sums, long[] counts) {
    return new Report(0, 10, attempt, 2, rank, "eval_loss", sums, counts);
  }
}
