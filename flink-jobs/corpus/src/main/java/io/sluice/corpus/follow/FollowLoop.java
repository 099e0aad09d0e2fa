package io.sluice.corpus.follow;

import java.time.Duration;

/**
 * Looks for files again and again, and takes what is new in them. Since a file that grew is read
 * from its beginning, to see that it is what it was, it rests for as long as it worked, at least.
 *
 * @param step looks, and takes what is there
 * @param pause between two looks
 * @param every shortest pause
 */
public record FollowLoop(Runnable step, Pause pause, Duration every) {
  /** Waits. */
  @FunctionalInterface
  public interface Pause {
    /** Returns after a time, or at once if nothing more is to be done: then false. */
    boolean rest(Duration time);
  }

  /** Goes on until a pause says that it is over, or something fails. */
  public void run() {
    Duration worked;
    do {
      long start = System.nanoTime();
      step.run();
      worked = Duration.ofNanos(System.nanoTime() - start);
    } while (pause.rest(worked.compareTo(every) > 0 ? worked : every));
  }
}
