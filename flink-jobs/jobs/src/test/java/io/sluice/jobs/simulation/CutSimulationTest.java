package io.sluice.jobs.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mixture.log.LogPosition;
import io.sluice.schema.ControlRecord;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A run's log loses its tail, under who decides in production: one batch is one content for all who
 * go on, and nobody is left behind. More seeds with {@code -Dsluice.seeds=20000}.
 */
class CutSimulationTest {
  private static final long DEFAULT_SEEDS = 300;

  private enum Misreading implements CutWorld.Reading {
    /** Whatever is based on the place of the current entry is based on it. */
    BASE_IS_AN_OFFSET {
      @Override
      public ControlRecord read(ControlRecord record, LogPosition at) {
        ControlRecord bent = ControlRecord.newBuilder(record).build();
        if (record.getBasedOn() == at.offset() && at.digest() != null) {
          bent.setBasedOnDigest(Objects.requireNonNull(at.digest()));
        }
        return bent;
      }
    },
    ANCHOR_NOT_CHECKED {
      @Override
      public boolean checksAnchor() {
        return false;
      }
    }
  }

  private static void live(long seed, CutWorld.Reading reading, Witness witness) {
    try {
      new CutWorld(seed, reading, witness).live();
    } catch (RuntimeException e) {
      throw new AssertionError("seed " + seed + ": " + e, e);
    }
  }

  @Test
  void whoGoesOnHasWhatAllHave() {
    Witness witness = new Witness();
    Long only = Long.getLong("sluice.seed");
    long first = only == null ? 1 : only;
    long last = only == null ? Long.getLong("sluice.seeds", DEFAULT_SEEDS) : only;
    LongStream.rangeClosed(first, last)
        .parallel()
        .forEach(seed -> live(seed, new CutWorld.Reading() {}, witness));
    if (last - first >= DEFAULT_SEEDS - 1) {
      assertThat(witness.counts())
          .containsKeys("log cut", "run ended", "run goes on", "Client stopped", "Emitter stopped");
    }
  }

  @ParameterizedTest
  @EnumSource(Misreading.class)
  void aMisreadingIsFound(Misreading misreading, TestReporter reporter) {
    int seed = 1;
    while (seed <= DEFAULT_SEEDS && !breaks(seed, misreading)) {
      seed++;
    }
    reporter.publishEntry(misreading.name(), "found by seed " + seed);
    assertThat(seed).as("seeds until %s is found", misreading).isLessThanOrEqualTo(300);
  }

  private static boolean breaks(long seed, Misreading misreading) {
    try {
      live(seed, misreading, new Witness());
      return false;
    } catch (AssertionError found) {
      return true;
    }
  }
}
