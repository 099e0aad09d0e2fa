package io.sluice.lab.bench.age;

import io.sluice.lab.bench.measure.DrivenRun;
import io.sluice.schema.DomainMeasure;
import java.util.List;

/** A run whose log is written by its own controller. */
final class AgedRun {
  private final DrivenRun run;
  private final List<DomainMeasure> first;
  private final List<List<DomainMeasure>> then;

  /** A run that was started. */
  AgedRun(DrivenRun run, LossWaves losses) {
    this.run = run;
    this.first = losses.at(0);
    this.then = losses.period();
  }

  /**
   * Lets the policy decide so often, a batch for each.
   *
   * @throws IllegalStateException if it comes to a stop before
   */
  void decide(int decisions) {
    run.readBack(run.hear(run.report(first, 0)));
    for (int step = 1; step <= decisions; step++) {
      long before = run.entries();
      List<DomainMeasure> losses = then.get((step - 1) % then.size());
      run.readBack(run.hear(run.report(losses, step)));
      if (run.entries() == before) {
        throw new IllegalStateException("nothing is decided at step " + step);
      }
    }
  }
}
