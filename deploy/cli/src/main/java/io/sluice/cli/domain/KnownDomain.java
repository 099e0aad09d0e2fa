package io.sluice.cli.domain;

import io.sluice.control.domain.CorpusEnd;
import io.sluice.control.domain.CorpusEnds;
import io.sluice.control.domain.DeadLetterLog;
import io.sluice.control.domain.DomainStanding;
import io.sluice.control.domain.PreparedDomains;
import io.sluice.control.error.BadInputException;
import io.sluice.control.refine.RefinedDomains;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Supply;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is known of a domain.
 *
 * @param referred how many more records of files than ranges of these the corpus names
 * @param deadLetters what could not be used of it
 * @param datasets how far each dataset has prepared it; none if no dataset names it
 */
record KnownDomain(
    String name, CorpusEnd corpus, long referred, long deadLetters, List<Part> datasets) {
  /** A domain in a dataset. */
  record Part(DatasetSpec dataset, DomainStanding standing) {
    /** Documents that wait in the shuffle buffer; at most, where an old build prepared them. */
    long shuffled() {
      return standing.shuffling(dataset).documents();
    }
  }

  /** Every domain that has a corpus or is named by a dataset, by name. */
  static List<KnownDomain> all(KafkaAccess access) {
    List<DatasetSpec> datasets = new DatasetCatalog(access).all();
    CorpusEnds corpora = new CorpusEnds(access);
    Set<String> names = names(corpora, datasets);
    Map<String, CorpusEnd> ends = new RefinedDomains(access).counted(corpora.of(names));
    Map<String, Long> letters = new HashMap<>();
    new DeadLetterLog(access)
        .read(entry -> entry.domain().ifPresent(name -> letters.merge(name, 1L, Long::sum)));
    ReferredRecords referred = ReferredRecords.read(access);
    Map<String, List<Part>> parts = new HashMap<>();
    for (DatasetSpec dataset : datasets) {
      Map<String, Supply> supplies = PreparedDomains.read(access, dataset.getName());
      for (DomainStanding standing : DomainStanding.of(dataset.getDomains(), ends, supplies)) {
        parts
            .computeIfAbsent(standing.domain(), name -> new ArrayList<>())
            .add(new Part(dataset, standing));
      }
    }
    return names.stream()
        .map(
            name ->
                new KnownDomain(
                    name,
                    ends.getOrDefault(name, CorpusEnd.EMPTY),
                    referred.of(name),
                    letters.getOrDefault(name, 0L),
                    parts.getOrDefault(name, List.of())))
        .toList();
  }

  /**
   * Refuses the name of a domain that has no corpus and is named by no dataset.
   *
   * @throws BadInputException naming those that there are
   */
  static void requireKnown(KafkaAccess access, String domain) {
    Set<String> names = names(new CorpusEnds(access), new DatasetCatalog(access).all());
    if (!names.contains(domain)) {
      throw unknown(domain, names);
    }
  }

  static BadInputException unknown(String domain, Collection<String> names) {
    return new BadInputException("domain must be one of " + names + ": '" + domain + "'");
  }

  private static Set<String> names(CorpusEnds corpora, List<DatasetSpec> datasets) {
    Set<String> names = new TreeSet<>(corpora.domains());
    datasets.forEach(dataset -> names.addAll(dataset.getDomains()));
    return names;
  }

  /** Whether it has an end marker, which a record behind it may hide from who looks at the last. */
  boolean ended() {
    return corpus.marked() || datasets.stream().anyMatch(part -> part.standing().isComplete());
  }

  /** Documents, those in files that its corpus names among them, and those that cannot be used. */
  long documents() {
    return corpus.documents() + referred;
  }

  /** For programs. */
  Map<String, Object> report() {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("domain", name);
    report.put("documents", documents());
    report.put("ended", ended());
    report.put("deadLetters", deadLetters);
    report.put("datasets", datasets.stream().map(KnownDomain::report).toList());
    return report;
  }

  private static Map<String, Object> report(Part part) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("dataset", part.dataset().getName());
    report.put("prepared", part.standing().prepared());
    report.put("complete", part.standing().isComplete());
    report.put("shuffled", part.shuffled());
    report.put("blocks", part.standing().blocks());
    report.put("heldOutBlocks", part.standing().heldOutBlocks());
    report.put("tokens", part.standing().tokens());
    report.put("padding", part.standing().padding());
    return report;
  }
}
