package io.sluice.client.stream;

import io.sluice.client.run.TrainerRank;
import java.util.Set;

/** A batch is not where the batch sizes put it that its reader knows: they may have changed. */
final class UnreadRowsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnreadRowsException(OpenBatch begun, TrainerRank rank, Set<Integer> unread) {
    super(
        begun
            + " is not where the run's batch sizes put it: "
            + rank
            + " has rows in stream partitions "
            + unread
            + ", which it does not read");
  }
}
