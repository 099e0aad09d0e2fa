package io.sluice.client.run;

import io.sluice.client.error.StreamCorruptException;
import io.sluice.client.error.UnknownRunException;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.TopicReader;
import io.sluice.schema.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds runs by name in the control logs: among the topics for the runs that have a log of their
 * own, which costs the first record of each that has the name; among the entries of the log that
 * all shared before, if there is none.
 */
public final class RunDirectory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunDirectory.class);
  private static final Duration MIN_PATIENCE = Duration.ofSeconds(10);
  private static final long POLL_NANOS = 250_000_000;

  private final OwnLogs own;
  private final Topics topics;
  private final Supplier<TopicReader> open;
  private final Duration patience;
  private final SharedLog shared = new SharedLog();
  private @Nullable TopicReader reader;

  /** A directory of the logs that these readers see. */
  RunDirectory(OwnLogs own, Topics topics, Supplier<TopicReader> open, Duration patience) {
    this.own = own;
    this.topics = topics;
    this.open = open;
    this.patience = patience;
  }

  private static RunDirectory of(KafkaAccess access, Duration timeout) {
    // Reading what is there may take longer than the caller waits for what is not.
    Duration patience = timeout.compareTo(MIN_PATIENCE) < 0 ? MIN_PATIENCE : timeout;
    return new RunDirectory(
        OwnLogs.of(access, patience),
        access.topics(),
        () -> TopicReader.uncommitted(access),
        patience);
  }

  /**
   * The run that was started last under this name; waits for it to be started.
   *
   * @throws UnknownRunException if there is none within the timeout
   * @throws KafkaUnreachableException if no broker answers
   */
  public static RunInfo find(KafkaAccess access, String run, Duration timeout) {
    long start = System.nanoTime();
    try (RunDirectory directory = of(access, timeout)) {
      while (true) {
        Optional<RunInfo> found = directory.latest(run);
        if (found.isPresent()) {
          return found.get();
        }
        if (System.nanoTime() - start >= timeout.toNanos()) {
          throw new UnknownRunException(run, directory.names(), timeout);
        }
        LockSupport.parkNanos(POLL_NANOS);
      }
    }
  }

  /**
   * Every run that was started and not deleted since: first those of the log that all shared, in
   * its order, then the others as they started, oldest first.
   *
   * @throws KafkaUnreachableException if no broker answers
   */
  public static List<RunInfo> list(KafkaAccess access, Duration timeout) {
    try (RunDirectory directory = of(access, timeout)) {
      return directory.runs();
    }
  }

  /** The run started last under a name, under the specification that it goes on with. */
  Optional<RunInfo> latest(String name) {
    Set<String> elsewhere = own.runIds();
    List<RunInfo> started = own.started(OwnLogs.named(name, elsewhere));
    if (!started.isEmpty()) {
      return current(started.get(started.size() - 1));
    }
    readShared();
    return shared.latest(name, elsewhere);
  }

  /** Empty if the run was deleted meanwhile. */
  private Optional<RunInfo> current(RunInfo run) {
    try (ControlFollower control = new ControlFollower(run, topics, open)) {
      try {
        control.refresh();
      } catch (StreamCorruptException e) {
        LOG.warn("{}", e.getMessage()); // who opens its stream is told
      }
      return control.run().runTimeline().map(known -> new RunInfo(run.runId(), known.spec()));
    }
  }

  /** All runs; those with a log of their own under the specification that they started with. */
  List<RunInfo> runs() {
    Set<String> elsewhere = own.runIds();
    readShared();
    List<RunInfo> runs = new ArrayList<>(shared.runs(elsewhere));
    runs.addAll(own.started(elsewhere));
    return List.copyOf(runs);
  }

  private void readShared() {
    TopicReader known = reader;
    if (known == null) {
      known = open.get();
      reader = known;
    }
    known.catchUp(topics.control(), patience, shared::read);
  }

  private Set<String> names() {
    Set<String> names = new TreeSet<>();
    runs().forEach(run -> names.add(run.name()));
    return names;
  }

  @Override
  public void close() {
    TopicReader known = reader;
    if (known != null) {
      known.close();
    }
    own.close();
  }
}
