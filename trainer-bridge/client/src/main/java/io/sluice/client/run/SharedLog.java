package io.sluice.client.run;

import io.sluice.client.error.StreamCorruptException;
import io.sluice.schema.ControlRecord;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The runs of the control log that all shared before each had its own. */
final class SharedLog {
  private static final Logger LOG = LoggerFactory.getLogger(SharedLog.class);

  private final Map<String, Started> byRunId = new LinkedHashMap<>();

  private record Started(RunLogFold log, long logTime) {}

  /** Takes a record of the log. */
  void read(ConsumerRecord<byte[], byte[]> message) {
    ControlRecords.decode(message)
        .ifPresent(
            entry -> apply(message.partition(), message.offset(), message.timestamp(), entry));
  }

  /** Takes an entry of the log; only the first start of each run id counts. */
  void apply(int partition, long offset, long logTime, ControlRecord entry) {
    String runId = entry.getRunId();
    Started known = byRunId.get(runId);
    if (known == null && ControlRecords.start(runId, entry).isPresent()) {
      known = new Started(new RunLogFold(runId), logTime);
      byRunId.put(runId, known);
    }
    if (known != null) {
      follow(known.log(), partition, offset, entry);
    }
  }

  /** A log that contradicts itself stops the readers of its run, not those of others. */
  private static void follow(RunLogFold run, int partition, long offset, ControlRecord entry) {
    try {
      run.apply(partition, offset, entry);
    } catch (StreamCorruptException e) {
      LOG.warn("{}", e.getMessage());
    }
  }

  /**
   * The run that was started last under a name.
   *
   * @param elsewhere ids of runs whose log is another
   */
  Optional<RunInfo> latest(String name, Collection<String> elsewhere) {
    return byRunId.entrySet().stream()
        .filter(each -> info(each).name().equals(name) && !elsewhere.contains(each.getKey()))
        .reduce((a, b) -> b.getValue().logTime() >= a.getValue().logTime() ? b : a)
        .map(SharedLog::info);
  }

  /**
   * All runs, in the order they were read.
   *
   * @param elsewhere ids of runs whose log is another
   */
  List<RunInfo> runs(Collection<String> elsewhere) {
    return byRunId.entrySet().stream()
        .map(SharedLog::info)
        .filter(run -> !elsewhere.contains(run.runId()))
        .toList();
  }

  private static RunInfo info(Map.Entry<String, Started> started) {
    RunTimeline runTimeline = started.getValue().log().runTimeline().orElseThrow();
    return new RunInfo(started.getKey(), runTimeline.spec());
  }
}
