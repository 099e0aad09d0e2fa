package io.sluice.jobs.refine.read;

import java.util.List;

/** What a reader of inputs comes to next. */
sealed interface ReadStep {
  /** A round begins that ends there in each input. */
  record Round(List<Long> ends) implements ReadStep {}

  /** A record of the input that is read. */
  @SuppressWarnings("ArrayRecordComponent") // Bytes pass through; nobody compares them.
  record Taken(int input, long offset, long timestamp, byte[] value) implements ReadStep {}

  /** No record of the input is left before an offset. */
  record Passed(int input, long offset) implements ReadStep {}
}
