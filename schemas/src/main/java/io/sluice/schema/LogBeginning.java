package io.sluice.schema;

import java.util.Optional;

/**
 * Where a reader of a run's own log begins.
 *
 * @param offset of the first record that it reads
 * @param entry that the record is, a snapshot; empty where the log is read from its start
 * @param digest the record's {@link EntryDigest}; means nothing where the log is read from its
 *     start
 */
public record LogBeginning(long offset, Optional<ControlRecord> entry, long digest) {
  /** At a snapshot with this value. */
  static LogBeginning at(long offset, ControlRecord entry, byte[] value) {
    return new LogBeginning(offset, Optional.of(entry), EntryDigest.of(value));
  }

  /** At the log's start. */
  static LogBeginning start(long offset) {
    return new LogBeginning(offset, Optional.empty(), 0);
  }

  /** The snapshot that it begins with; empty where the log is read from its start. */
  public Optional<LogSnapshot> snapshot() {
    return entry.map(found -> (LogSnapshot) found.getBody());
  }

  /** Whether a record is a snapshot that is not in its run's own log: every reader ignores it. */
  public static boolean isMisplaced(ControlRecord record, String topic) {
    String own = "control." + record.getRunId();
    return record.getBody() instanceof LogSnapshot && !topic.endsWith(own);
  }
}
