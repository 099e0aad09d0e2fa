package io.sluice.client.run;

import io.sluice.schema.ControlRecord;
import io.sluice.schema.GoverningEntry;
import io.sluice.schema.LogBeginning;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStarted;
import io.sluice.schema.TopicReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a run's own log at a snapshot: the specifications that governed earlier batches, which
 * trainers may go back to, are read from the entries that the snapshot names.
 */
final class LogOpening {
  private static final Logger LOG = LoggerFactory.getLogger(LogOpening.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private LogOpening() {}

  /** Begins a run at a snapshot; false if there is none, or what it names is not there. */
  static boolean begin(TopicReader reader, String topic, LogBeginning newest, RunLogFold run) {
    ControlRecord entry = newest.entry().orElse(null);
    if (entry == null) {
      return false;
    }
    LogSnapshot snapshot = (LogSnapshot) entry.getBody();
    try {
      List<RunSpec> specs = specs(reader, topic, entry, snapshot);
      run.begin(newest.offset(), entry, newest.digest(), snapshot, specs);
      return true;
    } catch (IllegalArgumentException e) {
      LOG.warn("{} is read from its start: {}", topic, e.getMessage());
      return false;
    }
  }

  private static List<RunSpec> specs(
      TopicReader reader, String topic, ControlRecord entry, LogSnapshot snapshot) {
    List<RunSpec> specs = new ArrayList<>();
    List<GoverningEntry> governing = snapshot.getGoverning();
    for (int i = 0; i < governing.size(); i++) {
      GoverningEntry named = governing.get(i);
      specs.add(
          i == governing.size() - 1
              ? snapshot.getSpec()
              : spec(reader, topic, entry.getRunId(), named)
                  .orElseThrow(
                      () ->
                          new IllegalArgumentException(
                              "entry "
                                  + named.getSerial()
                                  + " with a specification is not at offset "
                                  + named.getOffset())));
    }
    return specs;
  }

  private static Optional<RunSpec> spec(
      TopicReader reader, String topic, String runId, GoverningEntry named) {
    return reader
        .at(topic, named.getOffset(), TIMEOUT)
        .flatMap(ControlRecords::decode)
        .filter(found -> found.getRunId().equals(runId) && found.getSerial() == named.getSerial())
        .flatMap(LogOpening::spec);
  }

  private static Optional<RunSpec> spec(ControlRecord entry) {
    if (entry.getBody() instanceof RunStarted started) {
      return Optional.of(started.getSpec());
    }
    return entry.getBody() instanceof RunRevised revised
        ? Optional.of(revised.getSpec())
        : Optional.empty();
  }
}
