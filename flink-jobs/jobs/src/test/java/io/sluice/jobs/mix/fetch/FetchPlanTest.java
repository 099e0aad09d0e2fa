package io.sluice.jobs.mix.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.jobs.mix.fetch.BlockSupply.TakenBlock;
import io.sluice.jobs.mix.source.TestingRun;
import io.sluice.jobs.mix.split.BrokenRunException;
import io.sluice.jobs.mix.split.RunLayout;
import io.sluice.jobs.mix.split.SplitCursor;
import io.sluice.mixture.plan.EpochOrder;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FetchPlanTest {
  private static final int BLOCK = 100;
  private static final TakenBlock INTO = new TakenBlock();

  /** Block partitions that deliver a few blocks per fetch, and what the plan made of them. */
  private static final class Log {
    private final RunLayout layout;
    private final FetchPlan plan;
    private final long[] sizes;
    private final long[] at;
    private final int fetch;
    private long seeks;
    private long fetched;
    private long mostHeld;
    private final TreeSet<Integer> read = new TreeSet<>();

    Log(RunLayout layout, SplitCursor cursor, long[] sizes, long budget, int fetch) {
      this.layout = layout;
      this.plan = new FetchPlan(layout, 0, cursor, budget);
      this.sizes = sizes;
      this.at = new long[sizes.length];
      this.fetch = fetch;
    }

    /** One fetch of every partition that the plan wants to read. */
    void fetchOnce() {
      plan.advance();
      for (int domain : plan.lacking().stream().toArray()) {
        long target = plan.seekTarget(domain);
        if (target >= 0) {
          at[domain] = target;
          plan.readingFrom(domain, target);
          seeks++;
        }
        read.add(domain);
        for (int i = 0; i < fetch && at[domain] <= sizes[domain]; i++) {
          if (at[domain] == sizes[domain]) {
            plan.offerEnd(domain, at[domain]++);
          } else {
            plan.offer(domain, at[domain]++, ByteBuffer.allocate(BLOCK));
            fetched++;
          }
        }
      }
      mostHeld = Math.max(mostHeld, plan.held());
    }

    /** Takes one block, fetching as often as that needs. */
    void take(int domain, long ordinal) {
      for (int tries = 0; !plan.take(domain, INTO); tries++) {
        assertThat(tries).as("fetches before ordinal %s of %s", ordinal, domain).isLessThan(700);
        fetchOnce();
      }
      EpochOrder order = EpochOrder.ended(layout.seed(), domain, 0, sizes[domain]);
      assertThat(INTO.stored).isEqualTo(order.chunkAt(ordinal).blockAt(ordinal));
    }
  }

  private static SplitCursor cursor(RunLayout layout) {
    return new TestingRun("r", layout.domains().size()).split().cursor();
  }

  @ParameterizedTest
  @CsvSource({"1, 4, 5000, 1", "2, 4, 5000, 7", "3, 8, 100000, 64", "4, 3, 1, 5"})
  void everyBlockComesInTheOrderOfUseThroughAllEpochs(
      long seed, int domains, long budget, int fetch) {
    Random random = new Random(seed);
    RunLayout layout = new TestingRun("r", domains).layout();
    long[] sizes = random.longs(domains, 1, 300).toArray();
    Log log = new Log(layout, cursor(layout), sizes, budget, fetch);
    long[] next = new long[domains];
    for (int batch = 0; batch < 40; batch++) {
      int[] order = random.ints(64, 0, domains).toArray();
      log.plan.need(order, 0);
      for (int domain : order) {
        log.take(domain, next[domain]++);
      }
    }
    assertThat(next[0]).as("passes over domain 0").isGreaterThan(0);
    assertThat(log.mostHeld).isLessThanOrEqualTo(Math.max(budget, 0) + slack(domains, fetch));
  }

  /** What is fetched whatever the budget: a fetch of each domain, and the least. */
  private static long slack(int domains, int fetch) {
    return (long) BLOCK * (domains * fetch + FetchPlan.LEAST);
  }

  @Test
  void blocksFetchedBeforeTheyWereNeededCanBeTakenAtOnce() {
    RunLayout layout = new TestingRun("r", 1).layout();
    Log log = new Log(layout, cursor(layout), new long[] {100}, 64 * BLOCK, 10);
    log.plan.need(new int[] {0, 0}, 0);
    log.take(0, 0);
    log.take(0, 1);
    long fetched = log.fetched;
    log.plan.need(new int[] {0, 0}, 0);
    assertThat(log.plan.take(0, INTO)).isTrue();
    assertThat(INTO.stored).isEqualTo(2);
    assertThat(log.plan.take(0, INTO)).isTrue();
    assertThat(log.plan.take(0, INTO)).as("beyond what is granted").isFalse();
    assertThat(log.fetched).isEqualTo(fetched);
    assertThat(log.plan.lacking().isEmpty()).isTrue();
  }

  @Test
  void laterEpochsAreReshuffledAndRestoreAnywhere() {
    RunLayout layout = new TestingRun("r", 1).layout();
    long[] sizes = {150};
    long[] firstEpoch = new long[150];
    long[] secondEpoch = new long[150];
    for (int start = 0; start < 300; start++) {
      SplitCursor begin = cursor(layout);
      SplitCursor at =
          new SplitCursor(
              begin.control(),
              begin.phase(),
              1,
              0,
              0,
              new long[] {start},
              new long[0],
              new long[] {start <= 150 ? SplitCursor.GROWING : 150},
              begin.chains());
      Log log = new Log(layout, at, sizes, 64 * BLOCK, 10);
      log.plan.need(new int[1], 0);
      log.take(0, start);
      (start < 150 ? firstEpoch : secondEpoch)[start % 150] = INTO.stored;
    }
    assertThat(firstEpoch).isSorted();
    assertThat(secondEpoch).isNotEqualTo(firstEpoch);
    assertThat(Arrays.stream(secondEpoch).sorted()).containsExactly(boxed(firstEpoch));
  }

  private static Long[] boxed(long[] values) {
    return Arrays.stream(values).boxed().toArray(Long[]::new);
  }

  @Test
  void neverFetchesBeyondTheBudgetWhileNothingIsTaken() {
    RunLayout layout = new TestingRun("r", 4).layout();
    Log log = new Log(layout, cursor(layout), new long[] {9999, 9999, 9999, 9999}, 6_000, 3);
    log.plan.need(new Random(1).ints(4_000, 0, 4).toArray(), 0);
    for (int i = 0; i < 200; i++) {
      log.fetchOnce();
    }
    assertThat(log.plan.held()).isBetween(5_000L, 6_000 + slack(4, 3));
    assertThat(log.plan.lacking().isEmpty()).isTrue();
    assertThat(log.plan.isWorthAdvancing()).isFalse();
  }

  @Test
  void largeFetchesOfManyDomainsStayWithinAllBudgets() {
    int domains = 512;
    long budget = 500L * BLOCK;
    RunLayout layout = new TestingRun("r", domains).layout();
    long[] sizes = new long[domains];
    Arrays.fill(sizes, 200);
    Log log = new Log(layout, cursor(layout), sizes, budget, 32);
    long[] next = new long[domains];
    Random random = new Random(6);
    for (int batch = 0; batch < 20; batch++) {
      int[] order = random.ints(1_024, 0, domains).toArray();
      log.plan.need(order, 0);
      for (int domain : order) {
        log.take(domain, next[domain]++);
      }
    }
    assertThat(log.mostHeld).isLessThanOrEqualTo(FetchPlan.EXCESS * budget);
  }

  @Test
  void blocksBeyondTheHorizonDoNotHoldItUp() {
    int domains = 512;
    int fetch = 6;
    RunLayout layout = new TestingRun("r", domains).layout();
    long[] sizes = new long[domains];
    Arrays.fill(sizes, 999);
    Log log = new Log(layout, cursor(layout), sizes, 512L * BLOCK, fetch);
    int[] order = new Random(8).ints(16_384, 0, domains).toArray();
    log.plan.need(order, 0);
    log.fetchOnce();
    long[] next = new long[domains];
    int looks = 0;
    for (int domain : order) {
      if (log.plan.isWorthAdvancing()) {
        looks++;
        log.fetchOnce();
      }
      log.take(domain, next[domain]++);
    }
    int quarter = 512 / 4;
    assertThat(looks).as("each for a quarter of the budget").isBetween(100, order.length / quarter);
    assertThat(log.fetched).isLessThan(order.length + (long) domains * fetch);
  }

  @Test
  void thousandsOfDomainsShareTheBudget() {
    int domains = 4_096;
    long budget = 1_000L * BLOCK;
    RunLayout layout = new TestingRun("r", domains).layout();
    long[] sizes = new long[domains];
    Arrays.fill(sizes, 40);
    Log log = new Log(layout, cursor(layout), sizes, budget, 1);
    long[] next = new long[domains];
    Random random = new Random(5);
    for (int batch = 0; batch < 20; batch++) {
      int[] order = random.ints(1_024, 0, domains).toArray();
      log.plan.need(order, 0);
      for (int domain : order) {
        log.take(domain, next[domain]++);
      }
    }
    assertThat(log.mostHeld).isLessThanOrEqualTo(budget + slack(1, 16));
    assertThat(log.fetched).as("nothing is fetched twice").isLessThanOrEqualTo(20 * 1_024);
  }

  @Test
  void aSmallDomainIsReadOnceForSeveralEpochs() {
    RunLayout layout = new TestingRun("r", 1).layout();
    Log log = new Log(layout, cursor(layout), new long[] {200}, 1 << 20, 16);
    log.plan.need(new int[2_000], 0);
    for (int ordinal = 0; ordinal < 2_000; ordinal++) {
      log.take(0, ordinal);
    }
    assertThat(log.fetched).isLessThan(600);
    assertThat(log.seeks).isLessThan(5);
  }

  @Test
  void domainsWithoutNeedAreNeverRead() {
    RunLayout layout = new TestingRun("r", 3).layout();
    Log log = new Log(layout, cursor(layout), new long[] {50, 50, 50}, 1 << 20, 8);
    log.plan.need(new int[] {0, 2, 2, 0}, 0);
    for (int i = 0; i < 5; i++) {
      log.fetchOnce();
    }
    assertThat(log.read).containsExactly(0, 2);
    assertThat(log.seeks).isEqualTo(2);
  }

  @Test
  void resumesInTheMiddleOfABatch() {
    RunLayout layout = new TestingRun("r", 3).layout();
    Log log = new Log(layout, cursor(layout), new long[] {50, 50, 50}, 1 << 20, 8);
    log.plan.need(new int[] {1, 1, 2, 0}, 2);
    log.take(2, 0);
    log.take(0, 0);
    assertThat(log.read).containsExactly(0, 2);
  }

  @Test
  void repeatedBlocksAreDroppedAndMissingOnesBreakTheRun() {
    RunLayout layout = new TestingRun("r", 2).layout();
    FetchPlan plan = new FetchPlan(layout, 0, cursor(layout), 1 << 20);
    plan.need(new int[] {1, 1, 1, 1}, 0);
    plan.advance();
    assertThat(plan.seekTarget(1)).isZero();
    plan.readingFrom(1, 0);
    plan.offer(1, 0, ByteBuffer.allocate(1));
    plan.offer(1, 1, ByteBuffer.allocate(1));
    plan.offer(1, 0, ByteBuffer.allocate(1));
    plan.offer(1, 2, ByteBuffer.allocate(1));
    assertThat(plan.held()).isEqualTo(3);
    assertThatThrownBy(() -> plan.offer(1, 5, ByteBuffer.allocate(1)))
        .isInstanceOf(BrokenRunException.class)
        .hasMessage("domain d1, lane 0: blocks are missing: expected ordinal 3, found 5");
    assertThatThrownBy(() -> plan.offerEnd(1, 4))
        .hasMessage("domain d1, lane 0: blocks are missing: expected ordinal 3, found 4");
  }

  @Test
  void aDomainWithoutBlocksBreaksTheRun() {
    RunLayout layout = new TestingRun("r", 1).layout();
    FetchPlan plan = new FetchPlan(layout, 0, cursor(layout), 1 << 20);
    plan.need(new int[] {0}, 0);
    plan.advance();
    plan.readingFrom(0, 0);
    assertThatThrownBy(() -> plan.offerEnd(0, 0))
        .hasMessage("domain d0, lane 0: blocks are granted, it has none");
  }

  @Test
  void remembersSizes() {
    RunLayout layout = new TestingRun("r", 2).layout();
    Log log = new Log(layout, cursor(layout), new long[] {2, 50}, 1 << 20, 8);
    log.plan.need(new int[] {0, 1}, 0);
    log.fetchOnce();
    assertThat(log.plan.sizes()).containsExactly(2, SplitCursor.GROWING);
  }
}
