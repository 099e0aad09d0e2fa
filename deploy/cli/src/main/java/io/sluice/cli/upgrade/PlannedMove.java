package io.sluice.cli.upgrade;

import io.sluice.cli.upgrade.FlinkCluster.Listed;
import java.util.List;
import java.util.Optional;

/**
 * One job, and what becomes of it.
 *
 * @param release of Sluice that it runs by; empty where it does not say
 * @param arguments that it is started with, and will be
 * @param before its parallelism
 * @param after the parallelism to come
 * @param savepoints the folder below which its savepoint goes
 */
record PlannedMove(
    Listed job,
    Optional<String> release,
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

  /** The jar that ran before. */
  String oldJar(JobsJar jar) {
    return release.filter(jar.version()::equals).isPresent()
        ? jar.file().toString()
        : JobsJar.named(release.orElse("OLD-VERSION"));
  }
}
