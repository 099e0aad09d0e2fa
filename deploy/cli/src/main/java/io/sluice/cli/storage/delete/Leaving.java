package io.sluice.cli.storage.delete;

import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.purge.Purges;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Option;

/** How long is waited until no job works on what is deleted. */
final class Leaving {
  private static final long POLL_NANOS = Duration.ofMillis(200).toNanos();
  private static final int MOST_SECONDS = 3600;

  @Option(
      names = "--timeout",
      defaultValue = "60",
      paramLabel = "SECONDS",
      description =
          "How long the service may take to stop its job, from 1 to 3600. Default:"
              + " ${DEFAULT-VALUE}.")
  private int timeout = 60;

  @Option(
      names = "--jobs-stopped",
      description =
          "No service runs, and the job was stopped otherwise. Do not wait until one says so.")
  private boolean jobsStopped;

  /** What is in a table of the service, where jobs see that it is theirs no more. */
  interface Entry {
    /** Takes it out. */
    void takeOut();

    /** Puts it back. */
    void putBack();

    /** Refuses where something needs it. */
    void requireUnneeded();
  }

  /** Checks what was given. */
  void require() {
    if (timeout < 1 || timeout > MOST_SECONDS) {
      throw new BadInputException("--timeout must be from 1 to " + MOST_SECONDS + ": " + timeout);
    }
  }

  /**
   * Takes something out, and waits until no job works on it; or it is back.
   *
   * @param key of it in the table of purges
   * @param working what no job does any more, such as {@code prepare 'small'}
   */
  void withdraw(KafkaAccess access, String key, String working, Entry entry) {
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.ensurePurges();
    }
    Purges purges = new Purges(access);
    purges.askToLeave(key);
    entry.takeOut();
    try {
      if (!jobsStopped) {
        await(purges, key, working);
      }
      // What was asked for before has come to its log by now.
      entry.requireUnneeded();
      purges.sayLeft(key);
    } catch (BadInputException | UnreachableException e) {
      entry.putBack();
      throw e;
    }
  }

  private void await(Purges purges, String key, String working) {
    long since = System.nanoTime();
    while (!purges.hasLeft(key)) {
      if (System.nanoTime() - since > Duration.ofSeconds(timeout).toNanos()) {
        throw new UnreachableException(
            "no service has said within "
                + timeout
                + " s that it does not "
                + working
                + " any more: where none runs, and you have stopped its job yourself, say"
                + " --jobs-stopped; nothing was deleted");
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }
}
