package io.sluice.control.runs;

import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunPast;
import io.sluice.control.history.RunStart;
import io.sluice.control.wire.RunSpecs;
import io.sluice.control.wire.Snapshots;
import io.sluice.mixture.decide.BatchSnapshots.Past;
import io.sluice.schema.RunOrigin;
import io.sluice.schema.RunSpec;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Where a fork begins: the end of a batch of a run.
 *
 * @param parent the run
 * @param batch granted; the fork's first is the next
 */
public record RunFork(RunApplication application, RunStart parent, long batch) {
  /**
   * Starts a run that goes on from there.
   *
   * @param name its own
   * @param file its settings; empty for those of the run at the batch
   * @return what was done
   * @throws BadInputException if the run cannot be forked there, or not with these settings
   * @throws io.sluice.control.error.UnreachableException if no MixJob starts it in time
   */
  public RunApplication.Applied start(
      String name, Optional<RunFile> file, Duration timeout, Consumer<String> say) {
    RunPast past = RunPast.read(application.access(), parent, batch, batch);
    try {
      Past then = past.batches().asOf(batch);
      RunSpec base =
          RunSpec.newBuilder(past.fold().specAt(then.settingsSerial())).setRun(name).build();
      RunSpec own = file.map(asked -> application.fork(base, asked, say)).orElse(base);
      Past start = past.batches().forked(batch, RunSpecs.settings(own));
      RunOrigin origin =
          new RunOrigin(past.fold().runId(), start.timeline(), Snapshots.write(start.snapshot()));
      return application.start(own, origin, timeout);
    } catch (IllegalArgumentException e) {
      throw new BadInputException("fork of " + past.fold().name() + ": " + e.getMessage(), e);
    }
  }
}
