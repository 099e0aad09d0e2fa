package io.sluice.lab.bench.age;

import io.sluice.control.runs.NewRun;
import io.sluice.control.wire.RunSpecs;
import io.sluice.lab.bench.measure.Ranges;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RunSpec;
import java.util.Locale;
import java.util.Map;

/**
 * What a service has behind it. The live runs have made half of all decisions, the ended ones the
 * other half.
 *
 * @param ended runs that are completed
 * @param live runs that go on
 * @param decisions in the logs of all runs together, about
 * @param domains of every run
 * @param blocks of each domain
 */
record AgeShape(int ended, int live, int decisions, int domains, int blocks) {
  /** Of each stream; a batch is one sequence. */
  private static final int PARTITIONS = 1;

  private static final int BATCH = 1;

  /** However the weights move, no domain gets so many times its share. */
  private static final long UNEVEN = 4;

  /** With blocks for every run, and for what the live ones do when measured. */
  static AgeShape of(int ended, int live, int decisions, int domains) {
    AgeShape shape = new AgeShape(ended, live, decisions, domains, 0);
    int steps = Math.max(shape.decisionsOfLive(), shape.decisionsOfEnded());
    return new AgeShape(
        ended, live, decisions, domains, Math.toIntExact(256 + UNEVEN * steps / domains));
  }

  /** With less behind it, over the same corpus: readers keep as much of it in memory. */
  AgeShape younger(int fewerEnded, int fewerDecisions) {
    return new AgeShape(fewerEnded, live, fewerDecisions, domains, blocks);
  }

  AgeShape {
    Ranges.require("--ended", ended, 1, 100_000);
    Ranges.require("--live", live, 1, 1_000);
    Ranges.require("--domains", domains, 1, 4_096);
    Ranges.require("--decisions", decisions, 2L * Math.max(ended, live), 100_000_000);
  }

  /** Decisions of each live run. */
  int decisionsOfLive() {
    return decisions / 2 / live;
  }

  /** Decisions of each ended run. */
  int decisionsOfEnded() {
    return decisions / 2 / ended;
  }

  /** A run whose weights are decided at each step. */
  RunSpec run(DatasetSpec dataset, String name, boolean ends) {
    return RunSpecs.complete(
        NewRun.of(name, dataset, BATCH)
            .setBatches(ends ? decisionsOfEnded() + 1L : 0)
            .setStreamPartitions(PARTITIONS)
            .setPolicy("velocitune")
            .setPolicySettings(Map.of("target-fraction", "0.5"))
            .setUpdateEvery(1)
            .build());
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%,d ended, %,d live, %,d decisions", ended, live, decisions);
  }
}
