package io.sluice.cli.upgrade;

import io.sluice.cli.upgrade.FlinkCluster.Listed;
import io.sluice.control.error.CheckFailedException;
import io.sluice.control.error.CommandException;
import io.sluice.control.error.UnreachableException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One job, and what becomes of it.
 *
 * @param release of Sluice that it runs by; empty where it does not say
 * @param argumentsBefore that it was started with, if it says so, else those to come
 * @param arguments that it will be started with
 * @param before its parallelism
 * @param after the parallelism to come
 * @param savepoints the folder below which its savepoint goes
 */
record PlannedMove(
    Listed job,
    Optional<String> release,
    List<String> argumentsBefore,
    List<String> arguments,
    int before,
    int after,
    String savepoints) {
  /** What is planned, in a line. */
  String line(JobsJar jar) {
    String parallelism = before == after ? before + ", as it is" : before + " to " + after;
    return "%s: release %s to %s, parallelism %s, savepoint below %s, arguments: %s"
        .formatted(
            job.named(),
            release.orElse("unknown"),
            jar.version(),
            parallelism,
            savepoints,
            ShellWords.line(arguments));
  }

  /**
   * How it starts again.
   *
   * @param uploaded Flink's id of the jar
   * @param options of Flink's, beside those of the cluster
   */
  Start start(String uploaded, Map<String, String> options) {
    return new Start(uploaded, arguments, after, options);
  }

  /** The error, of before the job was asked to stop. */
  CommandException goesOn(CommandException e) {
    return told(e, job.named() + " goes on as it was");
  }

  /** The error, with what is true then. */
  static CommandException told(CommandException e, String state) {
    String message = e.getMessage() + "; " + state;
    return e instanceof UnreachableException
        ? new UnreachableException(message, e)
        : new CheckFailedException(message, e);
  }

  /** The jar that ran before. */
  String oldJar(JobsJar jar) {
    return release.filter(jar.version()::equals).isPresent()
        ? jar.file().toString()
        : JobsJar.named(release.orElse("OLD-VERSION"));
  }
}
