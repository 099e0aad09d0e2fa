package io.sluice.client.stream;

import io.sluice.client.run.RunInfo;
import io.sluice.client.run.RunTimeline;
import io.sluice.schema.ForkPoint;
import io.sluice.schema.RunStatus;
import java.util.Optional;
import java.util.function.Supplier;

/** What a person is told of a trainer that begins where a state would be expected. */
final class BeginningNotice {
  private BeginningNotice() {}

  /**
   * The notice; empty if a trainer would begin there.
   *
   * @param timeline of the run, whose first batch is the next
   * @param status what the service says of the run, if anything; asked only where that decides
   */
  static Optional<String> of(
      RunInfo run, RunTimeline timeline, Supplier<Optional<RunStatus>> status) {
    long first = timeline.start(run.runId()).batch() + 1;
    ForkPoint origin = timeline.origin();
    if (origin != null) {
      return Optional.of(
          ("run %s goes on from batch %d of run %s, and no state of it was given: a model that was not"
                  + " trained on those batches trains from batch %d on; open the stream with that of"
                  + " its checkpoint")
              .formatted(run.runId(), origin.getBatch(), origin.getRunId(), first));
    }
    return status
        .get()
        .filter(standing -> standing.getProgress() > first)
        .map(
            standing ->
                ("run %s was trained on up to batch %d, and this trainer begins at batch %d: open the"
                        + " stream with the state of its checkpoint; a fresh model would go through"
                        + " mixtures that another one's losses decided")
                    .formatted(run.runId(), standing.getProgress(), first));
  }
}
