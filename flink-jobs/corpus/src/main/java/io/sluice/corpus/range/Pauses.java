package io.sluice.corpus.range;

import java.util.concurrent.TimeUnit;

/** Waits before a file that could not be read is tried again. */
public interface Pauses {
  /** 0.1 s, 0.2 s, and so on, seven times: 12.7 s in all. */
  Pauses GROWING =
      attempt -> {
        boolean more = attempt < 7;
        if (more) {
          TimeUnit.MILLISECONDS.sleep(100L << attempt);
        }
        return more;
      };

  /**
   * Waits.
   *
   * @param failed attempts before the one that has failed now
   * @return whether it shall be tried again
   */
  boolean pause(int failed) throws InterruptedException;
}
