package io.sluice.cli.doctor;

import io.sluice.control.history.RunLogs;
import io.sluice.control.refine.Refineries;
import io.sluice.control.runs.RunCatalog;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.Topics;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.ExecutionException;

/**
 * What the tables of a deployment say that there is. A table that is missing says nothing.
 *
 * @param names of the topics under its prefix
 * @param runs all that are known, with what their statuses say
 */
record Deployment(
    SortedSet<String> names,
    List<DatasetSpec> datasets,
    List<RefineSpec> refineries,
    List<RunCatalog.Entry> runs) {
  /** Reads them as they are now. */
  static Deployment read(Brokers brokers) throws ExecutionException, InterruptedException {
    KafkaAccess access = brokers.access();
    Topics topics = brokers.topics();
    SortedSet<String> names = brokers.names();
    return new Deployment(
        names,
        names.contains(topics.datasets()) ? new DatasetCatalog(access).all() : List.of(),
        names.contains(topics.refineries()) ? new Refineries(access).all() : List.of(),
        names.contains(topics.status()) ? RunCatalog.read(access).entries() : List.of());
  }

  /** The runs that go on, with what their logs fold to. */
  List<RunCatalog.Entry> liveRuns(KafkaAccess access) {
    RunLogs logs = RunLogs.of(access);
    return runs.stream()
        .filter(run -> run.start().isPresent() && !run.ended())
        .map(run -> run.folded(logs))
        .toList();
  }
}
