package io.sluice.cli.plan;

import io.sluice.cli.dataset.ApplyDataset;
import io.sluice.cli.plan.need.ByteEstimates;
import io.sluice.cli.plan.need.Demand;
import io.sluice.cli.plan.need.EvaluationCost;
import io.sluice.cli.plan.need.MixMemory;
import io.sluice.cli.plan.need.Plan;
import io.sluice.cli.plan.need.PlannedRun;
import io.sluice.cli.plan.need.Quotas;
import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunStart;
import io.sluice.control.runs.RunApplication;
import io.sluice.control.runs.RunFile;
import io.sluice.control.topics.TopicInspection;
import io.sluice.control.topics.WantedTopics;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.Supply;
import io.sluice.schema.Topics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Makes plans for a cluster.
 *
 * @param topics names of the deployment's
 * @param tokens that each dataset is to have; empty for what the runs train on
 * @param quotas empty where nobody says how fast runs are trained on
 */
record Planner(Topics topics, Cluster cluster, OptionalLong tokens, Optional<Quotas> quotas) {
  /** A dataset that the plan is about, what it is to have, and what there is. */
  private record Part(DatasetSpec spec, Demand demand, Map<String, Supply> supply) {}

  /**
   * What applying the files would need.
   *
   * @throws BadInputException if that would be refused, or a run's dataset is nowhere
   */
  Plan of(PlannedFiles files) {
    List<String> notes = new ArrayList<>();
    Map<String, DatasetSpec> known = new TreeMap<>();
    cluster.datasets().forEach(spec -> known.put(spec.getName(), spec));
    List<DatasetSpec> datasets =
        files.datasets().stream()
            .map(spec -> wanted(Optional.ofNullable(known.get(spec.getName())), spec))
            .toList();
    datasets.forEach(spec -> known.put(spec.getName(), spec));
    List<PlannedRun> runs =
        files.runs(List.copyOf(known.values()), (file, dataset) -> run(file, dataset, notes));
    Map<String, Part> parts = parts(datasets, known, runs);
    Optional<TopicInspection.Report> report = cluster.inspect(datasets, files.refineries(), runs);
    PlannedTopics planned =
        new PlannedTopics(new WantedTopics(topics, cluster.brokers()), report, bytes(parts, runs));
    Map<DatasetSpec, Demand> demands = new LinkedHashMap<>();
    parts.values().forEach(part -> demands.put(part.spec(), part.demand()));
    return new Plan(
        cluster.brokers(),
        report.isPresent(),
        planned.all(datasets, files.refineries(), runs),
        parts.values().stream().map(Planner::ofDataset).toList(),
        runs.stream().map(run -> ofRun(run, part(parts, run))).toList(),
        files.refineries().stream().map(RefineSpec::getName).toList(),
        new PlannedUsers(topics, demands, files.refineries(), runs, quotas).all(),
        notes);
  }

  private DatasetSpec wanted(Optional<DatasetSpec> existing, DatasetSpec spec) {
    if (existing.isEmpty()) {
      ApplyDataset.requireNew(spec.getName(), cluster.wasDeleted(spec.getName()));
    }
    return ApplyDataset.wanted(existing, spec);
  }

  private PlannedRun run(RunFile file, DatasetSpec dataset, List<String> notes) {
    String name = "run " + file.run();
    Optional<RunStart> start = cluster.run(file.run());
    start.ifPresent(found -> notes.add(name + " is there, as " + found.runId()));
    return new PlannedRun(
        RunApplication.outline(
            file, dataset, cluster::losses, said -> notes.add(name + ": " + said)),
        file.sequences(),
        file.initialWeights().needsTokens(),
        start);
  }

  /** The planned datasets, and those that a planned run is over, by name. */
  private Map<String, Part> parts(
      List<DatasetSpec> datasets, Map<String, DatasetSpec> known, List<PlannedRun> runs) {
    Map<String, Part> parts = new LinkedHashMap<>();
    Stream.concat(
            datasets.stream().map(DatasetSpec::getName),
            runs.stream().map(run -> run.spec().getDataset()))
        .distinct()
        .map(name -> Objects.requireNonNull(known.get(name)))
        .forEach(
            spec ->
                parts.put(
                    spec.getName(),
                    new Part(spec, Demand.of(spec, tokens, runs), cluster.supply(spec))));
    return parts;
  }

  private static Part part(Map<String, Part> parts, PlannedRun run) {
    return Objects.requireNonNull(parts.get(run.spec().getDataset()));
  }

  private Map<String, Long> bytes(Map<String, Part> parts, List<PlannedRun> runs) {
    Map<String, Long> bytes = new HashMap<>();
    ByteEstimates estimates = new ByteEstimates(topics);
    for (Part part : parts.values()) {
      estimates
          .dataset(part.spec(), part.demand(), part.supply())
          .forEach((topic, some) -> bytes.merge(topic, some, Math::max));
    }
    for (PlannedRun run : runs) {
      ByteEstimates.stream(run, part(parts, run).spec())
          .ifPresent(some -> bytes.put(topics.stream(run.spec().getRun()), some));
    }
    return bytes;
  }

  private static Plan.OfDataset ofDataset(Part part) {
    return new Plan.OfDataset(
        part.spec().getName(),
        part.demand().tokens(),
        part.demand().from(),
        ByteEstimates.store(part.spec(), part.demand(), part.supply()));
  }

  private static Plan.OfRun ofRun(PlannedRun run, Part part) {
    OptionalLong heldOut = ByteEstimates.heldOutTokens(part.spec(), part.demand(), part.supply());
    return new Plan.OfRun(
        run.spec().getRun(),
        run.spec().getDataset(),
        run.tokens(),
        MixMemory.of(run.spec()),
        EvaluationCost.of(run.spec(), heldOut));
  }
}
