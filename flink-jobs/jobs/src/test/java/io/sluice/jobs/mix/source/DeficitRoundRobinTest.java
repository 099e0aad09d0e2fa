package io.sluice.jobs.mix.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.sluice.mixture.log.RunLimits;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class DeficitRoundRobinTest {
  private final List<Blocks> participants = new ArrayList<>();
  private final DeficitRoundRobin<Blocks> turns = new DeficitRoundRobin<>(participants);

  /** Has blocks of one size, as many as it is given. */
  private static final class Blocks implements DeficitRoundRobin.Participant {
    private final DeficitRoundRobin.Deficit deficit = new DeficitRoundRobin.Deficit();
    private final long size;
    private int priority = RunLimits.PRIORITY;
    private int left;
    private int given;

    Blocks(long size, int left) {
      this.size = size;
      this.left = left;
    }

    @Override
    public DeficitRoundRobin.Deficit deficit() {
      return deficit;
    }

    @Override
    public int priority() {
      return priority;
    }

    @Nullable Blocks take() {
      if (left == 0) {
        return null;
      }
      left--;
      given++;
      deficit.spend(size);
      return this;
    }

    long bytes() {
      return given * size;
    }
  }

  private Blocks participant(long size, int left) {
    Blocks blocks = new Blocks(size, left);
    participants.add(blocks);
    return blocks;
  }

  private void take(int times) {
    for (int i = 0; i < times; i++) {
      assertThat(turns.next(Blocks::take)).isNotNull();
    }
  }

  @Test
  void sharesBytesWhateverTheSizesOfTheBlocks() {
    Blocks small = participant(500, Integer.MAX_VALUE);
    Blocks large = participant(50_000, Integer.MAX_VALUE);
    Blocks huge = participant(5_000_000, Integer.MAX_VALUE);
    Blocks none = participant(1, 0);
    take(300_000);
    long largest = 5_000_000 + DeficitRoundRobin.BYTES;
    assertThat(small.bytes()).isBetween(large.bytes() - largest, large.bytes() + largest);
    assertThat(huge.bytes()).isBetween(large.bytes() - largest, large.bytes() + largest);
    assertThat(huge.given).isGreaterThan(5);
    assertThat(none.given).isZero();
  }

  @Test
  void sharesBytesByPriority() {
    Blocks low = participant(5_000, Integer.MAX_VALUE);
    Blocks most = participant(5_000, Integer.MAX_VALUE);
    Blocks high = participant(70_000, Integer.MAX_VALUE);
    low.priority = 1;
    high.priority = 20;
    take(100_000);
    assertThat(most.bytes() / 1e6).isCloseTo(10 * low.bytes() / 1e6, withinPercentage(1));
    assertThat(high.bytes() / 1e6).isCloseTo(20 * low.bytes() / 1e6, withinPercentage(1));
  }

  @Test
  void whoWaitedSavesNothingUp() {
    Blocks steady = participant(1_000, Integer.MAX_VALUE);
    Blocks late = participant(1_000, 0);
    take(10_000);
    late.left = 10_000;
    int before = steady.given;
    take(2_000);
    assertThat(late.given).isBetween(900, 1_100);
    assertThat(steady.given - before).isBetween(900, 1_100);
  }

  @Test
  void aPlayerWithOneBlockIsServedWithinARound() {
    for (int i = 0; i < 9; i++) {
      participant(8_192, Integer.MAX_VALUE);
    }
    take(1_000);
    Blocks slow = participant(8_192, 1);
    take(10 * 8);
    assertThat(slow.given).isEqualTo(1);
  }

  @Test
  void whoIsLargerThanManyTurnsIsServedWhenAlone() {
    Blocks huge = participant(50_000_000, 3);
    take(3);
    assertThat(turns.next(Blocks::take)).isNull();
    assertThat(huge.given).isEqualTo(3);
  }

  @Test
  void nobodyHasAnything() {
    assertThat(turns.next(Blocks::take)).isNull();
    participant(1, 0);
    participant(1, 0);
    assertThat(turns.next(Blocks::take)).isNull();
  }

  @Test
  void playersMayLeaveWhileTheyAreAsked() {
    Blocks leaving = participant(1, 5);
    Blocks staying = participant(1, 5);
    assertThat(
            turns.<Blocks>next(
                participant -> {
                  if (participant == leaving) {
                    participants.remove(leaving);
                    return null;
                  }
                  return participant.take();
                }))
        .isSameAs(staying);
  }
}
