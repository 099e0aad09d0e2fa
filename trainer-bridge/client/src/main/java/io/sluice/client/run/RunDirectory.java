package io.sluice.client.run;

import io.sluice.client.error.StreamCorruptException;
import io.sluice.client.error.UnknownRunException;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.RunStarted;
import io.sluice.schema.TopicReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds runs by name in the control log. */
public final class RunDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(RunDirectory.class);
  private static final Duration MIN_READ_TIMEOUT = Duration.ofSeconds(10);
  private static final long POLL_NANOS = 50_000_000;

  private final Map<String, Started> byRunId = new LinkedHashMap<>();

  private record Started(RunLogFold log, long logTime) {}

  RunDirectory() {}

  /**
   * The run that was started last under this name; waits for it to be started.
   *
   * @throws UnknownRunException if there is none within the timeout
   * @throws KafkaUnreachableException if no broker answers
   */
  public static RunInfo find(KafkaAccess access, String run, Duration timeout) {
    long start = System.nanoTime();
    RunDirectory directory = new RunDirectory();
    try (TopicReader control = TopicReader.uncommitted(access)) {
      while (true) {
        control.catchUp(access.topics().control(), readTimeout(timeout), directory::read);
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
   * Every run that was ever started, in the order of the log.
   *
   * @throws KafkaUnreachableException if no broker answers
   */
  public static List<RunInfo> list(KafkaAccess access, Duration timeout) {
    RunDirectory directory = new RunDirectory();
    try (TopicReader control = TopicReader.uncommitted(access)) {
      control.catchUp(access.topics().control(), readTimeout(timeout), directory::read);
    }
    return directory.runs();
  }

  /** Reading what is there may take longer than the caller waits for what is not. */
  private static Duration readTimeout(Duration timeout) {
    return timeout.compareTo(MIN_READ_TIMEOUT) < 0 ? MIN_READ_TIMEOUT : timeout;
  }

  private void read(ConsumerRecord<byte[], byte[]> message) {
    ControlRecords.decode(message)
        .ifPresent(
            entry -> apply(message.partition(), message.offset(), message.timestamp(), entry));
  }

  /** Takes a record of the control log; only the first start of each run id counts. */
  void apply(int partition, long offset, long logTime, ControlRecord message) {
    String runId = message.getRunId();
    Started known = byRunId.get(runId);
    boolean starts =
        message.getSerial() == 0
            && message.getBasedOn() == -1
            && message.getBody() instanceof RunStarted;
    if (known == null && starts) {
      known = new Started(new RunLogFold(runId), logTime);
      byRunId.put(runId, known);
    }
    if (known != null) {
      follow(known.log(), partition, offset, message);
    }
  }

  /** A log that contradicts itself stops the readers of its run, not those of others. */
  private static void follow(RunLogFold run, int partition, long offset, ControlRecord message) {
    try {
      run.apply(partition, offset, message);
    } catch (StreamCorruptException e) {
      LOG.warn("{}", e.getMessage());
    }
  }

  /** The run started last under a name. */
  Optional<RunInfo> latest(String name) {
    return byRunId.entrySet().stream()
        .filter(each -> info(each).name().equals(name))
        .reduce((a, b) -> b.getValue().logTime() >= a.getValue().logTime() ? b : a)
        .map(RunDirectory::info);
  }

  private static RunInfo info(Map.Entry<String, Started> started) {
    RunTimeline runTimeline = started.getValue().log().runTimeline().orElseThrow();
    return new RunInfo(started.getKey(), runTimeline.spec());
  }

  /** All runs, in the order they were read. */
  List<RunInfo> runs() {
    List<RunInfo> runs = new ArrayList<>();
    byRunId.entrySet().forEach(started -> runs.add(info(started)));
    return List.copyOf(runs);
  }

  private Set<String> names() {
    Set<String> names = new TreeSet<>();
    runs().forEach(run -> names.add(run.name()));
    return names;
  }
}
