package io.sluice.cli.upgrade;

import io.sluice.cli.upgrade.FlinkCluster.Listed;
import io.sluice.cli.upgrade.FlinkCluster.Release;
import io.sluice.control.error.BadInputException;
import io.sluice.control.error.CheckFailedException;
import io.sluice.jobs.main.JobRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What is to be done on a cluster, found out before anything is: which jobs, whether versions fit,
 * and with what they start again.
 */
record Planning(FlinkCluster flink, JobsJar jar, Wanted wanted) {
  private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");

  /**
   * What the user asks for.
   *
   * @param jobs names and ids; all if there are none
   * @param parallelism to come; empty for that of before
   * @param savepoints where savepoints go; empty for where the cluster says
   * @param arguments of the one job; none for those that it says of itself
   */
  record Wanted(
      List<String> jobs,
      Optional<Integer> parallelism,
      Optional<String> savepoints,
      List<String> arguments) {
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
    List<Listed> jobs = chosen();
    if (jobs.size() > 1 && wanted.isOfOneJob()) {
      throw new BadInputException(
          "--parallelism and arguments are of one job: name it with --job, of " + names(jobs));
    }
    String savepoints =
        wanted
            .savepoints()
            .or(flink::savepoints)
            .orElseThrow(
                () ->
                    new BadInputException(
                        "--savepoint-dir must be given, for the cluster has no"
                            + " execution.checkpointing.savepoint-dir"));
    List<PlannedMove> moves = new ArrayList<>();
    for (Listed job : jobs) {
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

  private List<Listed> chosen() {
    List<Listed> all =
        flink.jobs().stream()
            .filter(Listed::lives)
            .sorted(Comparator.comparing(job -> !job.name().equals(JobName.MIX.flinks())))
            .toList();
    List<Listed> ours = all.stream().filter(job -> JobName.isSluices(job.name())).toList();
    if (wanted.jobs().isEmpty()) {
      requireOneOfEachName(ours);
      if (ours.isEmpty()) {
        throw new BadInputException("no job of Sluice runs at " + flink.url() + ": " + names(all));
      }
      return ours;
    }
    List<Listed> chosen = new ArrayList<>();
    for (String text : wanted.jobs()) {
      List<Listed> found = ID.matcher(text).matches() ? byId(all, text) : byName(ours, text);
      if (found.isEmpty()) {
        throw new BadInputException("--job '" + text + "' does not run, but " + names(all));
      }
      requireOneOfEachName(found);
      found.stream().filter(job -> !chosen.contains(job)).forEach(chosen::add);
    }
    return chosen;
  }

  private static List<Listed> byId(List<Listed> jobs, String id) {
    return jobs.stream().filter(job -> job.id().equals(id)).toList();
  }

  private static List<Listed> byName(List<Listed> jobs, String text) {
    String name = JobName.parse(text).flinks();
    return jobs.stream().filter(job -> job.name().equals(name)).toList();
  }

  private static void requireOneOfEachName(List<Listed> jobs) {
    Set<String> names = new HashSet<>();
    for (Listed job : jobs) {
      if (!names.add(job.name())) {
        throw new BadInputException(
            "--job must be an id, for several jobs are called '"
                + job.name()
                + "': "
                + names(jobs));
      }
    }
  }

  private static String names(List<Listed> jobs) {
    return jobs.isEmpty()
        ? "none does"
        : jobs.stream().limit(20).map(Listed::named).collect(Collectors.joining(", "));
  }

  private PlannedMove move(Listed job, String savepoints) {
    Optional<JobRecord> record = flink.record(job.id());
    Optional<String> release = record.map(JobRecord::version);
    if (release.filter(jar::isOlderThan).isPresent()) {
      throw new CheckFailedException(
          "%s is of release %s, and %s of %s: an older job does not read a newer one's state; cancel it and start the older one without a savepoint"
              .formatted(job.named(), release.get(), jar.file(), jar.version()));
    }
    List<String> arguments =
        wanted.arguments().isEmpty()
            ? record
                .map(JobRecord::arguments)
                .orElseThrow(
                    () ->
                        new BadInputException(
                            "the arguments of "
                                + job.named()
                                + " must be given behind '--', such as '-- mix --kafka HOST:PORT':"
                                + " an earlier release started it, which did not write them down"))
            : wanted.arguments();
    int before = flink.standing(job.id()).parallelism();
    return new PlannedMove(
        job, release, arguments, before, wanted.parallelism().orElse(before), savepoints);
  }
}
