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

  private final Map<String, RunLogFold> byRunId = new LinkedHashMap<>();

  /** Takes a record of the log. */
  void read(ConsumerRecord<byte[], byte[]> message) {
    ControlRecords.decode(message)
        .ifPresent(entry -> apply(message.partition(), message.offset(), entry));
  }

  /** Takes an entry of the log; only the first start of each run id counts. */
  void apply(int partition, long offset, ControlRecord entry) {
    String runId = entry.getRunId();
    RunLogFold known = byRunId.get(runId);
    if (known == null && ControlRecords.start(runId, entry).isPresent()) {
      known = new RunLogFold(runId);
      byRunId.put(runId, known);
    }
    if (known != null) {
      follow(known, partition, offset, entry);
    }
  }

  /** A log that contradicts itself stops the readers of its run, not those of others. */
  private static void follow(RunLogFold run, int partition, long offset, ControlRecord entry) {
    try {
      run.apply(partition, offset, entry, 0);
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
    return runs(elsewhere).stream().filter(run -> run.name().equals(name)).reduce((a, b) -> b);
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

  private static RunInfo info(Map.Entry<String, RunLogFold> started) {
    RunTimeline runTimeline = started.getValue().runTimeline().orElseThrow();
    return new RunInfo(started.getKey(), runTimeline.spec());
  }
}
