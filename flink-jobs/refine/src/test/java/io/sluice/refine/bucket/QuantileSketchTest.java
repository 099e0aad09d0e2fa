package io.sluice.refine.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class QuantileSketchTest {
  private static final int VALUES = Boolean.getBoolean("sluice.full") ? 3_000_000 : 50_000;

  static Stream<Arguments> streams() {
    Random random = new Random(5);
    return Stream.of(
        stream("shuffled", i -> random.nextDouble()),
        stream("heavy tail", i -> Math.exp(4 * random.nextGaussian())),
        stream("ascending", i -> i),
        stream("descending", i -> -i),
        stream("inwards", i -> i % 2 == 0 ? i : 2e9 - i),
        stream("outwards", i -> i % 2 == 0 ? i : -i),
        stream("in waves", i -> i * 0.618033988749895 % 1),
        stream("few values", i -> random.nextInt(7)));
  }

  private static Arguments stream(String name, IntToDoubleFunction values) {
    return Arguments.of(name, values);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("streams")
  void sharesAreWithinTheErrorThatItTells(String name, IntToDoubleFunction values) {
    Random random = new Random(6);
    QuantileSketch sketch = new QuantileSketch();
    TreeMap<Double, Long> all = new TreeMap<>();
    for (int i = 0; i < VALUES; i++) {
      double value = values.applyAsDouble(i);
      long weight = 1 + (long) Math.exp(random.nextGaussian() + 5);
      sketch.add(value, weight);
      all.merge(value, weight, Long::sum);
    }
    double error = sketch.error();
    assertThat(error).as(name).isLessThanOrEqualTo(0.002);
    double below = 0;
    int number = 0;
    for (Map.Entry<Double, Long> each : all.entrySet()) {
      below += each.getValue();
      if (number++ % 17 == 0) {
        assertThat(sketch.share(each.getKey()) - below / sketch.total())
            .isBetween(-error - 1e-12, error + 1e-12);
      }
    }
    assertThat(below).isEqualTo((double) sketch.total());
    double[] quantiles = sketch.quantiles(0, 0.5, 1);
    assertThat(quantiles).isSorted();
    assertThat(quantiles[2]).isEqualTo(all.lastKey());
  }

  @Test
  void isExactWhileThereAreFewValues() {
    QuantileSketch sketch = new QuantileSketch();
    for (int i = 1; i <= 100; i++) {
      sketch.add(i, i == 100 ? 99 : 1);
    }
    assertThat(sketch.error()).isZero();
    assertThat(sketch.share(0.5)).isZero();
    assertThat(sketch.share(99)).isEqualTo(0.5);
    assertThat(sketch.quantiles(0.25, 0.5, 0.51)).containsExactly(50, 99, 100);
  }

  @Test
  void oneValueMayHaveNearlyAllWeight() {
    QuantileSketch sketch = new QuantileSketch();
    for (int i = 0; i < 20_000; i++) {
      sketch.add(i, i == 7_777 ? QuantileSketch.HEAVIEST : 1);
    }
    assertThat(sketch.quantiles(0.1, 0.9)).containsExactly(7_777, 7_777);
    assertThat(sketch.share(7_776)).isCloseTo(0, within(1e-6));
  }

  @Test
  void refusesWhatIsNoWeightedValue() {
    QuantileSketch sketch = new QuantileSketch();
    assertThatThrownBy(() -> sketch.add(Double.NaN, 1))
        .hasMessage(
            "a value must be finite, and its weight from 1 to 1099511627776: found NaN and 1");
    assertThatThrownBy(() -> sketch.add(1, 0)).hasMessageContaining("found 1.0 and 0");
    assertThatThrownBy(() -> sketch.add(1, 1L << 41)).hasMessageContaining("found 1.0 and 2199");
    assertThat(sketch.total()).isZero();
    assertThatThrownBy(() -> sketch.quantiles(0.5))
        .hasMessage("there are no quantiles of no values");
  }
}
