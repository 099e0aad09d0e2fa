package io.sluice.cli.storage.delete;

import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunFold;
import io.sluice.control.runs.RunCatalog;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.Topics;
import io.sluice.schema.segment.InPlace;
import java.util.ArrayList;
import java.util.List;

/**
 * Who needs what of a deployment.
 *
 * @param runs that were not deleted, with what their logs fold to; one whose log tells nothing
 *     reads nothing
 */
record Holders(
    List<DatasetSpec> datasets, List<RefineSpec> refineries, List<RunCatalog.Entry> runs) {
  Holders {
    datasets = List.copyOf(datasets);
    refineries = List.copyOf(refineries);
    runs = List.copyOf(runs);
  }

  /** The same without a run, whose deletion may not be in its status yet. */
  Holders butRun(RunCatalog.Entry gone) {
    return new Holders(
        datasets,
        refineries,
        runs.stream().filter(run -> !run.runId().equals(gone.runId())).toList());
  }

  /**
   * Runs that read a dataset, or have read it and were not deleted: trainers evaluate on it, and an
   * audit reads it.
   */
  List<String> ofDataset(String dataset) {
    return runs.stream()
        .filter(
            run ->
                run.fold()
                    .map(RunFold::spec)
                    .filter(s -> s.getDataset().equals(dataset))
                    .isPresent())
        .map(run -> "run " + run.name() + " (" + run.phase() + ")")
        .toList();
  }

  /** Datasets that are made of a domain's corpus, and refineries that read or write it. */
  List<String> ofDomain(String domain) {
    List<String> holders = new ArrayList<>();
    for (DatasetSpec dataset : datasets) {
      if (InPlace.without(dataset).getDomains().contains(domain)) {
        holders.add("dataset " + dataset.getName());
      }
    }
    for (RefineSpec refinery : refineries) {
      if (refinery.getInputs().contains(domain)) {
        holders.add("refinery " + refinery.getName() + ", which reads it");
      } else if (refinery.getDomains().contains(domain)) {
        holders.add("refinery " + refinery.getName() + ", which writes it");
      }
    }
    return holders;
  }

  /** That domains stay, and who needs each, a sentence each. */
  List<String> staying(List<String> domains) {
    return domains.stream()
        .map(
            domain -> {
              List<String> others = ofDomain(domain);
              return "domain "
                  + domain
                  + " stays: "
                  + (others.isEmpty()
                      ? "nothing else needs it, and 'sluice domain delete " + domain + "' frees it"
                      : need(others));
            })
        .toList();
  }

  /**
   * Refuses what is of another prefix, whose owner alone may delete it.
   *
   * @param what is to be deleted, such as {@code dataset 'small'}
   * @throws BadInputException if it is
   */
  static void requireOwn(Topics topics, String what) {
    if (!topics.ownsDatasets()) {
      throw new BadInputException(
          what
              + " is of prefix '"
              + topics.datasetsPrefix()
              + "': who prepares its datasets deletes it, with --prefix "
              + topics.datasetsPrefix());
    }
  }

  /** That these need something, for people. */
  static String need(List<String> holders) {
    return String.join(", ", holders) + (holders.size() == 1 ? " needs it" : " need it");
  }
}
