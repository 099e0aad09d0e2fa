package io.sluice.cli.upgrade;

import static io.sluice.cli.upgrade.PlannedMove.told;

import io.sluice.cli.upgrade.BoundedWait.Look;
import io.sluice.cli.upgrade.FlinkCluster.Listed;
import io.sluice.cli.upgrade.FlinkCluster.Savepoint;
import io.sluice.cli.upgrade.FlinkCluster.Standing;
import io.sluice.control.error.CheckFailedException;
import io.sluice.control.error.CommandException;
import io.sluice.control.error.UnreachableException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Moves a job: once it is well it is stopped with a savepoint, and started from that by another
 * jar, or with another parallelism. Whatever fails, it is said what runs then, and the commands
 * that go back.
 *
 * @param uploaded Flink's id of the jar, which is there before anything is stopped
 * @param options of Flink's for the job to come
 * @param say is told what is done
 */
record Move(
    FlinkCluster flink,
    JobsJar jar,
    String uploaded,
    Map<String, String> options,
    BoundedWait patience,
    Consumer<String> say) {
  /**
   * Does it.
   *
   * @throws CommandException saying what runs instead
   */
  void make(PlannedMove move) {
    Listed job = move.job();
    try {
      awaitWell(job);
    } catch (CommandException e) {
      throw move.goesOn(e);
    }
    String savepoint = stop(move);
    say.accept(job.named() + " is stopped, with savepoint " + savepoint);
    say.accept("the job manager starts the jar, at parallelism " + move.after());
    String started = start(move, savepoint);
    Listed next = new Listed(started, job.name(), "CREATED");
    say.accept(next.named() + " starts from it, of release " + jar.version());
    try {
      awaitWell(next);
    } catch (CommandException e) {
      wayBack(move, savepoint, Optional.of(started));
      throw told(e, next.named() + " was started, and is not well; the savepoint stays");
    }
    say.accept(next.named() + " runs, and has completed a checkpoint");
  }

  /** Waits until all tasks run and a checkpoint has completed. */
  private void awaitWell(Listed job) {
    patience.until(
        "all tasks of " + job.named(),
        () -> {
          Standing standing = flink.standing(job.id());
          if (standing.hasEnded()) {
            throw new CheckFailedException(
                job.named() + " is " + standing.state() + reason(job.id()));
          }
          return standing.runs()
              ? Look.at(standing)
              : Look.still(
                  "%s, %d of %d tasks run%s"
                      .formatted(
                          standing.state(),
                          standing.running(),
                          standing.tasks(),
                          reason(job.id())));
        });
    patience.until(
        "a checkpoint of " + job.named(),
        () -> {
          long completed = flink.checkpoints(job.id());
          return completed > 0 ? Look.at(completed) : Look.still("none is complete");
        });
  }

  private String reason(String job) {
    String failure = flink.failure(job);
    return failure.isEmpty() ? "" : ", failed last with " + failure;
  }

  private String stop(PlannedMove move) {
    Listed job = move.job();
    try {
      String request = flink.stop(job.id(), move.savepoints());
      Savepoint savepoint =
          patience.until(
              "the savepoint of " + job.named(),
              () -> {
                Savepoint asked = flink.savepoint(job.id(), request);
                return asked.ended() ? Look.at(asked) : Look.still("it is being written");
              });
      String place =
          savepoint
              .place()
              .orElseThrow(
                  () ->
                      new CheckFailedException(
                          "the savepoint of "
                              + job.named()
                              + " below "
                              + move.savepoints()
                              + " failed: "
                              + savepoint.failure().orElse("")));
      awaitEnd(move, place);
      return place;
    } catch (CommandException e) {
      throw told(e, afterNoSavepoint(job));
    }
  }

  private void awaitEnd(PlannedMove move, String savepoint) {
    Listed job = move.job();
    try {
      patience.until(
          "the end of " + job.named(),
          () -> {
            Standing standing = flink.standing(job.id());
            return standing.hasEnded() ? Look.at(standing) : Look.still(standing.state());
          });
    } catch (CommandException e) {
      wayBack(move, savepoint, Optional.empty());
      throw told(e, "the savepoint is " + savepoint);
    }
  }

  /** What is true of a job that was asked to stop, and did not say where its savepoint is. */
  private String afterNoSavepoint(Listed job) {
    String look = client().list();
    try {
      Standing standing = flink.standing(job.id());
      String state = standing.state();
      return standing.hasEnded()
          ? job.named() + " is " + state + ", its savepoint is among the newest there"
          : job.named() + " is " + state + ", and goes on unless '" + look + "' says otherwise";
    } catch (CommandException e) {
      return "whether " + job.named() + " still runs is what '" + look + "' says";
    }
  }

  private String start(PlannedMove move, String savepoint) {
    try {
      return flink.start(move.start(uploaded, options), savepoint, patience.limit());
    } catch (CommandException e) {
      wayBack(move, savepoint, Optional.empty());
      throw told(
          e,
          e instanceof UnreachableException
              ? "whether anything runs in place of "
                  + move.job().named()
                  + " is what '"
                  + client().list()
                  + "' says"
              : "nothing runs in place of " + move.job().named());
    }
  }

  private void wayBack(PlannedMove move, String savepoint, Optional<String> started) {
    say.accept("to go back to what ran before:");
    started.ifPresent(job -> say.accept("  " + client().cancel(job)));
    say.accept(
        "  "
            + client()
                .run(
                    savepoint,
                    Integer.toString(move.before()),
                    move.oldJar(jar),
                    move.argumentsBefore(),
                    options));
  }

  private FlinkClient client() {
    return new FlinkClient(flink.url().getAuthority());
  }
}
