package io.sluice.client;

import io.sluice.schema.ControlRecord;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunStarted;
import io.sluice.schema.WireCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Finds runs by name in the control log. */
public final class RunDirectory {
  private static final Duration MIN_READ_TIMEOUT = Duration.ofSeconds(10);
  private static final long POLL_NANOS = 50_000_000;

  private final Map<String, Started> byRunId = new LinkedHashMap<>();

  private record Started(RunInfo run, long logTime) {}

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
    try (LogReader control = new LogReader(access, access.topics().control())) {
      while (true) {
        control.catchUp(readTimeout(timeout), directory::read);
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
    try (LogReader control = new LogReader(access, access.topics().control())) {
      control.catchUp(readTimeout(timeout), directory::read);
    }
    return directory.runs();
  }

  /** Reading what is there may take longer than the caller waits for what is not. */
  private static Duration readTimeout(Duration timeout) {
    return timeout.compareTo(MIN_READ_TIMEOUT) < 0 ? MIN_READ_TIMEOUT : timeout;
  }

  private void read(ConsumerRecord<byte[], byte[]> message) {
    apply(message.timestamp(), WireCodec.decode(ControlRecord.class, message.value()));
  }

  /** Takes a record of the control log; only the first start of each run id counts. */
  void apply(long logTime, ControlRecord message) {
    if (message.getSerial() == 0
        && message.getBasedOn() == -1
        && message.getBody() instanceof RunStarted started) {
      byRunId.putIfAbsent(
          message.getRunId(),
          new Started(new RunInfo(message.getRunId(), started.getSpec()), logTime));
    }
  }

  /** The run started last under a name. */
  Optional<RunInfo> latest(String name) {
    return byRunId.values().stream()
        .filter(started -> started.run().name().equals(name))
        .reduce((a, b) -> b.logTime() >= a.logTime() ? b : a)
        .map(Started::run);
  }

  /** All runs, in the order they were read. */
  List<RunInfo> runs() {
    List<RunInfo> runs = new ArrayList<>();
    byRunId.values().forEach(started -> runs.add(started.run()));
    return List.copyOf(runs);
  }

  private TreeSet<String> names() {
    TreeSet<String> names = new TreeSet<>();
    runs().forEach(run -> names.add(run.name()));
    return names;
  }
}
