package io.sluice.cli.storage;

import io.sluice.control.history.RunLogs;
import io.sluice.control.refine.Refineries;
import io.sluice.control.runs.RunCatalog;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.Topics;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What the tables of a deployment say that there is. A table that is missing says nothing.
 *
 * @param names of the topics under its prefix
 * @param runs all that are known, with what their statuses say
 */
public record Deployment(
    SortedSet<String> names,
    List<DatasetSpec> datasets,
    List<RefineSpec> refineries,
    List<RunCatalog.Entry> runs) {
  private static final String DELETED = "deleted";

  /** Copies the lists. */
  public Deployment {
    datasets = List.copyOf(datasets);
    refineries = List.copyOf(refineries);
    runs = List.copyOf(runs);
  }

  /**
   * Reads them as they are now.
   *
   * @param all names of topics, those of others among them
   */
  public static Deployment read(KafkaAccess access, Collection<String> all) {
    Topics topics = access.topics();
    SortedSet<String> names = new TreeSet<>(all);
    names.removeIf(name -> !topics.mayBeOf(name));
    return new Deployment(
        names,
        names.contains(topics.datasets()) ? new DatasetCatalog(access).all() : List.of(),
        names.contains(topics.refineries()) ? new Refineries(access).all() : List.of(),
        names.contains(topics.status()) ? RunCatalog.read(access).entries() : List.of());
  }

  /** The runs that go on, with what their logs fold to. */
  public List<RunCatalog.Entry> liveRuns(KafkaAccess access) {
    RunLogs logs = RunLogs.of(access);
    return runs.stream()
        .filter(run -> run.start().isPresent() && !run.ended())
        .map(run -> run.folded(logs))
        .toList();
  }

  /** The runs that were not deleted, those that have ended among them. */
  public List<RunCatalog.Entry> keptRuns() {
    return runs.stream().filter(run -> !run.phase().equals(DELETED)).toList();
  }
}
