package io.sluice.cli.lineage;

import io.sluice.control.audit.BlockDocuments;
import io.sluice.control.audit.BlockPlace;
import io.sluice.control.audit.Emission;
import io.sluice.control.audit.Emissions;
import io.sluice.control.history.RunHistory;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.schema.KafkaAccess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Brings together what the blocks of a dataset say about documents and what the logs of runs say
 * about blocks. Reads all training blocks of the domains it needs, and no stream.
 */
final class Trace {
  private final KafkaAccess access;
  private final Map<String, Map<BlockPlace, Set<String>>> found = new HashMap<>();

  Trace(KafkaAccess access) {
    this.access = access;
  }

  /** Where documents went in a run, in the order of its timelines and batches. */
  List<LineageRow> ofDocuments(RunHistory run, Set<String> documents) {
    Map<BlockPlace, Set<String>> blocks =
        found.computeIfAbsent(run.spec().getDataset(), dataset -> blocksOf(dataset, documents));
    List<LineageRow> rows = new ArrayList<>();
    Emissions.forEach(access, run, emission -> add(run, emission, blocks, rows));
    return rows;
  }

  /** Documents of all blocks of a dataset that have any of these. */
  private Map<BlockPlace, Set<String>> blocksOf(String dataset, Set<String> documents) {
    Map<BlockPlace, Set<String>> blocks = new HashMap<>();
    new BlockDocuments(access, dataset)
        .forEach(
            new DatasetCatalog(access).require(dataset).getDomains(),
            (place, ids) -> {
              ids.retainAll(documents);
              if (!ids.isEmpty()) {
                blocks.put(place, ids);
              }
            });
    return blocks;
  }

  /** The documents of some batches of a run. */
  List<LineageRow> ofBatches(RunHistory run, long first, long last) {
    List<Emission> emissions = new ArrayList<>();
    Set<String> domains = new TreeSet<>();
    Map<BlockPlace, Set<String>> blocks = new HashMap<>();
    Emissions.forEach(
        access,
        run,
        emission -> {
          if (first <= emission.batch() && emission.batch() <= last) {
            emissions.add(emission);
            domains.add(emission.block().domain());
            blocks.put(emission.block(), Set.of());
          }
        });
    new BlockDocuments(access, run.spec().getDataset())
        .forEach(domains, (place, ids) -> blocks.computeIfPresent(place, (same, none) -> ids));
    List<LineageRow> rows = new ArrayList<>();
    emissions.forEach(emission -> add(run, emission, blocks, rows));
    return rows;
  }

  private static void add(
      RunHistory run,
      Emission emission,
      Map<BlockPlace, Set<String>> blocks,
      List<LineageRow> rows) {
    for (String document : blocks.getOrDefault(emission.block(), Set.of())) {
      rows.add(LineageRow.of(document, run.name(), emission));
    }
  }
}
