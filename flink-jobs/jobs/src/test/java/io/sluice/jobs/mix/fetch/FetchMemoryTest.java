package io.sluice.jobs.mix.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.jobs.mix.fetch.FetchMemory.Claim;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class FetchMemoryTest {
  private static final long MOST = 32 << 20;
  private static final long LEAST = FetchMemory.LEAST;
  private static final int DOMAINS = 64;

  private long now;
  private final AtomicInteger changes = new AtomicInteger();

  /** Memory for so many splits at a budget. */
  private FetchMemory memory(int splits, long budget) {
    return new FetchMemory(splits * cost(budget), () -> now);
  }

  private static long cost(long budget) {
    return FetchMemory.OF_SPLIT + DOMAINS * FetchMemory.OF_DOMAIN + FetchMemory.EACH * budget;
  }

  private List<Claim> join(FetchMemory memory, int splits) {
    List<Claim> claims =
        IntStream.range(0, splits)
            .mapToObj(i -> memory.claim(DOMAINS, MOST, changes::incrementAndGet))
            .toList();
    claims.forEach(Claim::join);
    return claims;
  }

  private static List<Long> shares(List<Claim> claims) {
    return claims.stream().map(Claim::share).toList();
  }

  @Test
  void fewHaveAllThatTheyHaveAUseForAndManyEqualShares() {
    FetchMemory memory = memory(4, MOST);
    List<Claim> claims = join(memory, 4);
    assertThat(shares(claims)).containsOnly(MOST);
    List<Long> level = new ArrayList<>();
    List<Claim> all = new ArrayList<>(claims);
    for (int more = 0; more < 60; more++) {
      all.addAll(join(memory, 1));
      assertThat(shares(all)).containsOnly(all.get(0).share());
      assertThat(all.size() * cost(all.get(0).share())).isLessThanOrEqualTo(memory.bytes());
      level.add(all.get(0).share());
    }
    assertThat(level.stream().distinct())
        .containsExactly(
            24L << 20, 16L << 20, 12L << 20, 8L << 20, 6L << 20, 4L << 20, 3L << 20, 2L << 20,
            3L << 19);
    all.subList(0, 60).forEach(Claim::leave);
    assertThat(shares(all.subList(60, 64))).containsOnly(MOST);
  }

  @Test
  void whoWantsLessLeavesTheRestToTheOthers() {
    FetchMemory memory = memory(2, 16 << 20);
    Claim small = memory.claim(DOMAINS, 1 << 16, changes::incrementAndGet);
    Claim large = memory.claim(DOMAINS, MOST, changes::incrementAndGet);
    small.join();
    large.join();
    assertThat(small.share()).isEqualTo(1 << 16);
    assertThat(large.share()).isEqualTo(24 << 20);
  }

  @Test
  void thoseWhoDoNotFitComeInInTheOrderInWhichTheyCame() {
    FetchMemory memory = memory(3, LEAST);
    List<Claim> claims = join(memory, 6);
    assertThat(shares(claims)).containsExactly(LEAST, LEAST, LEAST, 0L, 0L, 0L);
    assertThat(memory.in()).isEqualTo(3);
    assertThat(memory.waiting()).isEqualTo(3);
    claims.get(4).leave();
    claims.get(1).leave();
    assertThat(shares(claims)).containsExactly(LEAST, 0L, LEAST, LEAST, 0L, 0L);
    claims.get(1).join();
    claims.get(0).leave();
    assertThat(shares(claims)).containsExactly(0L, 0L, LEAST, LEAST, 0L, LEAST);
  }

  @Test
  void aLargeOneIsNotPassedByASmallOneThatCameLater() {
    FetchMemory memory = memory(3, LEAST);
    List<Claim> small = join(memory, 2);
    Claim large = memory.claim(DOMAINS + 512, MOST, changes::incrementAndGet);
    large.join();
    Claim late = join(memory, 1).get(0);
    assertThat(large.share()).isZero();
    assertThat(late.share()).isZero();
    small.get(0).leave();
    assertThat(large.share()).isPositive();
    assertThat(late.share()).isZero();
  }

  @Test
  void oneIsAlwaysIn() {
    FetchMemory memory = new FetchMemory(1, () -> now);
    List<Claim> claims = join(memory, 2);
    assertThat(shares(claims)).containsExactly(LEAST, 0L);
    assertThat(claims.get(0).open()).isEqualTo(LEAST);
    claims.get(0).leave();
    assertThat(claims.get(1).share()).isEqualTo(LEAST);
    assertThat(claims.get(1).open()).as("while the first is held").isZero();
    claims.get(0).closed(LEAST);
    assertThat(claims.get(1).open()).isEqualTo(LEAST);
  }

  @Test
  void nobodyOpensBeforeTheOthersHaveGivenBackWhatIsMoreThanTheirShare() {
    FetchMemory memory = memory(1, MOST);
    Claim first = join(memory, 1).get(0);
    assertThat(first.open()).isEqualTo(MOST);
    Claim second = join(memory, 1).get(0);
    assertThat(first.share()).isEqualTo(second.share()).isEqualTo(12 << 20);
    assertThat(second.open()).isZero();
    changes.set(0);
    first.closed(MOST);
    assertThat(changes).as("who may open is told").hasPositiveValue();
    assertThat(second.open()).isEqualTo(12 << 20);
    assertThat(first.open()).isEqualTo(12 << 20);
  }

  @Test
  void whoNeedsNothingMakesRoomOnlyForThoseWhoWait() {
    FetchMemory memory = memory(2, LEAST);
    List<Claim> claims = join(memory, 2);
    claims.get(0).giveWay();
    assertThat(shares(claims)).doesNotContain(0L);
    Claim third = join(memory, 1).get(0);
    claims.get(1).giveWay();
    assertThat(claims.get(1).share()).isZero();
    assertThat(third.share()).isEqualTo(LEAST);
    claims.get(0).giveWay();
    assertThat(claims.get(0).share()).isEqualTo(LEAST);
  }

  @Test
  void whoNeedsNothingForLongLeavesItsShareToThoseWhoHaveLittle() {
    FetchMemory memory = memory(2, 12 << 20);
    List<Claim> claims = join(memory, 2);
    claims.get(0).giveWay();
    now += FetchMemory.TURN_NANOS;
    claims.get(0).takeTurns();
    claims.get(0).giveWay();
    assertThat(shares(claims)).as("it needed something").containsOnly(12L << 20);
    now += FetchMemory.TURN_NANOS;
    claims.get(0).giveWay();
    assertThat(shares(claims)).containsExactly(0L, 24L << 20);
    assertThat(memory.isShort()).isTrue();
  }

  @Test
  void whoNeedsNothingKeepsItsShareWhileAllHaveTheMost() {
    FetchMemory memory = memory(2, MOST);
    List<Claim> claims = join(memory, 2);
    claims.get(0).giveWay();
    now += FetchMemory.TURN_NANOS;
    claims.get(0).giveWay();
    assertThat(shares(claims)).containsOnly(MOST);
    assertThat(memory.isShort()).isFalse();
  }

  @Test
  void whoCameFirstGoesToTheEndAfterItsTurnOneForEachWhoWaitedAsLong() {
    FetchMemory memory = memory(2, LEAST);
    List<Claim> claims = join(memory, 2);
    now += FetchMemory.TURN_NANOS;
    List<Claim> all = new ArrayList<>(claims);
    all.addAll(join(memory, 1));
    all.forEach(Claim::takeTurns);
    assertThat(shares(all)).as("the third has just come").containsExactly(LEAST, LEAST, 0L);
    now += FetchMemory.TURN_NANOS;
    all.get(1).takeTurns();
    assertThat(all.get(1).share()).as("it came second").isPositive();
    all.forEach(Claim::takeTurns);
    assertThat(shares(all)).as("one is enough").startsWith(0L);
    assertThat(memory.waiting()).isEqualTo(1);
    now += FetchMemory.TURN_NANOS;
    all.forEach(Claim::takeTurns);
    assertThat(all.get(1).share()).isZero();
    assertThat(memory.in()).isEqualTo(2);
  }
}
