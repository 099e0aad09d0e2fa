package io.sluice.mixture.round;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mixture.decide.TestingRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class StepReportsTest {
  /** Entries in memory. */
  private static final class TestingJournal implements StepReports.Journal {
    final TreeMap<Long, byte[]> entries = new TreeMap<>();
    long written;

    @Override
    public void keep(long step, long number, byte[] entry) {
      assertThat(step).isEqualTo(10);
      assertThat(number).isGreaterThan(entries.isEmpty() ? -1 : entries.lastKey());
      entries.put(number, entry);
      written += entry.length;
    }

    @Override
    public void drop(long step, long number) {
      entries.remove(number);
    }

    Map<Long, String> hex() {
      Map<Long, String> hex = new TreeMap<>();
      entries.forEach((number, entry) -> hex.put(number, HexFormat.of().formatHex(entry)));
      return hex;
    }
  }

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
    TestingJournal journal = new TestingJournal();
    StepReports reports = new StepReports(journal);
    double[] sums = {1, 1};
    long[] counts = {1, 1};
    offer(reports, "under-way", 0, sums, counts);
    offer(reports, "under-way", 1, sums, counts);
    for (int i = 0; i < 1_000; i++) {
      assertThat(offer(reports, "wild-" + i, 0, sums, counts)).isEqualTo(StepReports.Offer.COUNTED);
    }
    assertThat(journal.entries).hasSize(StepReports.MAX_ATTEMPTS + 1);
    offer(reports, "under-way", 2, sums, counts);
    assertThat(winner(reports).orElseThrow().attempt()).isEqualTo("under-way");
  }

  private static StepReports.Offer offer(
      StepReports reports, String attempt, int rank, double[] sums, long[] counts) {
    return reports.offer(new Report(0, 10, attempt, 3, rank, "eval_loss", sums, counts));
  }

  @Test
  void restoresAsIfNeverStopped() {
    TestingJournal wholeKept = new TestingJournal();
    TestingJournal restoredKept = new TestingJournal();
    StepReports whole = new StepReports(wholeKept);
    for (Report report : drawn(new Random(5))) {
      StepReports restored = restored(restoredKept);
      assertThat(restored.heard(10)).isEqualTo(whole.heard(10));
      assertThat(restored.offer(report)).isEqualTo(whole.offer(report));
      assertThat(restoredKept.hex()).isEqualTo(wholeKept.hex());
    }
    StepReports restored = restored(restoredKept);
    assertThat(winner(restored)).isPresent();
    assertThat(winner(restored).map(StepReports.Winner::attempt))
        .isEqualTo(winner(whole).map(StepReports.Winner::attempt));
    assertThat(means(winner(restored).orElseThrow())).isEqualTo(means(winner(whole).orElseThrow()));
    restored.clear();
    assertThat(restoredKept.entries).isEmpty();
  }

  /** Reports of far more attempts than are kept, of which only a late one is ever complete. */
  private static List<Report> drawn(Random random) {
    List<Report> reports = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      int attempt = random.nextInt(40);
      int rank = random.nextInt(1 + random.nextInt(3));
      double[] sums = {random.nextDouble(), random.nextDouble()};
      String metric = random.nextInt(3) == 0 ? "train_loss" : "eval_loss";
      int worldSize = random.nextInt(20) == 0 ? 6 : 5;
      reports.add(
          new Report(0, 10, "a" + attempt, worldSize, rank, metric, sums, new long[] {i, 1}));
    }
    for (int rank = 4; rank >= 0; rank--) {
      double[] sums = {0.1 + rank, 1e16 / (1 + rank)};
      reports.add(new Report(0, 10, "a7", 5, rank, "eval_loss", sums, new long[] {1, 1}));
    }
    return reports;
  }

  @Test
  void addsUpInRankOrderWhateverTheOrderOfArrival() {
    double[] values = {0.1, 1e16, -1e16, 0.3};
    double inRankOrder = values[0] + values[1] + values[2] + values[3];
    Random random = new Random(3);
    for (int trial = 0; trial < 20; trial++) {
      List<Integer> ranks = new ArrayList<>(List.of(0, 1, 2, 3));
      Collections.shuffle(ranks, random);
      StepReports reports = new StepReports();
      for (int rank : ranks) {
        reports.offer(
            new Report(
                0, 10, "x", 4, rank, "eval_loss", new double[] {values[rank]}, new long[] {1}));
      }
      assertThat(means(winner(reports).orElseThrow())).containsExactly(inRankOrder / 4);
    }
  }

  @Test
  void writesEachReportOnceAndThenWhatWon() {
    TestingJournal journal = new TestingJournal();
    StepReports reports = new StepReports(journal);
    double[] sums = new double[1_000];
    long[] counts = new long[1_000];
    for (int rank = 0; rank < 64; rank++) {
      reports.offer(new Report(0, 10, "x", 64, rank, "eval_loss", sums, counts));
    }
    assertThat(journal.written).isBetween(65 * 16_000L, 65 * 16_100L);
    assertThat(journal.hex()).containsOnlyKeys(64L);
  }

  @Test
  void refusesEntriesOfAnotherVersion() {
    TestingJournal journal = new TestingJournal();
    new StepReports(journal).offer(rank(0, "x", new double[] {1, 1}, new long[] {1, 1}));
    byte[] entry = journal.entries.get(0L);
    journal.entries.put(0L, Arrays.copyOf(entry, entry.length - 1));
    assertThatThrownBy(() -> restored(journal))
        .hasMessage("a kept report of " + (entry.length - 1) + " bytes is cut");
    entry[0] = 9;
    journal.entries.put(0L, entry);
    assertThatThrownBy(() -> restored(journal)).hasMessage("a kept report must be of version 1: 9");
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
    assertThat(
            TestingRun.report(20, "x", 1, 0, 1, 1)
                .refusal(run.state, run.policies.of(run.state.settings())))
        .isEmpty();
  }

  @Test
  void decidesEachMetricByItself() {
    TestingJournal journal = new TestingJournal();
    StepReports reports = new StepReports(journal);
    List<String> both = List.of("train_loss", "eval_loss");
    reports.offer(rank(0, "x", new double[] {1, 1}, new long[] {1, 1}));
    reports.offer(rank(1, "x", new double[] {1, 1}, new long[] {1, 1}));
    assertThat(reports.winner(10, both)).isEmpty();
    assertThat(reports.missing(10, both)).containsExactly("train_loss");
    Report train =
        new Report(0, 10, "y", 1, 0, "train_loss", new double[] {8, 0}, new long[] {4, 0});
    assertThat(reports.offer(train)).isEqualTo(StepReports.Offer.COUNTED);
    StepReports restored = restored(journal);
    StepReports.Winner winner = restored.winner(10, both).orElseThrow();
    assertThat(winner.attempt()).isEqualTo("y,x");
    assertThat(winner.observation().step()).isEqualTo(10);
    assertThat(winner.observation().means("train_loss")).containsExactly(2, Double.NaN);
    assertThat(winner.observation().counts("train_loss")).containsExactly(4, 0);
    assertThat(means(winner)).containsExactly(1, 1);
    assertThat(restored.heard(10))
        .isEqualTo("eval_loss x: 2 of 2 ranks, train_loss y: 1 of 1 ranks");
  }

  private static StepReports restored(TestingJournal journal) {
    return StepReports.restore(Map.of(10L, journal.entries), journal);
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
    assertThat(report.refusal(run.state, run.policies.of(run.state.settings()))).contains(message);
  }

  private static Report rank(int rank, String attempt, double[] sums, long[] counts) {
    return new Report(0, 10, attempt, 2, rank, "eval_loss", sums, counts);
  }
}
