package io.sluice.mixture.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MixturePlanTest {
  private static final long UNIT = Weights.UNIT;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void givesEachSeatToTheDomainThatIsOwedMost(long seed) {
    Random random = new Random(seed);
    int k = 1 + random.nextInt(12);
    MixturePlan plan = MixturePlan.start(k);
    long[] error = new long[k];
    for (int batch = 0; batch < 400; batch++) {
      Weights weights = randomWeights(random, k);
      int seats = 1 + random.nextInt(3 * k);
      int[] expected = oneSeatAtATime(error, weights, seats);
      assertThat(plan.next(weights, seats)).as("batch %s", batch).isEqualTo(expected);
      assertThat(plan.error()).isEqualTo(error);
    }
  }

  /** Domains are behind, catch up, or end while they are; what is then owed can be much. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void givesEachSeatToTheDomainThatIsOwedMostAlsoOnceOthersAreMasked(long seed) {
    Random random = new Random(seed);
    int k = 2 + random.nextInt(12);
    MixturePlan plan = MixturePlan.start(k);
    long[] error = new long[k];
    BitSet masked = new BitSet();
    Weights decided = randomPositiveWeights(random, k);
    long[] most = new long[k];
    for (int batch = 0; batch < 600; batch++) {
      if (random.nextInt(20) == 0) {
        decided = randomPositiveWeights(random, k);
      }
      int seats = 1 + random.nextInt(3 * k);
      if (batch % 30 == 0) {
        int behind = random.nextInt(k);
        Arrays.setAll(most, i -> i == behind && random.nextInt(4) > 0 ? random.nextInt(2) : 3 * k);
      }
      if (masked.cardinality() < k - 1 && random.nextInt(120) == 0) {
        masked.set(random.nextInt(k));
      }
      Weights weights = decided.without(masked);
      int[] expected;
      int[] counts;
      if (batch % 30 < 15 && !masked.get(behind(most)) && masked.cardinality() < k - 1) {
        expected = oneSeatAtATime(error, weights, seats, most);
        counts = plan.next(weights, seats, most);
      } else {
        expected = oneSeatAtATime(error, weights, seats);
        counts = plan.next(weights, seats);
      }
      assertThat(counts).as("batch %s", batch).isEqualTo(expected);
      assertThat(plan.error()).isEqualTo(error);
    }
  }

  private static int behind(long[] most) {
    return IntStream.range(0, most.length).reduce(0, (a, b) -> most[b] < most[a] ? b : a);
  }

  /** Whoever is owed most, or least, or any, is masked, at once or one after the other. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void keepsItsBoundsWhileDomainsAreMasked(long seed) {
    Random random = new Random(seed);
    int k = 2 + random.nextInt(60);
    double harmonic = IntStream.rangeClosed(1, k).mapToDouble(i -> 1.0 / i).sum();
    MixturePlan plan = MixturePlan.start(k);
    BitSet masked = new BitSet();
    double lowest = 0;
    while (masked.cardinality() < k - 1) {
      if (random.nextInt(3) > 0) {
        masked.set(next(plan.error(), masked, (int) (seed % 3), random));
      }
      double mean =
          IntStream.range(0, k).filter(i -> !masked.get(i)).mapToLong(i -> plan.error()[i]).sum()
              / (double) UNIT
              / (k - masked.cardinality());
      lowest = Math.min(lowest, mean);
      for (int batch = random.nextInt(8); batch >= 0; batch--) {
        plan.next(randomPositiveWeights(random, k).without(masked), 1 + random.nextInt(2 * k));
        for (int i = masked.nextClearBit(0); i < k; i = masked.nextClearBit(i + 1)) {
          double sequences = (double) plan.error()[i] / UNIT;
          assertThat(sequences).isLessThanOrEqualTo(harmonic - 1).isGreaterThan(lowest - 1);
        }
      }
    }
  }

  /** A domain that is not masked yet: the one owed most, the one owed least, or any. */
  private static int next(long[] error, BitSet masked, int which, Random random) {
    List<Integer> open =
        IntStream.range(0, error.length).filter(i -> !masked.get(i)).boxed().toList();
    Comparator<Integer> owed = Comparator.comparing(i -> error[i]);
    return switch (which) {
      case 0 -> Collections.max(open, owed);
      case 1 -> Collections.min(open, owed);
      default -> open.get(random.nextInt(open.size()));
    };
  }

  @ParameterizedTest
  @CsvSource({"1,1", "2,7", "4,32", "64,100", "128,16", "128,1000"})
  void keepsEveryPrefixWithinItsBounds(int k, int seats) {
    Random random = new Random(k * 1000L + seats);
    MixturePlan plan = MixturePlan.start(k);
    double harmonic = IntStream.rangeClosed(1, k).mapToDouble(i -> 1.0 / i).sum();
    for (int batch = 0; batch < 300; batch++) {
      Weights weights = randomPositiveWeights(random, k);
      int[] counts = plan.next(weights, seats);
      assertThat(Arrays.stream(counts).sum()).isEqualTo(seats);
      for (long error : plan.error()) {
        double sequences = (double) error / UNIT;
        assertThat(sequences).isGreaterThan(-1).isLessThanOrEqualTo(harmonic - 1);
        assertThat(sequences).isLessThanOrEqualTo(1.5);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void seatsOthersForADomainThatCanGiveOnlySoMany(long seed) {
    Random random = new Random(seed);
    int k = 2 + random.nextInt(9);
    MixturePlan plan = MixturePlan.start(k);
    long[] error = new long[k];
    for (int batch = 0; batch < 200; batch++) {
      Weights weights = randomPositiveWeights(random, k);
      int seats = 1 + random.nextInt(3 * k);
      long[] most = new long[k];
      Arrays.setAll(most, i -> random.nextInt(3) == 0 ? random.nextInt(4) : seats);
      most[random.nextInt(k)] = seats;
      int[] expected = oneSeatAtATime(error, weights, seats, most);
      assertThat(plan.next(weights, seats, most)).as("batch %s", batch).isEqualTo(expected);
      assertThat(plan.error()).isEqualTo(error);
    }
  }

  @Test
  void givesADomainWhatItIsOwedOnceItCan() {
    MixturePlan plan = MixturePlan.start(2);
    Weights weights = Weights.uniform(2);
    for (int batch = 0; batch < 100; batch++) {
      assertThat(plan.next(weights, 8, new long[] {8, 0})).containsExactly(8, 0);
    }
    for (int batch = 0; batch < 100; batch++) {
      assertThat(plan.next(weights, 8)).containsExactly(0, 8);
    }
    assertThat(plan.next(weights, 8)).containsExactly(4, 4);
    assertThatThrownBy(() -> plan.next(weights, 8, new long[] {3, 4}))
        .hasMessage("domains must be able to give 8 sequences: 7");
  }

  @Test
  void givesADomainOfWeightZeroNoSeatAndFreezesItsError() {
    MixturePlan plan = MixturePlan.start(3);
    plan.next(Weights.ofShares(1, 1, 1), 4);
    long frozen = plan.error()[1];
    for (int batch = 0; batch < 50; batch++) {
      assertThat(plan.next(Weights.ofShares(1, 0, 1), 5)[1]).isZero();
      assertThat(plan.error()[1]).isEqualTo(frozen);
    }
  }

  @Test
  void servesATinyDomainInItsTurn() {
    MixturePlan plan = MixturePlan.start(2);
    Weights weights = Weights.ofShares(999, 1);
    long served = 0;
    for (int batch = 1; batch <= 100; batch++) {
      served += plan.next(weights, 100)[1];
    }
    assertThat(served).isEqualTo(10);
  }

  @Test
  void resumesAsIfNeverStopped() {
    Random random = new Random(5);
    MixturePlan whole = MixturePlan.start(7);
    MixturePlan resumed = MixturePlan.start(7);
    for (int batch = 0; batch < 100; batch++) {
      Weights weights = randomPositiveWeights(random, 7);
      resumed = MixturePlan.resume(MixturePlan.VERSION, resumed.error());
      assertThat(resumed.next(weights, 11)).isEqualTo(whole.next(weights, 11));
    }
  }

  @Test
  void refusesCountsThatDoNotFollow() {
    assertThatThrownBy(() -> MixturePlan.start(2).replay(Weights.uniform(2), 4, new int[] {3, 1}))
        .hasMessage("the plan gives counts [2, 2]: [3, 1]");
    assertThatThrownBy(() -> MixturePlan.start(2).next(Weights.uniform(2), 0))
        .hasMessage("batch must be in [1, 1048576]: 0");
    assertThatThrownBy(() -> MixturePlan.resume(3, new long[2]))
        .hasMessage("plan version must be in [1, 2]: 3");
  }

  private static int[] oneSeatAtATime(long[] error, Weights weights, int seats) {
    long[] all = new long[error.length];
    Arrays.fill(all, seats);
    return oneSeatAtATime(error, weights, seats, all);
  }

  private static int[] oneSeatAtATime(long[] error, Weights weights, int seats, long[] give) {
    int[] counts = new int[error.length];
    for (int i = 0; i < error.length; i++) {
      error[i] += weights.part(i) * seats;
    }
    for (int seat = 0; seat < seats; seat++) {
      int most = -1;
      for (int i = 0; i < error.length; i++) {
        boolean can = weights.part(i) > 0 && counts[i] < give[i];
        if (can && (most < 0 || error[i] > error[most])) {
          most = i;
        }
      }
      counts[most]++;
      error[most] -= UNIT;
    }
    return counts;
  }

  private static Weights randomWeights(Random random, int k) {
    Weights weights = randomPositiveWeights(random, k);
    BitSet masked = new BitSet();
    for (int i = 1; i < k; i++) {
      masked.set(i, random.nextInt(5) == 0);
    }
    return weights.without(masked);
  }

  private static Weights randomPositiveWeights(Random random, int k) {
    return Weights.ofShares(
        IntStream.range(0, k).mapToDouble(i -> Math.exp(3 * random.nextGaussian())).toArray());
  }
}
