package io.sluice.cli.upgrade;

import io.sluice.cli.upgrade.FlinkCluster.Listed;
import io.sluice.cli.upgrade.FlinkCluster.Release;
import io.sluice.control.error.BadInputException;
import io.sluice.control.error.CheckFailedException;
import io.sluice.jobs.main.JobRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is to be done on a cluster, found out before anything is: which jobs, whether versions fit,
 * and with what they start again.
 */
record Planning(FlinkCluster flink, JobsJar jar, Wanted wanted) {
  /**
   * What the user asks for.
   *
   * @param jobs names and ids; all if there are none
   * @param parallelism to come; empty for that of before
   * @param savepoints where savepoints go; empty for where the cluster says
   * @param options of Flink's for the jobs to come
   * @param arguments of the one job; none for those that it says of itself
   */
  record Wanted(
      List<String> jobs,
      Optional<Integer> parallelism,
      Optional<String> savepoints,
      Map<String, String> options,
      List<String> arguments) {
    /** As they are named, or as the arguments name one. */
    private List<String> named() {
      return jobs.isEmpty() && !arguments.isEmpty()
          ? List.of(new JobArguments(arguments).name().text())
          : jobs;
    }

    private boolean isOfOneJob() {
      return parallelism.isPresent() || !arguments.isEmpty();
    }
  }

  /**
   * The moves, mix first: trainers go on with the streams that are there, and nothing but mix makes
   * these.
   *
   * @throws CheckFailedException if a version does not fit
   * @throws BadInputException if a job is not found, or does not say what it is started with
   */
  List<PlannedMove> moves(Release release) {
    requireFit(release);
    List<Listed> jobs = new JobChoice(flink, wanted.named()).jobs();
    if (jobs.size() > 1 && wanted.isOfOneJob()) {
      throw new BadInputException(
          "--parallelism and arguments are of one job: name it with --job, of "
              + JobChoice.names(jobs));
    }
    ClusterSettings settings = flink.settings();
    String savepoints =
        wanted
            .savepoints()
            .or(settings::savepoints)
            .orElseThrow(
                () ->
                    new BadInputException(
                        "--savepoint-dir must be given, for the cluster has no"
                            + " execution.checkpointing.savepoint-dir"));
    List<PlannedMove> moves = new ArrayList<>();
    for (Listed job : jobs) {
      requireCheckpoints(settings, job);
      moves.add(move(job, savepoints));
    }
    return moves;
  }

  private void requireFit(Release release) {
    if (!jar.fits(release.version())) {
      throw new CheckFailedException(
          "Flink at %s is %s, and %s is built for %s: a job's jar needs the Flink of its series"
              .formatted(flink.url(), release.version(), jar.file(), jar.flink()));
    }
    if (!release.takesJars()) {
      throw new CheckFailedException(
          "Flink at %s takes no jars (web.submit.enable is false): without --flink the steps are printed that Flink's client or operator does"
              .formatted(flink.url()));
    }
  }

  /** Without them a job is refused by its program, so it must not be stopped. */
  private void requireCheckpoints(ClusterSettings settings, Listed job) {
    if (!settings.placesCheckpoints(wanted.options())) {
      throw new BadInputException(
          "--option %s=%s must be given for %s: the cluster's configuration has none, and what 'flink run -D' gave the job is not known"
              .formatted(
                  ClusterSettings.CHECKPOINTS,
                  flink.checkpointsFolder(job.id()).orElse("URI"),
                  job.named()));
    }
  }

  private PlannedMove move(Listed job, String savepoints) {
    Optional<JobRecord> record = flink.record(job.id());
    Optional<String> release = record.map(JobRecord::version);
    if (release.filter(jar::isOlderThan).isPresent()) {
      throw new CheckFailedException(
          "%s is of release %s, and %s of %s: an older job does not read a newer one's state; cancel it and start the older one without a savepoint"
              .formatted(job.named(), release.get(), jar.file(), jar.version()));
    }
    Optional<List<String>> own = record.map(JobRecord::arguments);
    List<String> arguments = arguments(job, own);
    int before = flink.standing(job.id()).parallelism();
    return new PlannedMove(
        job,
        release,
        own.orElse(arguments),
        arguments,
        before,
        wanted.parallelism().orElse(before),
        savepoints);
  }

  private List<String> arguments(Listed job, Optional<List<String>> own) {
    if (!wanted.arguments().isEmpty()) {
      new JobArguments(wanted.arguments()).requireOf(job.name(), job.named());
      return wanted.arguments();
    }
    return own.orElseThrow(
        () ->
            new BadInputException(
                "the arguments of "
                    + job.named()
                    + " must be given behind '--', such as '-- mix --kafka HOST:PORT':"
                    + " an earlier release started it, which did not write them down"));
  }
}
