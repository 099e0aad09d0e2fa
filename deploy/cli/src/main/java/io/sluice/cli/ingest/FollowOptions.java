package io.sluice.cli.ingest;

import io.sluice.control.error.BadInputException;
import io.sluice.corpus.follow.FollowLoop;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The options of an ingest that goes on until it is stopped. */
final class FollowOptions {
  private static final int LONGEST = 3600;

  @Option(
      names = "--follow",
      description =
          "Look again for files that are new or have grown, until stopped. Of lines that are written"
              + " all that have their ends are taken; other files once they rest. Of --topic, go on with"
              + " what comes; else it is read to its end of now.")
  private boolean follow;

  @Option(
      names = "--every",
      paramLabel = "SECONDS",
      description = "Shortest time between two looks of --follow, 1 to 3600. Default: 5.")
  private int seconds = 5;

  boolean given() {
    return follow;
  }

  /**
   * Looks, and takes what is new, until the process is stopped.
   *
   * @throws BadInputException if the time is out of range
   */
  void run(Runnable step) {
    if (seconds < 1 || seconds > LONGEST) {
      throw new BadInputException("--every must be in [1, " + LONGEST + "] seconds: " + seconds);
    }
    new FollowLoop(step, FollowOptions::sleep, Duration.ofSeconds(seconds)).run();
  }

  private static boolean sleep(Duration time) {
    try {
      Thread.sleep(time.toMillis());
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
