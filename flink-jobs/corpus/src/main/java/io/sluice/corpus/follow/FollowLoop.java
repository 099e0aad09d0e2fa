package io.sluice.corpus.follow;

import io.sluice.corpus.file.SourceFiles;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Looks for files again and again, and takes what is new in them. Since a file that grew is read
 * from its beginning, to see that it is what it was, it rests for as long as it worked, at least.
 *
 * @param look lists what is there
 * @param taker takes files, if there are any
 * @param pause between two looks
 * @param every shortest pause
 */
public record FollowLoop(
    FollowedFiles followed,
    Supplier<SourceFiles> look,
    Consumer<SourceFiles> taker,
    Pause pause,
    Duration every) {
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
      SourceFiles due = followed.due(look.get());
      if (!due.files().isEmpty()) {
        taker.accept(due);
      }
      worked = Duration.ofNanos(System.nanoTime() - start);
    } while (pause.rest(worked.compareTo(every) > 0 ? worked : every));
  }
}
