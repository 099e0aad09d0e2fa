package io.sluice.mixture.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LaneShareTest {
  /** Shares batch after batch, and checks each share against its batch. */
  private static final class Stream {
    private final int domains;
    private final int lanes;
    private final long[] used;
    private long first;
    private long drift;

    Stream(int domains, int lanes) {
      this.domains = domains;
      this.lanes = lanes;
      this.used = new long[domains * lanes];
    }

    void add(int[] counts) {
      LaneShare share = LaneShare.of(counts, first, used);
      int size = Arrays.stream(counts).sum();
      for (int d = 0; d < domains; d++) {
        int domain = d;
        int[] given = IntStream.range(0, lanes).map(lane -> share.count(lane, domain)).toArray();
        assertThat(Arrays.stream(given).sum()).isEqualTo(counts[d]);
        for (int n : given) {
          assertThat(n).isBetween(counts[d] / lanes, LaneShare.most(counts[d], lanes));
        }
      }
      for (int lane = 0; lane < lanes; lane++) {
        assertThat(Arrays.stream(share.countsOf(lane)).sum())
            .isEqualTo(LaneShare.seats(first, size, lane, lanes));
      }
      share.addTo(used);
      first += size;
      for (int d = 0; d < domains; d++) {
        drift = Math.max(drift, -difference(d));
      }
    }

    /** Least minus most that a lane has used of a domain. */
    long difference(int domain) {
      long[] of = IntStream.range(0, lanes).mapToLong(l -> used[l * domains + domain]).toArray();
      return Arrays.stream(of).min().orElseThrow() - Arrays.stream(of).max().orElseThrow();
    }
  }

  @ParameterizedTest
  @CsvSource({"2,2", "3,2", "7,2", "64,2", "5,4", "64,4", "64,8", "600,2"})
  void lanesDrainEvenlyUnderAnyWeights(int domains, int lanes) {
    for (int seed = 0; seed < 8; seed++) {
      Random random = new Random(seed);
      Stream stream = new Stream(domains, lanes);
      MixturePlan plan = MixturePlan.start(domains);
      for (int round = 0; round < 20; round++) {
        double[] shares = random.doubles(domains, 0, 1).map(x -> x * x * x).toArray();
        Weights weights = Weights.ofShares(shares);
        int size = lanes * (1 + random.nextInt(40));
        for (int batch = 0; batch < 20; batch++) {
          stream.add(plan.next(weights, size));
        }
      }
      assertThat(stream.drift).isLessThan(4);
    }
  }

  @ParameterizedTest
  @CsvSource({"16,2", "64,2", "64,4", "256,2"})
  void countsThatDriveLanesApartDoNotGoFar(int domains, int lanes) {
    Stream stream = new Stream(domains, lanes);
    for (int batch = 0; batch < 2_000; batch++) {
      // One of each of the domains that the lanes have used most unevenly.
      int[] counts = new int[domains];
      IntStream.range(0, domains)
          .boxed()
          .sorted(Comparator.comparingLong(stream::difference))
          .limit((long) domains / 2 / lanes * lanes)
          .forEach(d -> counts[d] = 1);
      stream.add(counts);
    }
    assertThat(stream.drift).isLessThan((long) (Math.log(domains) / Math.log(2)));
  }

  @Test
  void batchesThatTheLanesDoNotDivideAreSharedByIndex() {
    Random random = new Random(1);
    Stream stream = new Stream(9, 4);
    MixturePlan plan = MixturePlan.start(9);
    Weights weights = Weights.ofShares(random.doubles(9).toArray());
    for (int batch = 0; batch < 3_000; batch++) {
      stream.add(plan.next(weights, 1 + random.nextInt(50)));
    }
    assertThat(stream.drift).isLessThan(8);
  }

  @Test
  void oneLaneGetsEverything() {
    LaneShare share = LaneShare.of(new int[] {3, 0, 5}, 7, new long[3]);
    assertThat(share.countsOf(0)).containsExactly(3, 0, 5);
    assertThat(BatchOrder.order(5, 1, 2, share, 0))
        .isEqualTo(BatchOrder.order(5, 1, 2, new int[] {3, 0, 5}));
  }

  @Test
  void aShareIsFixedByCountsIndexAndUse() {
    LaneShare share = LaneShare.of(new int[] {3, 1, 2, 5}, 7, new long[] {4, 0, 2, 2, 3, 1, 2, 3});
    assertThat(share.countsOf(0)).containsExactly(1, 0, 1, 3);
    assertThat(share.countsOf(1)).containsExactly(2, 1, 1, 2);
    assertThat(BatchOrder.order(5, 1, 2, share, 1)).containsExactly(3, 0, 1, 2, 3, 0);
  }

  @Test
  void theWholeBatchIsTheLanesPartsInTurn() {
    LaneShare share = LaneShare.of(new int[] {3, 1, 2, 5}, 7, new long[] {4, 0, 2, 2, 3, 1, 2, 3});
    int[] whole = BatchOrder.whole(5, 1, 2, share, 7);
    for (int lane = 0; lane < 2; lane++) {
      int[] order = BatchOrder.order(5, 1, 2, share, lane);
      for (int seat = 0; seat < order.length; seat++) {
        assertThat(whole[LaneShare.position(7, lane, 2) + 2 * seat]).isEqualTo(order[seat]);
      }
    }
    assertThat(whole).hasSize(11);
  }

  @Test
  void seatsAreTheIndicesOfTheLane() {
    for (int first = 0; first < 7; first++) {
      for (int size = 0; size < 9; size++) {
        for (int lane = 0; lane < 3; lane++) {
          int seat = lane;
          long expected =
              IntStream.range(first, first + size).filter(index -> index % 3 == seat).count();
          assertThat(LaneShare.seats(first, size, lane, 3)).isEqualTo((int) expected);
          assertThat((first + LaneShare.position(first, lane, 3)) % 3).isEqualTo(lane);
        }
      }
    }
  }

  @Test
  void lanesKeepTheirValuesWhenDomainsComeAndGo() {
    long[] values = {1, 2, 3, 4, 5, 6};
    assertThat(LaneShare.resized(values, 3, 4)).containsExactly(1, 2, 3, 0, 4, 5, 6, 0);
    assertThat(LaneShare.resized(values, 3, 2)).containsExactly(1, 2, 4, 5);
  }

  @Test
  void aDomainGivesWhatItsShortestLaneAllows() {
    long[] bounds = {9, 4, 100, 7, 3, 100};
    long[] used = {2, 4, 50, 6, 1, 49};
    assertThat(LaneShare.available(bounds, used, 3)).containsExactly(2, 0, 100);
    assertThat(LaneShare.available(new long[] {5, 1}, new long[] {3, 2}, 2)).containsExactly(2, 0);
    assertThatThrownBy(() -> LaneShare.available(new long[3], used, 3))
        .hasMessage("supply must have 6 entries, lanes x domains: 3");
  }

  @Test
  void refusesUseThatIsNotOfWholeLanes() {
    assertThatThrownBy(() -> LaneShare.of(new int[3], 0, new long[4]))
        .hasMessage("used must have 3 entries for each lane: 4");
  }
}
