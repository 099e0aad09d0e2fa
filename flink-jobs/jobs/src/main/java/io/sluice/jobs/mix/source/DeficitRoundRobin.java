package io.sluice.jobs.mix.source;

import io.sluice.mixture.log.RunLimits;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is: deficit round robin (Shreedhar and Varghese, 1995). A turn is worth bytes by
 * the participant's priority, what a block exceeds them by is taken from the participant's next
 * turns, and who waits saves nothing up. So a run that is granted far ahead leaves its share to
 * every other run that has something to emit, whatever the sizes of their blocks.
 */
final class DeficitRoundRobin<P extends DeficitRoundRobin.Participant> {
  /** Bytes of a turn of {@link RunLimits#PRIORITY}. */
  static final long BYTES = 64 << 10;

  private final List<P> participants;
  private int turn;
  private long passed;
  private long priorities;

  /** Who takes turns. */
  interface Participant {
    /** What it may still emit in this turn; one object for its life. */
    Deficit deficit();

    /** What its turns are worth, next to others'. */
    int priority();
  }

  /** Bytes that a participant may emit, negative when it has emitted more than it had. */
  static final class Deficit {
    private long bytes;

    void spend(long emitted) {
      bytes -= emitted;
    }
  }

  /**
   * @param participants a live view; changed between calls and by whoever is asked
   */
  DeficitRoundRobin(List<P> participants) {
    this.participants = participants;
  }

  /**
   * What the next participant gives that has something.
   *
   * @param taking asks a participant, who spends its deficit for what it gives; null when it has
   *     nothing
   * @return null when nobody has anything
   */
  <R> @Nullable R next(Function<P, @Nullable R> taking) {
    for (int waiting = 0; waiting < participants.size(); ) {
      P participant = participants.get(turn % participants.size());
      if (participant.deficit().bytes > 0) {
        R given = taking.apply(participant);
        if (given != null) {
          return given;
        }
        participant.deficit().bytes = 0;
        waiting++;
      } else {
        // Passed over, but asked again before all count as waiting.
        waiting = 0;
      }
      pass();
    }
    return null;
  }

  /**
   * What is a participant's of an amount: by its priority among those of the last round of turns,
   * half at most.
   */
  long share(P participant, long amount) {
    long own = participant.priority();
    return amount * own / Math.max(2 * own, priorities);
  }

  private void pass() {
    if (!participants.isEmpty()) {
      turn = (turn + 1) % participants.size();
      P next = participants.get(turn);
      passed += next.priority();
      if (turn == 0) {
        priorities = passed;
        passed = 0;
      }
      next.deficit().bytes += BYTES * next.priority() / RunLimits.PRIORITY;
    }
  }
}
