package io.sluice.jobs.mix.source;

import io.sluice.jobs.mix.fetch.BlockFetcher;
import io.sluice.mixture.log.ControlEntry;

/** What a reader's threads tell its task. */
public sealed interface ReaderMessage {
  /** An entry of the control log. */
  record Entry(ControlEntry entry, long offset) implements ReaderMessage {}

  /** A split's blocks cannot be read. */
  record BlocksFailed(BlockFetcher fetcher, RuntimeException error) implements ReaderMessage {}

  /** The control log cannot be read. */
  record ControlFailed(RuntimeException error) implements ReaderMessage {}
}
