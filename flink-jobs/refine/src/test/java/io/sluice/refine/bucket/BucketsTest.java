package io.sluice.refine.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class BucketsTest {
  private static final int DOCUMENTS = Boolean.getBoolean("sluice.full") ? 2_000_000 : 50_000;
  private static final int BUCKETS = BucketSettings.STANDARD.buckets();

  static Stream<Arguments> distributions() {
    Random random = new Random(1);
    return Stream.of(
        stream("uniform", 0.25, i -> random.nextDouble()),
        stream("log-normal", 0.25, i -> Math.exp(5 + random.nextGaussian())),
        stream("Pareto", 0.25, i -> 1 / (1 - random.nextDouble())),
        stream("two hills", 0.25, i -> random.nextGaussian() + (random.nextBoolean() ? 0 : 100)),
        stream("slowly rising", 0.45, i -> 0.25 * i / DOCUMENTS + random.nextGaussian()),
        stream("slowly falling", 0.45, i -> -0.25 * i / DOCUMENTS + random.nextGaussian()));
  }

  private static Arguments stream(String name, double allowed, IntToDoubleFunction values) {
    return Arguments.of(name, allowed, values);
  }

  /** What drifted since a decision lies where it came to lie. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("distributions")
  void bucketsHaveEqualTokens(String name, double allowed, IntToDoubleFunction values) {
    Buckets buckets = new Buckets(BucketSettings.STANDARD);
    Random lengths = new Random(2);
    for (int i = 0; i < DOCUMENTS; i++) {
      buckets.add(values.applyAsDouble(i), length(lengths));
    }
    long total = IntStream.range(0, BUCKETS).mapToLong(buckets::tokens).sum();
    for (int i = 0; i < BUCKETS; i++) {
      assertThat((double) buckets.tokens(i) / total * BUCKETS)
          .as("%s, bucket %d", name, i)
          .isBetween(1 - allowed, 1 + allowed);
    }
  }

  /**
   * Values that leave all borders behind them: those before a decision are in equal parts by it.
   */
  @Test
  void bordersFollowADrift() {
    Buckets buckets = new Buckets(BucketSettings.STANDARD);
    Random random = new Random(3);
    List<Double> values = new ArrayList<>();
    int decisions = 0;
    for (int i = 0; i < DOCUMENTS; i++) {
      values.add(i / 1000.0 + random.nextGaussian());
      Optional<BordersMoved> moved = buckets.add(values.get(i), 1);
      if (moved.isPresent()) {
        decisions++;
        assertThat(moved.get().document()).isEqualTo(i + 1);
        assertThat(moved.get().tokens()).isEqualTo(i + 1);
        assertThat(moved.get().borders()).isEqualTo(buckets.borders()).isSorted();
        assertThat(moved.get().deviation() > 0.2).isEqualTo(decisions > 1);
        int[] counts = new int[BUCKETS];
        values.forEach(value -> counts[buckets.of(value)]++);
        for (int count : counts) {
          assertThat(count * 10.0 / values.size()).isBetween(0.95, 1.05);
        }
      }
    }
    // At 1,000 documents, and as often as that doubles.
    assertThat(decisions).isEqualTo(1 + 31 - Integer.numberOfLeadingZeros(DOCUMENTS / 1000));
  }

  @Test
  void bordersStayWhereNothingChanges() {
    Buckets buckets = new Buckets(new BucketSettings(10, 5_000, 1.5, 0.2));
    Random random = new Random(4);
    List<BordersMoved> moved = new ArrayList<>();
    for (int i = 0; i < DOCUMENTS; i++) {
      buckets.add(random.nextGaussian(), 1).ifPresent(moved::add);
    }
    assertThat(moved).hasSize(1);
    assertThat(moved.get(0).before()).isEmpty();
    assertThat(moved.get(0).document()).isEqualTo(5_000);
  }

  @Test
  void valuesThatAreAllTheSameLieInOneBucket() {
    Buckets buckets = new Buckets(BucketSettings.STANDARD);
    List<BordersMoved> moved = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      buckets.add(7, 3).ifPresent(moved::add);
    }
    assertThat(moved).hasSize(1);
    assertThat(buckets.of(7)).isZero();
    assertThat(buckets.of(7.1)).isEqualTo(9);
  }

  @Test
  void ranksAmongThoseBeforeDecideBeforeThereAreBorders() {
    Buckets buckets = new Buckets(new BucketSettings(4, 100, 2, 0.2));

    assertThat(buckets.of(3)).isEqualTo(2);
    buckets.add(3, 10);
    assertThat(buckets.of(1)).isZero();
    assertThat(buckets.of(4)).isEqualTo(3);
    buckets.add(4, 10);
    assertThat(buckets.of(3.5)).isEqualTo(2);
    assertThat(buckets.borders()).isEmpty();
    assertThat(buckets.tokens(3)).isEqualTo(10);
  }

  @Test
  void restoredEqualsNeverStopped() {
    Buckets neverStopped = new Buckets(BucketSettings.STANDARD);
    Buckets restored = new Buckets(BucketSettings.STANDARD);
    Random random = new Random(5);
    for (int i = 0; i < 30_000; i++) {
      double value = i / 5000.0 + random.nextGaussian();
      long length = length(random);
      if (i % 997 == 0) {
        restored = Buckets.restored(BucketSettings.STANDARD, restored.snapshot());
      }
      assertThat(restored.of(value)).isEqualTo(neverStopped.of(value));
      assertThat(restored.add(value, length)).isEqualTo(neverStopped.add(value, length));
    }
    assertThat(restored.snapshot()).isEqualTo(neverStopped.snapshot()).hasSizeLessThan(100_000);
  }

  @Test
  void readsItsFirstVersion() {
    byte[] first =
        HexFormat.of()
            .parseHex(
                "01000000020000000000000003000000000000026a013ff00000000000000000"
                    + "00000000012c00000000000000090000000000000000000000033ff000000000"
                    + "0000000000000000012c00000000000000004008000000000000000000000000"
                    + "0005000000000000000040200000000000000000000000000004000000000000"
                    + "0000");

    Buckets buckets = Buckets.restored(new BucketSettings(2, 2, 2, 0.2), first);
    assertThat(buckets.borders()).containsExactly(1.0);
    assertThat(buckets.snapshot()).isEqualTo(first);
  }

  @Test
  void refusesWhatIsNotItsState() {
    Buckets buckets = new Buckets(BucketSettings.STANDARD);
    for (int i = 0; i < 2_000; i++) {
      buckets.add(i, 1);
    }
    byte[] whole = buckets.snapshot();
    assertThatThrownBy(() -> restored(new byte[] {2}))
        .hasMessage("state of buckets must be of version 1: 2");
    assertThatThrownBy(() -> restored(Arrays.copyOf(whole, whole.length - 1)))
        .isInstanceOf(UncheckedIOException.class);
    assertThatThrownBy(() -> Buckets.restored(new BucketSettings(4, 100, 2, 0.2), whole))
        .hasMessage("state of buckets must be of 4 buckets: found 10");
    Random random = new Random(6);
    for (int i = 0; i < 2_000; i++) {
      byte[] damaged = whole.clone();
      damaged[random.nextInt(300)] = (byte) random.nextInt();
      try {
        restored(damaged).add(1, 1);
      } catch (IllegalArgumentException | UncheckedIOException expected) {
        assertThat(expected).hasMessageMatching("(?s).*(buckets|sketch).*");
      }
    }
  }

  @Test
  void settingsHaveRanges() {
    assertThatThrownBy(() -> new BucketSettings(33, 1, 2, 0.2))
        .isInstanceOf(BadInputException.class)
        .hasMessage("buckets must be a number from 2.0 to 32.0: found 33.0");
    assertThatThrownBy(() -> new BucketSettings(2, 0, 2, 0.2)).hasMessageContaining("warm-up");
    assertThatThrownBy(() -> new BucketSettings(2, 1, 1, 0.2)).hasMessageContaining("growth");
    assertThatThrownBy(() -> new BucketSettings(2, 1, 2, Double.NaN))
        .hasMessageContaining("tolerance");
  }

  private static Buckets restored(byte[] state) {
    return Buckets.restored(BucketSettings.STANDARD, state);
  }

  private static long length(Random random) {
    return 1 + (long) Math.exp(5 + random.nextGaussian());
  }
}
