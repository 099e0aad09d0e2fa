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
import java.util.function.BiPredicate;

/**
 * Brings together what the blocks of a dataset say about documents and what the logs of runs say
 * about blocks. Reads all training blocks of the domains it needs, and no stream.
 */
public final class Trace {
  private final KafkaAccess access;
  private final Map<String, Map<BlockPlace, Set<String>>> found = new HashMap<>();

  /** A trace through the topics that can be reached so. */
  public Trace(KafkaAccess access) {
    this.access = access;
  }

  /**
   * Where documents went in a run, in the order of its timelines and batches.
   *
   * @param documents those that are meant, by domain and id; always the same
   */
  public List<LineageRow> ofDocuments(RunHistory run, BiPredicate<String, String> documents) {
    Map<BlockPlace, Set<String>> blocks =
        found.computeIfAbsent(run.spec().getDataset(), dataset -> blocksOf(dataset, documents));
    List<LineageRow> rows = new ArrayList<>();
    MaskHistory masks = MaskHistory.read(access, run);
    Emissions.forEach(access, run, emission -> add(run, emission, masks, blocks, rows));
    return rows;
  }

  /** Documents of all blocks of a dataset that have any of these. */
  private Map<BlockPlace, Set<String>> blocksOf(
      String dataset, BiPredicate<String, String> documents) {
    Map<BlockPlace, Set<String>> blocks = new HashMap<>();
    new BlockDocuments(access, dataset)
        .forEach(
            new DatasetCatalog(access).require(dataset).getDomains(),
            (place, ids) -> {
              ids.removeIf(id -> !documents.test(place.domain(), id));
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
    MaskHistory masks = MaskHistory.read(access, run);
    emissions.forEach(emission -> add(run, emission, masks, blocks, rows));
    return rows;
  }

  private static void add(
      RunHistory run,
      Emission emission,
      MaskHistory masks,
      Map<BlockPlace, Set<String>> blocks,
      List<LineageRow> rows) {
    for (String document : blocks.getOrDefault(emission.block(), Set.of())) {
      rows.add(LineageRow.of(document, run.name(), emission, masks));
    }
  }
}
