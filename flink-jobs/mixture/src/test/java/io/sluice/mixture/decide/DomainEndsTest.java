package io.sluice.mixture.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.RunLimits;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.smoothing.Guards;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Runs whose domains end, several of them in one batch, and become known to have in any order. */
class DomainEndsTest {
  private static final int BATCHES = 30;

  @Test
  void whatIsInABatchDoesNotDependOnWhichEndIsKnownFirst() {
    for (int seed = 0; seed < 800; seed++) {
      Case drawn = new Case(seed, false);
      List<int[]> known = drawn.counts(drawn.allKnown());
      for (int order = 0; order < 3; order++) {
        assertThat(drawn.counts(drawn.learning(order)))
            .as("seed %d, order %d", seed, order)
            .usingElementComparator(Arrays::compare)
            .isEqualTo(known);
      }
    }
  }

  @Test
  void whereSeatsAreRedistributedNoGrantTakesMoreThanThereIs() {
    for (int seed = 0; seed < 300; seed++) {
      Case drawn = new Case(seed, true);
      TestingRun run = drawn.run(drawn.learning(seed));
      long[] granted = run.state.ordinals();
      for (int i = 0; i < granted.length; i++) {
        assertThat(granted[i]).as("seed %d", seed).isLessThanOrEqualTo(drawn.blocks[i]);
      }
    }
  }

  /** A run of few sequences a batch, most of whose domains run out of blocks at about one batch. */
  private static final class Case {
    private final Random random;
    private final RunSettings settings;
    private final long[] blocks;
    private final int domains;

    Case(int seed, boolean redistribute) {
      random = new Random(seed);
      domains = 3 + random.nextInt(4);
      int size = 2 + random.nextInt(6);
      int lanes = 1 + random.nextInt(2);
      double[] shares = random.doubles(domains, 0.05, 1).toArray();
      Weights weights = Weights.ofShares(shares);
      List<String> names = new ArrayList<>();
      for (int i = 0; i < domains; i++) {
        names.add("d" + i);
      }
      int end = 3 + random.nextInt(10);
      blocks = new long[lanes * domains];
      for (int place = 0; place < blocks.length; place++) {
        int domain = place % domains;
        double used = weights.share(domain) * size * end / lanes;
        boolean lasts = domain == 0;
        blocks[place] = lasts ? 10_000 : (long) used + random.nextInt(2);
      }
      settings =
          new RunSettings(
              names,
              new TreeMap<>(Map.of(1L, size)),
              Collections.emptyNavigableMap(),
              Collections.emptySortedMap(),
              BATCHES,
              seed,
              weights,
              "static",
              Map.of(),
              0,
              0,
              false,
              60_000,
              BATCHES,
              Guards.NONE,
              Collections.nCopies(domains, 1),
              redistribute,
              Set.of(),
              lanes,
              RunLimits.NONE);
    }

    private List<List<DomainSupply>> allKnown() {
      return List.of(known(Long.MAX_VALUE));
    }

    /** What is known at one time after the other: more blocks, then one end after the other. */
    private List<List<DomainSupply>> learning(int order) {
      List<Integer> places = new ArrayList<>();
      for (int place = 0; place < blocks.length; place++) {
        places.add(place);
      }
      Collections.shuffle(places, new Random(order));
      List<List<DomainSupply>> steps = new ArrayList<>(List.of(known(0)));
      long ended = 0;
      for (int place : places) {
        ended |= 1L << place;
        steps.add(known(ended));
      }
      return steps;
    }

    private List<DomainSupply> known(long ended) {
      List<DomainSupply> supply = new ArrayList<>();
      for (int place = 0; place < blocks.length; place++) {
        supply.add(new DomainSupply(blocks[place], (ended >> place & 1) == 1));
      }
      return supply;
    }

    private TestingRun run(List<List<DomainSupply>> steps) {
      TestingRun run = new TestingRun(settings);
      for (List<DomainSupply> supply : steps) {
        run.supply = supply;
        run.settle();
      }
      return run;
    }

    /** Of each batch. */
    private List<int[]> counts(List<List<DomainSupply>> steps) {
      List<int[]> counts = new ArrayList<>();
      for (Grant grant : run(steps).grants()) {
        for (int row = 0; row < grant.batchSizes().length; row++) {
          counts.add(Arrays.copyOfRange(grant.counts(), row * domains, (row + 1) * domains));
        }
      }
      assertThat(counts).hasSize(BATCHES);
      return counts;
    }
  }
}
