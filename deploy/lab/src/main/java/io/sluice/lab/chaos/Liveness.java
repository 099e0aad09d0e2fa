package io.sluice.lab.chaos;

import io.sluice.lab.chaos.trainer.Journal;
import io.sluice.lab.chaos.trainer.TrainedRun;
import java.util.List;

/**
 * When a trainer accepted its batches, from one moment on.
 *
 * @param moments of the acceptances, in milliseconds since 1970, in order
 */
record Liveness(List<Long> moments) {
  Liveness {
    moments = List.copyOf(moments);
  }

  /** What the journal says, the last acceptance before the moment included. */
  static Liveness of(Journal journal, long sinceMillis) {
    List<Long> all =
        journal.read().stream()
            .filter(Journal.Accepted.class::isInstance)
            .map(line -> ((Journal.Accepted) line).atMillis())
            .toList();
    long before = all.stream().filter(at -> at < sinceMillis).count();
    return new Liveness(all.subList((int) Math.max(0, before - 1), all.size()));
  }

  /** Milliseconds from the moment to the end of the last long pause; 0 if there was none. */
  long flowingAfter(long sinceMillis) {
    long flowing = 0;
    for (int i = 1; i < moments.size(); i++) {
      if (moments.get(i) - moments.get(i - 1) > TrainedRun.LONGEST_BEAT_MILLIS) {
        flowing = moments.get(i) - sinceMillis;
      }
    }
    return flowing;
  }

  /** The longest pause, in milliseconds. */
  long longestPause() {
    long longest = 0;
    for (int i = 1; i < moments.size(); i++) {
      longest = Math.max(longest, moments.get(i) - moments.get(i - 1));
    }
    return longest;
  }
}
