package io.sluice.jobs.mix.source;

import io.sluice.jobs.mix.fetch.BlockFetcher;
import io.sluice.jobs.mix.tail.StreamCheck;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.EntryLink;

/** What a reader's threads tell its task. */
public sealed interface ReaderMessage {
  /** An entry of the control log. */
  record Entry(ControlEntry entry, long offset) implements ReaderMessage {}

  /**
   * A record of the control log that is no entry: what it says breaks a rule. If it is a run's next
   * one, the run's log is broken.
   */
  record NoEntry(EntryLink link, long offset, String rule) implements ReaderMessage {
    /** Why the run's log is broken. */
    String reason() {
      return "control log at offset " + offset + ": " + rule;
    }
  }

  /** The records that a run's log has to go on with are gone. */
  record LogLost(String runId, String reason) implements ReaderMessage {}

  /** A stream does not hold all that a split wrote. */
  record Found(StreamCheck.Finding finding) implements ReaderMessage {}

  /** A split's blocks cannot be read. */
  record BlocksFailed(BlockFetcher fetcher, RuntimeException error) implements ReaderMessage {}

  /**
   * The reader cannot go on.
   *
   * @param what it cannot do
   */
  record Failed(String what, RuntimeException error) implements ReaderMessage {}

  /** Of what was found out about streams. */
  static ReaderMessage of(StreamCheck.Finding finding) {
    return finding instanceof StreamCheck.Broken broken
        ? new Failed("cannot look what streams hold", broken.error())
        : new Found(finding);
  }
}
