package io.sluice.lab.bench.age;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.LowerCamelCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.sluice.lab.bench.measure.Spread;
import io.sluice.lab.bench.measure.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * What something takes, in milliseconds.
 *
 * @param wall time
 * @param cpu processor time of the process that does it
 */
@JsonNaming(LowerCamelCaseStrategy.class)
record Cost(Spread wall, Spread cpu) {
  private static final double MILLI = 1e6;

  /** Of measurements in nanoseconds. */
  static Cost ofNanos(List<Double> wall, List<Double> cpu) {
    return new Cost(Spread.of(millis(wall)), Spread.of(millis(cpu)));
  }

  private static List<Double> millis(List<Double> nanos) {
    return nanos.stream().map(each -> each / MILLI).toList();
  }

  /**
   * Measures work of this process.
   *
   * @param work the turns, of which number 0 warms up
   */
  static Cost of(int repeats, IntConsumer work) {
    List<Double> wall = new ArrayList<>();
    List<Double> cpu = new ArrayList<>();
    for (int turn = 0; turn <= repeats; turn++) {
      Usage before = Usage.now();
      long start = System.nanoTime();
      work.accept(turn);
      double taken = System.nanoTime() - start;
      double used = Usage.now().cpuNanosSince(before);
      if (turn > 0) {
        wall.add(taken);
        cpu.add(used);
      }
    }
    return ofNanos(wall, cpu);
  }
}
