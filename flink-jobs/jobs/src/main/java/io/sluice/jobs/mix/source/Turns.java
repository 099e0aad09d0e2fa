package io.sluice.jobs.mix.source;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is: deficit round robin (Shreedhar and Varghese, 1995). Each turn is worth the same
 * bytes, what a block exceeds them by is taken from the player's next turns, and who waits saves
 * nothing up. So a run that is granted far ahead leaves its share to every other run that has
 * something to emit, whatever the sizes of their blocks.
 */
final class Turns<P extends Turns.Player> {
  /** Bytes of a turn. */
  static final long BYTES = 64 << 10;

  private final List<P> players;
  private int turn;

  /** Who takes turns. */
  interface Player {
    /** What it may still emit in this turn; one object for its life. */
    Credit credit();
  }

  /** Bytes that a player may emit, negative when it has emitted more than it had. */
  static final class Credit {
    private long bytes;

    void spend(long emitted) {
      bytes -= emitted;
    }
  }

  /**
   * @param players a live view; changed between calls and by whoever is asked
   */
  Turns(List<P> players) {
    this.players = players;
  }

  /**
   * What the next player gives that has something.
   *
   * @param taking asks a player, who spends its credit for what it gives; null when it has nothing
   * @return null when nobody has anything
   */
  <R> @Nullable R next(Function<P, @Nullable R> taking) {
    for (int waiting = 0; waiting < players.size(); ) {
      P player = players.get(turn % players.size());
      if (player.credit().bytes > 0) {
        R given = taking.apply(player);
        if (given != null) {
          return given;
        }
        player.credit().bytes = 0;
        waiting++;
      } else {
        // Passed over, but asked again before all count as waiting.
        waiting = 0;
      }
      pass();
    }
    return null;
  }

  private void pass() {
    if (!players.isEmpty()) {
      turn = (turn + 1) % players.size();
      players.get(turn).credit().bytes += BYTES;
    }
  }
}
