package io.sluice.jobs.mix.source;

import io.sluice.mixture.control.ControlEntry;

/** What a reader's threads tell its task. */
sealed interface Notice {
  /** An entry of the control log. */
  record Entry(ControlEntry entry, long offset) implements Notice {}

  /** A split's blocks cannot be read. */
  record BlocksFailed(BlockFetcher fetcher, RuntimeException error) implements Notice {}

  /** The control log cannot be read. */
  record ControlFailed(RuntimeException error) implements Notice {}
}
