package io.sluice.lab.chaos;

import io.sluice.control.error.CheckFailedException;
import io.sluice.lab.chaos.history.MachineClock;
import io.sluice.lab.chaos.trainer.TrainedRun;
import io.sluice.lab.chaos.trainer.Waiting;
import io.sluice.service.cluster.ClusterService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether batches come to the trainers of all runs.
 *
 * @param seed of the faults, for the message
 */
record Flow(ClusterService service, Runs runs, MachineClock clock, long seed) {
  /**
   * Waits until they do.
   *
   * @param after what, for the message
   * @throws CheckFailedException if that takes longer than the patience
   */
  void await(Duration patience, String after) {
    if (!Waiting.until(this::isThere, patience)) {
      List<String> silent = new ArrayList<>();
      for (TrainedRun run : runs.all()) {
        if (!run.beats(clock.millis())) {
          silent.add(run.run().runId());
        }
      }
      throw new CheckFailedException(
          "not everything runs "
              + patience.toSeconds()
              + " s after "
              + after
              + " (seed "
              + seed
              + "); runs without a new batch: "
              + silent);
    }
  }

  private boolean isThere() {
    return runs.all().stream().allMatch(run -> run.beats(clock.millis())) && service.isMixing();
  }
}
