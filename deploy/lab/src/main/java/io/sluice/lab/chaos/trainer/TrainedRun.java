package io.sluice.lab.chaos.trainer;

import io.sluice.client.run.RunInfo;
import io.sluice.lab.chaos.history.MachineClock;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.run.Delivery;
import io.sluice.service.cluster.ClusterService;
import io.sluice.service.supervise.Supervised;
import io.sluice.service.supervise.SupervisedProcess;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A run that a trainer's process trains on.
 *
 * @param journal what the trainer writes down
 */
public record TrainedRun(RunInfo run, PlannedRun plan, SupervisedProcess trainer, Journal journal) {
  /** A pause that is longer belongs to no healthy run. */
  public static final long LONGEST_BEAT_MILLIS = 1_500;

  /**
   * Starts a trainer on the run.
   *
   * @param pace time between two batches
   * @param hurried batches that it takes without such a pause
   * @param clock that it writes down times of
   */
  public static TrainedRun start(
      ClusterService service,
      RunInfo run,
      PlannedRun plan,
      Path directory,
      Duration pace,
      long hurried,
      MachineClock clock) {
    KafkaAccess kafka = service.access();
    Path journal = directory.resolve(run.runId() + ".journal");
    Assignment task =
        new Assignment(
            kafka.bootstrapServers(),
            kafka.topics().prefixes(),
            run.runId(),
            journal,
            plan.policy().metric(),
            pace,
            hurried,
            clock);
    SupervisedProcess trainer =
        service.supervise(
            Supervised.of("trainer-" + run.name(), plan.program().with(task.arguments())));
    return new TrainedRun(run, plan, trainer, new Journal(journal));
  }

  /** Whether its trainer has taken a batch within the last moments. */
  public boolean beats(long nowMillis) {
    return nowMillis - journal.lastAcceptedMillis() <= LONGEST_BEAT_MILLIS;
  }

  public String name() {
    return run.name();
  }

  /** Whether it has no stream. */
  public boolean isDerived() {
    return Delivery.isDerived(run.spec());
  }
}
