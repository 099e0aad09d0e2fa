package io.sluice.client.run;

import io.sluice.client.error.InvalidStateException;
import io.sluice.client.error.RewoundException;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Where a trainer goes on: which of its checkpoints the run's log still stands by. */
public final class ResumePoint {
  private ResumePoint() {}

  /**
   * The newest of some states that a run can be resumed from: those of batches that it was rewound
   * before are passed over.
   *
   * @return empty when there is no state at all
   * @throws RewoundException if the run was rewound to a batch before all of them
   * @throws InvalidStateException if none is of this run, or of the batch that it was forked from
   * @throws KafkaUnreachableException if no broker answers
   */
  public static Optional<StreamState> newest(
      KafkaAccess access, RunInfo run, Collection<StreamState> states) {
    if (states.isEmpty()) {
      return Optional.empty();
    }
    try (ControlFollower control = ControlFollower.of(access, run)) {
      control.refresh();
      return Optional.of(newest(control.runTimeline(), run.runId(), states));
    }
  }

  static StreamState newest(RunTimeline runTimeline, String runId, Collection<StreamState> states) {
    RuntimeException refusal = null;
    for (StreamState state : newestFirst(states)) {
      try {
        runTimeline.resume(runId, state);
        return state;
      } catch (RewoundException | InvalidStateException e) {
        refusal = refusal == null || e instanceof RewoundException ? e : refusal;
      }
    }
    throw refusal == null ? new InvalidStateException("no state was given") : refusal;
  }

  private static Iterable<StreamState> newestFirst(Collection<StreamState> states) {
    return states.stream().sorted(Comparator.comparingLong(StreamState::batch).reversed()).toList();
  }
}
