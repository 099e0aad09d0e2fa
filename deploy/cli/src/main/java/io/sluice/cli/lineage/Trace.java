package io.sluice.cli.lineage;

import io.sluice.control.audit.AskedDocuments;
import io.sluice.control.audit.BlockContent;
import io.sluice.control.audit.BlockDocuments;
import io.sluice.control.audit.BlockPlace;
import io.sluice.control.audit.Emission;
import io.sluice.control.audit.Emissions;
import io.sluice.control.history.RunHistory;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Brings together what the blocks of a dataset say about documents and what the logs of runs say
 * about blocks. Reads what is known of all training blocks, and no stream.
 */
public final class Trace {
  private final KafkaAccess access;
  private final Map<String, Map<BlockPlace, BlockContent>> found = new HashMap<>();

  /** A trace through the topics that can be reached so. */
  public Trace(KafkaAccess access) {
    this.access = access;
  }

  /**
   * Where documents went in a run, in the order of its timelines and batches.
   *
   * @param documents ids of those of a domain that are meant; always the same
   */
  public List<LineageRow> ofDocuments(RunHistory run, Function<String, Set<String>> documents) {
    Map<BlockPlace, BlockContent> blocks =
        found.computeIfAbsent(run.spec().getDataset(), dataset -> blocksOf(dataset, documents));
    List<LineageRow> rows = new ArrayList<>();
    MaskHistory masks = MaskHistory.read(access, run);
    Emissions.forEach(access, run, emission -> add(run, emission, masks, blocks, rows));
    return rows;
  }

  /** Which documents of those that were asked for are in blocks, by their domains. */
  public Map<String, Set<String>> inBlocks() {
    Map<String, Set<String>> documents = new HashMap<>();
    found
        .values()
        .forEach(
            blocks ->
                blocks.forEach(
                    (place, block) ->
                        documents
                            .computeIfAbsent(place.domain(), of -> new HashSet<>())
                            .addAll(block.documents())));
    return documents;
  }

  /** Documents of all blocks of a dataset that have any of these. */
  private Map<BlockPlace, BlockContent> blocksOf(
      String dataset, Function<String, Set<String>> documents) {
    Map<BlockPlace, BlockContent> blocks = new HashMap<>();
    DatasetSpec spec = new DatasetCatalog(access).require(dataset);
    AskedDocuments asked = new AskedDocuments(documents);
    new BlockDocuments(access, spec)
        .forEach(
            spec.getDomains(),
            block -> {
              Set<String> found = asked.in(block);
              if (!found.isEmpty()) {
                blocks.put(block.place(), new BlockContent(block.place(), found, true));
              }
            });
    return blocks;
  }

  /** The documents of some batches of a run. */
  List<LineageRow> ofBatches(RunHistory run, long first, long last) {
    List<Emission> emissions = new ArrayList<>();
    Set<String> domains = new TreeSet<>();
    Map<BlockPlace, BlockContent> blocks = new HashMap<>();
    Emissions.forEach(
        access,
        run,
        emission -> {
          if (first <= emission.batch() && emission.batch() <= last) {
            emissions.add(emission);
            domains.add(emission.block().domain());
            blocks.put(emission.block(), nothing(emission.block()));
          }
        });
    DatasetSpec spec = new DatasetCatalog(access).require(run.spec().getDataset());
    new BlockDocuments(access, spec)
        .forEach(domains, block -> blocks.computeIfPresent(block.place(), (same, none) -> block));
    List<LineageRow> rows = new ArrayList<>();
    MaskHistory masks = MaskHistory.read(access, run);
    emissions.forEach(emission -> add(run, emission, masks, blocks, rows));
    return rows;
  }

  private static BlockContent nothing(BlockPlace place) {
    return new BlockContent(place, Set.of(), true);
  }

  private static void add(
      RunHistory run,
      Emission emission,
      MaskHistory masks,
      Map<BlockPlace, BlockContent> blocks,
      List<LineageRow> rows) {
    BlockContent block = blocks.getOrDefault(emission.block(), nothing(emission.block()));
    for (String document : block.documents()) {
      rows.add(LineageRow.of(document, block.named(), run.name(), emission, masks));
    }
  }
}
