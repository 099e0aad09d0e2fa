package io.sluice.lab.bench.age;

import io.sluice.lab.bench.measure.DrivenRun;
import io.sluice.schema.DomainMeasure;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Losses that come and go in waves, for each domain a wave of its own, so that weights never
 * settle.
 */
record LossWaves(List<String> domains) {
  private static final int PERIOD = 16;

  /** The loss of a domain at a step; all begin alike. */
  static double loss(int domain, long step) {
    double phase = 2 * Math.PI * ((step + domain) % PERIOD) / PERIOD;
    return step == 0 ? 3 : 3 + 0.1 * Math.sin(phase);
  }

  /** The entries of each step's report, which are those of the step a period before. */
  List<List<DomainMeasure>> period() {
    return IntStream.rangeClosed(1, PERIOD).mapToObj(this::at).toList();
  }

  /** The entries of a step's report. */
  List<DomainMeasure> at(long step) {
    return IntStream.range(0, domains.size())
        .mapToObj(
            i ->
                new DomainMeasure(
                    domains.get(i), DrivenRun.TOKENS * loss(i, step), DrivenRun.TOKENS))
        .toList();
  }
}
