package io.sluice.jobs.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The whole control loop under faults, on the classes that decide in production. More seeds with
 * {@code -Dsluice.seeds=20000}; one seed again with {@code -Dsluice.seed=N}.
 */
class LoopSimulationTest {
  private static final long DEFAULT_SEEDS = 100;

  @Test
  void noFaultBreaksAnInvariant() {
    Witness witness = new Witness();
    Long only = Long.getLong("sluice.seed");
    long first = only == null ? 1 : only;
    long last = only == null ? Long.getLong("sluice.seeds", DEFAULT_SEEDS) : only;
    long events =
        LongStream.rangeClosed(first, last)
            .parallel()
            .map(seed -> Simulation.run(seed, new Conduct(), witness))
            .sum();
    report(last - first + 1, events, witness);
    assertThat(witness.counts()).containsKey("batch trained");
    if (last - first >= DEFAULT_SEEDS - 1) {
      assertThat(witness.counts())
          .containsKeys(
              "batch shared by lanes",
              "batch trained again",
              "checkpoint of a dead branch refused",
              "command refused",
              "control record ignored",
              "control record of an earlier release",
              "domain masked",
              "feedback lost",
              "feedback said again",
              "feedback unreadable",
              "job without state begun at a snapshot",
              "log read from a snapshot",
              "log summed up",
              "past read from a snapshot",
              "past read from the start",
              "place sought from an earlier snapshot",
              "place sought from the newest snapshot",
              "place sought from the start",
              "place sought in a log without a snapshot",
              "rank lacks a metric",
              "rewind from an older log refused",
              "round decided",
              "round kept",
              "round kept for a rank that lacks a metric",
              "run completed",
              "run deleted",
              "run drained",
              "run ended under faults",
              "run forked",
              "run paused",
              "run regrouped",
              "run revised",
              "run rewound",
              "run rewound with a skip",
              "run running",
              "run stopped",
              "seats redistributed",
              "seats redistributed over lanes",
              "sequence of an older timeline written",
              "sequence written again",
              "sequence written before one that it must follow",
              "split begun anew",
              "split begun where its stream ends",
              "stream reclaimed",
              "trainer rewound",
              "trainer told of a rewind",
              "weights set");
    }
  }

  /** How long a service would have to live to see as much, if something went wrong every day. */
  private static void report(long histories, long events, Witness witness) {
    long faults = witness.counts().getOrDefault("fault", 0L);
    System.out.printf(
        "%,d histories of %,d events, %,d batches trained, %,d faults: at one a day, %,.1f years%n",
        histories, events, witness.counts().get("batch trained"), faults, faults / 365.25);
  }
}
