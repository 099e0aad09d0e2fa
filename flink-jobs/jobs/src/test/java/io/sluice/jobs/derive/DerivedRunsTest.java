package io.sluice.jobs.derive;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.derive.Derivation;
import io.sluice.client.derive.DerivedBatch;
import io.sluice.client.derive.DomainEnds;
import io.sluice.client.run.RunLogFold;
import io.sluice.client.run.TrainerRank;
import io.sluice.jobs.derive.Emission.Sequence;
import io.sluice.jobs.derive.LoggedRun.Logged;
import io.sluice.schema.EntryDigest;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.RunRevised;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * What is derived of a control log is what the source emits of it, for runs that are drawn by lot.
 * More of them with {@code -Dsluice.full=true}; one again with {@code -Dsluice.seed=N}.
 */
final class DerivedRunsTest {
  private static final int RUNS = Boolean.getBoolean("sluice.full") ? 10_000 : 300;

  @Test
  void everySequenceIsTheEmittedOne() {
    Long only = Long.getLong("sluice.seed");
    LongStream seeds = only == null ? LongStream.range(0, RUNS) : LongStream.of(only);
    long compared = seeds.parallel().map(DerivedRunsTest::compare).sum();
    assertThat(compared).isGreaterThan(RUNS);
  }

  private static long compare(long seed) {
    try {
      return new Comparison(new Random(seed)).run();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("replay with -Dsluice.seed=" + seed + ": " + e, e);
    }
  }

  /** One run, read in several ways. */
  private static final class Comparison {
    private final Random random;
    private final LoggedRun run;
    private final Emission emission;
    private final Map<Place, Sequence> emitted = new HashMap<>();
    private long compared;

    /** What a sequence is told by. */
    private record Place(int timeline, long index) {}

    Comparison(Random random) {
      DrawnRun drawn = DrawnRun.draw(random);
      this.random = random;
      this.run = drawn.run();
      this.emission = new Emission(run.log().get(0).spec(), drawn.ended());
    }

    long run() {
      follow();
      List<Logged> log = run.log();
      for (int i = 0; i < log.size(); i++) {
        if (log.get(i).record().getBody() instanceof LogSnapshot) {
          beginAt(i);
        }
      }
      long from = run.first() + 1 + random.nextInt((int) (run.granted() - run.first()) + 1);
      Derivation late = new Derivation(run.runId(), from);
      log.forEach(entry -> late.apply(entry.record()));
      takeAll(late, from);
      return compared;
    }

    /** As a rank reads that is always there, and more or less behind. */
    private void follow() {
      Derivation derivation = new Derivation(run.runId(), 1);
      RunLogFold fold = new RunLogFold(run.runId(), derivation);
      long next = run.first() + 1;
      for (Logged logged : run.log()) {
        for (Sequence each : emission.apply(logged)) {
          emitted.put(new Place(each.timeline(), each.index()), each);
        }
        fold.apply(0, logged.offset(), logged.record(), EntryDigest.of(logged.value()));
        if (logged.record().getBody() instanceof RunRevised) {
          next = Math.min(next, fold.granted() + 1);
        }
        for (; derivation.has(next) && random.nextInt(8) > 0; next++) {
          take(derivation, next);
        }
      }
      takeAll(derivation, next);
    }

    /** As a rank reads that begins at a snapshot, and knows nothing of what was before. */
    private void beginAt(int place) {
      List<Logged> log = run.log();
      Derivation derivation = new Derivation(run.runId(), 1);
      derivation.begin(log.get(place).record());
      log.subList(place + 1, log.size()).forEach(entry -> derivation.apply(entry.record()));
      long next = run.first() + 1;
      while (next <= run.granted() && !derivation.has(next)) {
        next++;
      }
      takeAll(derivation, next);
    }

    private void takeAll(Derivation derivation, long from) {
      for (long batch = from; batch <= run.granted(); batch++) {
        assertThat(take(derivation, batch)).as("batch %s", batch).isEqualTo(run.owner(batch));
      }
      assertThat(derivation.has(run.granted() + 1)).isFalse();
    }

    /** Holds what all ranks get of a batch to what was emitted; returns its timeline. */
    private int take(Derivation derivation, long batch) {
      int world = 1 + random.nextInt(3);
      List<Sequence> derived = new ArrayList<>();
      int timeline = 0;
      for (int rank = 0; rank < world; rank++) {
        DerivedBatch part = derivation.derive(batch, TrainerRank.of(rank, world), ends(emission));
        timeline = part.timeline();
        for (int row = 0; row < part.rows(); row++) {
          derived.add(sequence(part, row));
        }
      }
      for (Sequence each : derived) {
        assertThat(each).isEqualTo(emitted.get(new Place(each.timeline(), each.index())));
      }
      Sequence first = derived.get(0);
      assertThat(derived).hasSize(first.size());
      assertThat(first.index()).isEqualTo(first.firstIndex());
      compared += derived.size();
      return timeline;
    }

    private static DomainEnds ends(Emission emission) {
      return new DomainEnds() {
        @Override
        public OptionalLong blocks(String domain, int lane) {
          return emission.size(domain, lane);
        }

        @Override
        public boolean isInPlace(String domain, int lane) {
          return false;
        }
      };
    }

    private static Sequence sequence(DerivedBatch of, int row) {
      return new Sequence(
          of.timeline(),
          of.batch(),
          of.firstIndex(),
          of.size(),
          of.weightsVersion(),
          of.index(row),
          of.domain()[row],
          of.lane()[row],
          of.ordinal()[row],
          of.block()[row]);
    }
  }
}
