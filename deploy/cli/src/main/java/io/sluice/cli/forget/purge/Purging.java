package io.sluice.cli.forget.purge;

import io.sluice.cli.forget.purge.PurgeReport.Cleaned;
import io.sluice.cli.ingest.corpus.LiveIngests;
import io.sluice.control.domain.DeadLetterLog;
import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.purge.Purges;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.jobs.prepare.read.DocumentReadings;
import io.sluice.jobs.prepare.tokenizer.TokenizerStore;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Purge;
import io.sluice.schema.PurgedReading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecordBase;

/** Documents that are deleted from every topic that holds them, as one step after another. */
public final class Purging implements AutoCloseable {
  private final KafkaAccess access;
  private final Consumer<String> tell;
  private final Map<String, DocumentReadings> readings = new HashMap<>();

  /**
   * A purge of any documents.
   *
   * @param tell told, in a sentence, how far it is
   */
  public Purging(KafkaAccess access, Consumer<String> tell) {
    this.access = access;
    this.tell = tell;
  }

  /**
   * Deletes documents that are forgotten already.
   *
   * @param documents their ids, by domain
   * @param sets names of their sets
   * @param jobs how long to wait until the service has stopped the jobs that use the topics; zero
   *     if none runs
   */
  public PurgeReport purge(
      SortedMap<String, Set<String>> documents, List<String> sets, Duration jobs) {
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.ensurePurges();
    }
    List<DatasetSpec> datasets = datasets(documents.keySet());
    datasets.forEach(Purging::requireNoStore);
    EndedRuns.of(access, names(datasets));
    PurgeTopics topics = new PurgeTopics(access.topics(), documents, datasets, this::read);
    try (PurgeLease lease = PurgeLease.take(access);
        TopicTwins twins = new TopicTwins(access)) {
      PurgeWork work = new PurgeWork(access, topics, twins, lease, tell);
      Purge begun = work.begin(sets);
      Purge purge = work.replace(copied(work, begun, jobs));
      List<String> streams = touched(purge, datasets).emptyStreams(access, twins);
      PurgeReport report = report(work.look(purge), streams);
      work.end(purge);
      return report;
    }
  }

  /** What is sealed in files holds documents, too, and nothing replaces it. */
  private static void requireNoStore(DatasetSpec dataset) {
    if (!dataset.getStore().isEmpty()) {
      throw new BadInputException(
          "--purge cannot delete documents from the store of a dataset: dataset '"
              + dataset.getName()
              + "' has store "
              + dataset.getStore()
              + "; they are forgotten all the same");
    }
  }

  /** Whoever comes later finds that the domains and datasets are held. */
  private Purge copied(PurgeWork work, Purge purge, Duration jobs) {
    try {
      purge.getDomains().forEach(domain -> LiveIngests.requireNone(access, domain));
      if (!jobs.isZero()) {
        tell.accept("waiting until no job prepares " + purge.getDatasets());
        work.awaitStopped(purge, jobs);
      }
      EndedRuns.of(access, Set.copyOf(purge.getDatasets()));
      Purge copied = work.copy(purge);
      // A run that was asked for before this began has come to its log by now.
      EndedRuns.of(access, Set.copyOf(purge.getDatasets()));
      return copied;
    } catch (BadInputException | UnreachableException e) {
      work.giveUp(purge);
      throw e;
    }
  }

  /** The datasets that have one of the domains; of a purge that was begun those that it found. */
  private List<DatasetSpec> datasets(Set<String> domains) {
    List<DatasetSpec> all = new DatasetCatalog(access).all();
    return new Purges(access)
        .open()
        .map(open -> all.stream().filter(each -> open.getDatasets().contains(each.getName())))
        .orElseGet(
            () -> all.stream().filter(each -> !Collections.disjoint(each.getDomains(), domains)))
        .toList();
  }

  /** Runs whose sequences may have been made of blocks that were replaced. */
  private EndedRuns touched(Purge purge, List<DatasetSpec> datasets) {
    Set<String> replaced =
        purge.getTopics().stream().map(each -> each.getTopic()).collect(Collectors.toSet());
    Set<String> names = new HashSet<>();
    for (DatasetSpec each : datasets) {
      if (each.getDomains().stream()
          .anyMatch(domain -> replaced.contains(access.topics().blocks(each.getName(), domain)))) {
        names.add(each.getName());
      }
    }
    return EndedRuns.of(access, names);
  }

  private PurgeReport report(List<PurgeWork.Found> found, List<String> streams) {
    Map<String, Set<Long>> offsets = new HashMap<>();
    found.forEach(each -> offsets.put(each.topic(), each.purged()));
    List<Long> letters = new ArrayList<>();
    new DeadLetterLog(access)
        .read(
            entry -> {
              if (offsets
                  .getOrDefault(entry.letter().getOrigin(), Set.of())
                  .contains(entry.letter().getPosition())) {
                letters.add(entry.number());
              }
            });
    return new PurgeReport(
        found.stream()
            .map(each -> new Cleaned(each.topic(), each.purged().size(), each.records()))
            .toList(),
        streams,
        letters,
        found.stream().mapToLong(PurgeWork.Found::left).sum());
  }

  private PurgeTopics.Readings.OfDocument read(DatasetSpec dataset, String domain) {
    return document -> reading(dataset, domain, document);
  }

  private PurgedReading reading(DatasetSpec dataset, String domain, SpecificRecordBase document) {
    return readings
        .computeIfAbsent(
            dataset.getName(),
            name ->
                new DocumentReadings(
                    dataset, DatasetSpecs.tokenizer(dataset, TokenizerStore.of(access))))
        .of(document, domain);
  }

  private static Set<String> names(List<DatasetSpec> datasets) {
    return datasets.stream().map(DatasetSpec::getName).collect(Collectors.toSet());
  }

  @Override
  public void close() {
    readings.values().forEach(DocumentReadings::close);
  }
}
