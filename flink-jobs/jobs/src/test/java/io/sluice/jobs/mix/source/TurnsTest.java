package io.sluice.jobs.mix.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class TurnsTest {
  private final List<Blocks> players = new ArrayList<>();
  private final Turns<Blocks> turns = new Turns<>(players);

  /** Has blocks of one size, as many as it is given. */
  private static final class Blocks implements Turns.Player {
    private final Turns.Credit credit = new Turns.Credit();
    private final long size;
    private int left;
    private int given;

    Blocks(long size, int left) {
      this.size = size;
      this.left = left;
    }

    @Override
    public Turns.Credit credit() {
      return credit;
    }

    @Nullable Blocks take() {
      if (left == 0) {
        return null;
      }
      left--;
      given++;
      credit.spend(size);
      return this;
    }

    long bytes() {
      return given * size;
    }
  }

  private Blocks player(long size, int left) {
    Blocks blocks = new Blocks(size, left);
    players.add(blocks);
    return blocks;
  }

  private void take(int times) {
    for (int i = 0; i < times; i++) {
      assertThat(turns.next(Blocks::take)).isNotNull();
    }
  }

  @Test
  void sharesBytesWhateverTheSizesOfTheBlocks() {
    Blocks small = player(500, Integer.MAX_VALUE);
    Blocks large = player(50_000, Integer.MAX_VALUE);
    Blocks huge = player(5_000_000, Integer.MAX_VALUE);
    Blocks none = player(1, 0);
    take(300_000);
    long largest = 5_000_000 + Turns.BYTES;
    assertThat(small.bytes()).isBetween(large.bytes() - largest, large.bytes() + largest);
    assertThat(huge.bytes()).isBetween(large.bytes() - largest, large.bytes() + largest);
    assertThat(huge.given).isGreaterThan(5);
    assertThat(none.given).isZero();
  }

  @Test
  void whoWaitedSavesNothingUp() {
    Blocks steady = player(1_000, Integer.MAX_VALUE);
    Blocks late = player(1_000, 0);
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
      player(8_192, Integer.MAX_VALUE);
    }
    take(1_000);
    Blocks slow = player(8_192, 1);
    take(10 * 8);
    assertThat(slow.given).isEqualTo(1);
  }

  @Test
  void whoIsLargerThanManyTurnsIsServedWhenAlone() {
    Blocks huge = player(50_000_000, 3);
    take(3);
    assertThat(turns.next(Blocks::take)).isNull();
    assertThat(huge.given).isEqualTo(3);
  }

  @Test
  void nobodyHasAnything() {
    assertThat(turns.next(Blocks::take)).isNull();
    player(1, 0);
    player(1, 0);
    assertThat(turns.next(Blocks::take)).isNull();
  }

  @Test
  void playersMayLeaveWhileTheyAreAsked() {
    Blocks leaving = player(1, 5);
    Blocks staying = player(1, 5);
    assertThat(
            turns.<Blocks>next(
                player -> {
                  if (player == leaving) {
                    players.remove(leaving);
                    return null;
                  }
                  return player.take();
                }))
        .isSameAs(staying);
  }
}
