package io.sluice.control.runs;

import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.history.RunFold;
import io.sluice.control.history.RunLogs;
import io.sluice.control.masks.DocumentSets;
import io.sluice.control.masks.RunMasks;
import io.sluice.schema.DocumentMask;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.ReviseRun;
import io.sluice.schema.RunSpec;
import io.sluice.schema.run.DocumentMasks;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * Lets runs that go on mask documents. Who changes a run meanwhile is not undone: what was asked
 * for is made anew from what the log has come to.
 *
 * @param patience how long a log may take to answer
 */
public record MaskedRun(KafkaAccess access, Duration patience) {
  private static final int MOST_TRIES = 8;

  /**
   * Masks all documents of a run's domains that are to be forgotten.
   *
   * @return what the run's log folds to then; of a run that has ended, as it is
   * @throws UnreachableException if the log does not answer in time
   */
  public RunFold maskForgotten(String runId, String why) {
    RunMasks masks = new RunMasks(new DocumentSets(access));
    return mask(runId, spec -> masks.lacking(spec, DocumentMasks.NEXT, why), why);
  }

  /**
   * Masks what a run lacks.
   *
   * @param lacking the masks to add to a specification; none if it has all
   * @return what the run's log folds to then; of a run that has ended, as it is
   * @throws BadInputException if the run refuses
   * @throws UnreachableException if the log does not answer in time
   */
  public RunFold mask(String runId, Function<RunSpec, List<DocumentMask>> lacking, String why) {
    RunAdmin hand = new RunAdmin(access, RunAdmin.commands(access), patience);
    RunFold fold = fold(runId);
    for (int tries = 1; ; tries++) {
      RunSpec before = fold.spec();
      List<DocumentMask> more = fold.state().phase().ended() ? List.of() : lacking.apply(before);
      if (more.isEmpty()) {
        return fold;
      }
      RunMasks.requireRoom(before, more);
      try {
        long serial = fold.state().position().serial();
        RunSpec masked = DocumentMasks.with(before, more);
        return hand.ask(fold, new ReviseRun(masked, List.of(), why, serial, List.of())).fold();
      } catch (BadInputException e) {
        fold = fold(runId);
        if (tries == MOST_TRIES || fold.spec().equals(before)) {
          throw e;
        }
      }
    }
  }

  private RunFold fold(String runId) {
    RunLogs logs = RunLogs.of(access);
    return logs.fold(
        logs.byId(runId).orElseThrow(() -> new BadInputException("run " + runId + " has no log")));
  }
}
