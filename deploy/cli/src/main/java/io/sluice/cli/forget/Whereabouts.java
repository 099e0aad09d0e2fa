package io.sluice.cli.forget;

import io.sluice.cli.forget.purge.PurgeReport;
import io.sluice.cli.lineage.LineageRow;
import io.sluice.control.line.DocumentName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where documents are that are to be forgotten, each in one group; for programs as it is.
 *
 * @param batches when they were in a batch and not masked
 * @param inBlocks those that are in training blocks of the runs' datasets, and were in no batch
 * @param inCorpora those that are in a corpus, and in none of these blocks
 * @param notLookedUp those that are in none of these blocks, and were not looked for in the corpora
 * @param unknown those that are in no corpus
 * @param inFiles records of files that the corpora name, in which nothing was looked for
 * @param purge what was deleted; null if that was not asked for
 */
record Whereabouts(
    List<LineageRow> batches,
    Group inBatches,
    Group inBlocks,
    Group inCorpora,
    Group notLookedUp,
    Group unknown,
    long inFiles,
    @Nullable PurgeReport purge) {
  /**
   * Documents.
   *
   * @param first of them, at most {@value #SHOWN}
   */
  record Group(long documents, List<String> first) {
    private static final int SHOWN = 10;

    private static Group of(Collection<String> documents) {
      return new Group(documents.size(), documents.stream().limit(SHOWN).toList());
    }

    private String named() {
      return ": " + String.join(", ", first) + (documents > first.size() ? " and so on" : "");
    }
  }

  private enum Place {
    BATCHES,
    BLOCKS,
    CORPORA,
    ANYWHERE,
    NOWHERE
  }

  /**
   * Sorts documents.
   *
   * @param blocks ids of those that are in training blocks, by domain
   * @param corpora domains that have a corpus
   * @param lookUp what some of these corpora have; empty if none was read
   */
  static Whereabouts of(
      Collection<DocumentName> documents,
      List<LineageRow> batches,
      Map<String, Set<String>> blocks,
      Set<String> corpora,
      Optional<CorpusLookUp> lookUp) {
    Set<DocumentName> trained = new HashSet<>();
    batches.forEach(row -> trained.add(new DocumentName(row.domain(), row.document())));
    Map<Place, List<String>> groups = new EnumMap<>(Place.class);
    for (DocumentName each : documents) {
      Place place =
          trained.contains(each)
              ? Place.BATCHES
              : has(blocks, each)
                  ? Place.BLOCKS
                  : !corpora.contains(each.domain())
                      ? Place.NOWHERE
                      : lookUp
                          .filter(in -> in.domains().contains(each.domain()))
                          .map(in -> has(in.found(), each) ? Place.CORPORA : Place.NOWHERE)
                          .orElse(Place.ANYWHERE);
      groups.computeIfAbsent(place, of -> new ArrayList<>()).add(each.domain() + "/" + each.id());
    }
    return new Whereabouts(
        batches,
        Group.of(groups.getOrDefault(Place.BATCHES, List.of())),
        Group.of(groups.getOrDefault(Place.BLOCKS, List.of())),
        Group.of(groups.getOrDefault(Place.CORPORA, List.of())),
        Group.of(groups.getOrDefault(Place.ANYWHERE, List.of())),
        Group.of(groups.getOrDefault(Place.NOWHERE, List.of())),
        lookUp.map(CorpusLookUp::inFiles).orElse(0L),
        null);
  }

  /** The same with what was deleted. */
  Whereabouts with(PurgeReport purged) {
    return new Whereabouts(
        batches, inBatches, inBlocks, inCorpora, notLookedUp, unknown, inFiles, purged);
  }

  private static boolean has(Map<String, Set<String>> ids, DocumentName document) {
    return ids.getOrDefault(document.domain(), Set.of()).contains(document.id());
  }

  /** For people. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        inBatches.documents
            + " documents were in batches before, "
            + batches.size()
            + " times; "
            + inBlocks.documents
            + " are in training blocks of these runs' datasets, and were in no batch");
    if (inCorpora.documents > 0) {
      lines.add(inCorpora.documents + " are in a corpus, and in none of these blocks");
    }
    if (notLookedUp.documents > 0) {
      lines.add(
          notLookedUp.documents
              + " are in none of these blocks; whether a corpus has them was not looked at,"
              + " --look-up does unless its documents are being purged"
              + notLookedUp.named());
    }
    if (unknown.documents > 0) {
      lines.add(
          unknown.documents
              + " are unknown, in no corpus"
              + (inFiles > 0
                  ? " but perhaps in one of %d records of files, which were not read"
                      .formatted(inFiles)
                  : "")
              + unknown.named());
    }
    return lines;
  }
}
