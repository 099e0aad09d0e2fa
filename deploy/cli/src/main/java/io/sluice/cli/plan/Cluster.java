package io.sluice.cli.plan;

import io.sluice.cli.plan.need.PlannedRun;
import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunStart;
import io.sluice.control.targets.LossHistory;
import io.sluice.control.topics.TopicInspection;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.Supply;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is known of the cluster that a plan is for. */
interface Cluster {
  /** Brokers that it has, or is thought to have. */
  int brokers();

  /** The datasets that it has. */
  List<DatasetSpec> datasets();

  /** Whether a dataset of a name was deleted. */
  boolean wasDeleted(String dataset);

  /** The newest run of a name that was not deleted. */
  Optional<RunStart> run(String name);

  /** What is prepared of a dataset's domains, by name. */
  Map<String, Supply> supply(DatasetSpec dataset);

  /**
   * Losses of a run that has ended.
   *
   * @throws BadInputException if there is none
   */
  LossHistory losses(String run);

  /** What its topics are like that a plan needs; empty if nobody says. */
  Optional<TopicInspection.Report> inspect(
      List<DatasetSpec> datasets, List<RefineSpec> refineries, List<PlannedRun> runs);

  /** One of which nothing is known. */
  record Unasked(int brokers) implements Cluster {
    @Override
    public List<DatasetSpec> datasets() {
      return List.of();
    }

    @Override
    public boolean wasDeleted(String dataset) {
      return false;
    }

    @Override
    public Optional<RunStart> run(String name) {
      return Optional.empty();
    }

    @Override
    public Map<String, Supply> supply(DatasetSpec dataset) {
      return Map.of();
    }

    @Override
    public LossHistory losses(String run) {
      throw new BadInputException(
          "targets.from-run must be of a run that the brokers have, and none is asked: '"
              + run
              + "'");
    }

    @Override
    public Optional<TopicInspection.Report> inspect(
        List<DatasetSpec> datasets, List<RefineSpec> refineries, List<PlannedRun> runs) {
      return Optional.empty();
    }
  }
}
