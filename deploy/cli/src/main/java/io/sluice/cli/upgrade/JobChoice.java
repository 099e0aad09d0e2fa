package io.sluice.cli.upgrade;

import io.sluice.cli.flink.FlinkJobs;
import io.sluice.cli.upgrade.FlinkCluster.Listed;
import io.sluice.control.error.BadInputException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The jobs of Sluice that are meant, of those that run on a cluster.
 *
 * @param named their names and ids; all if there are none
 */
record JobChoice(FlinkCluster flink, List<String> named) {

  /**
   * Those, mix first.
   *
   * @throws BadInputException if one does not run, or its name is that of several
   */
  List<Listed> jobs() {
    List<Listed> all =
        flink.jobs().stream()
            .filter(Listed::lives)
            .sorted(Comparator.comparing(job -> !job.name().equals(JobName.MIX.flinks())))
            .toList();
    List<Listed> ours = all.stream().filter(job -> JobName.isSluices(job.name())).toList();
    if (named.isEmpty()) {
      requireOneOfEachName(ours);
      if (ours.isEmpty()) {
        throw new BadInputException("no job of Sluice runs at " + flink.url() + ": " + names(all));
      }
      return ours;
    }
    List<Listed> chosen = new ArrayList<>();
    for (String text : named) {
      List<Listed> found =
          FlinkJobs.ID.matcher(text).matches() ? byId(all, text) : byName(ours, text);
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

  /** For people. */
  static String names(List<Listed> jobs) {
    return jobs.isEmpty()
        ? "none does"
        : jobs.stream().limit(20).map(Listed::named).collect(Collectors.joining(", "));
  }
}
