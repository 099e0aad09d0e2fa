package io.sluice.lab.bench.loop;

import io.sluice.control.controller.RunEffect;
import io.sluice.lab.bench.measure.DrivenRun;
import io.sluice.schema.DomainMeasure;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RunSpec;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.WireCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A run's controller alone, which reads a report, decides, and writes a grant: the part of the loop
 * that is arithmetic, without broker and state backend.
 */
final class ControllerRounds {
  private static final long NOW = 1_000;
  private static final long BLOCKS = 1L << 40;

  private ControllerRounds() {}

  /**
   * What the rounds came to.
   *
   * @param nanos from a report's bytes to its grant's, of each round after the warm-up
   * @param blocks that the domain with the most of them was granted, warm-up included
   */
  record Measured(List<Long> nanos, long blocks) {}

  /**
   * Starts a run and closes its rounds, of one step each.
   *
   * @param warmUp rounds that are not measured
   * @param steps of all rounds
   */
  static Measured measure(RunSpec spec, int warmUp, long steps) {
    long[] blocks = new long[spec.getDomains().size()];
    DrivenRun run =
        new DrivenRun(
            spec.getRun() + ".bench",
            DrivenRun.supply(spec, BLOCKS),
            entry -> count(entry, blocks),
            NOW);
    run.start(spec, "");
    run.readBack(run.hear(run.report(losses(spec, 0), 0)));
    List<Long> nanos = new ArrayList<>();
    for (long step = 1; step <= steps; step++) {
      byte[] report = WireCodec.encode(run.report(losses(spec, step), step));
      long start = System.nanoTime();
      List<RunEffect.Propose> grant = run.hear(WireCodec.decode(TrainerFeedback.class, report));
      if (step > warmUp) {
        nanos.add(System.nanoTime() - start);
      }
      if (grant.isEmpty()) {
        throw new IllegalStateException(
            "the controller of " + spec.getRun() + " proposes nothing after step " + step);
      }
      run.readBack(grant);
    }
    return new Measured(nanos, Arrays.stream(blocks).max().orElseThrow());
  }

  private static void count(RunEffect.Propose entry, long[] blocks) {
    if (entry.record().getBody() instanceof MixtureGrant grant) {
      List<Integer> counts = grant.getCounts();
      for (int i = 0; i < counts.size(); i++) {
        blocks[i % blocks.length] += counts.get(i);
      }
    }
  }

  private static List<DomainMeasure> losses(RunSpec spec, long step) {
    return spec.getDomains().stream()
        .map(
            domain ->
                new DomainMeasure(
                    domain, DrivenRun.TOKENS * LoopTrainer.loss(domain, step), DrivenRun.TOKENS))
        .toList();
  }
}
