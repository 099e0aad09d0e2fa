package io.sluice.control.bundle;

import io.sluice.control.audit.Auditor;
import io.sluice.control.digest.BatchRows;
import io.sluice.control.digest.StoreFiles;
import io.sluice.control.domain.PreparedDomains;
import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunHistory;
import io.sluice.control.history.TopicScan;
import io.sluice.control.masks.DocumentSets;
import io.sluice.mixture.log.ControlEntry.Started;
import io.sluice.mixture.log.RunPhase;
import io.sluice.schema.BundledBatch;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.DocumentMask;
import io.sluice.schema.DocumentSet;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunBundle;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Supply;
import io.sluice.schema.TrainerFeedback;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Makes bundles of runs.
 *
 * @param release of Sluice
 * @param files by which stores are read
 */
public record BundleExport(KafkaAccess access, String release, StoreFiles files) {
  /** Version of the header of a stream's records. */
  static final int STREAM_HEADER = 1;

  /** Version of the hash of rows. */
  static final int ROW_HASH = 1;

  /**
   * Writes the bundle of the newest run of a name, as its log is now.
   *
   * @throws BadInputException if there is no such run, what it is of is not here any more, or the
   *     file cannot be written
   */
  public BundleFile write(String run, Path file) {
    return BundleWriter.write(of(RunHistory.read(access, run)), file);
  }

  private Bundle of(RunHistory history) {
    RunSpec spec = history.spec();
    if (history.state().phase() == RunPhase.FAILED) {
      throw new BadInputException(
          "run '"
              + history.name()
              + "' has failed: fork it at a batch that stands, and export the fork");
    }
    DatasetSpec dataset = LocalData.dataset(access, spec);
    List<BundledBatch> batches = batches(history);
    List<TrainerFeedback> reports = reports(history);
    var entries = BundledLog.of(history);
    RunBundle head =
        RunBundle.newBuilder()
            .setRun(history.name())
            .setRunId(history.runId())
            .setRelease(release)
            .setPlanVersion(((Started) history.entries().get(0).body()).planVersion())
            .setStreamHeader(STREAM_HEADER)
            .setRowHash(ROW_HASH)
            .setGranted(history.state().position().granted())
            .setEntries(entries.size())
            .setReports(reports.size())
            .setBatches(batches.size())
            .build();
    return new Bundle(
        head,
        plain(dataset),
        supply(history),
        sets(history),
        entries,
        BundledCommands.of(access, history),
        reports,
        batches);
  }

  /** Without where its files lie, and what follows from that. */
  private static DatasetSpec plain(DatasetSpec dataset) {
    return DatasetSpec.newBuilder(dataset).setSources(List.of()).setStore("").build();
  }

  private List<Supply> supply(RunHistory history) {
    RunSpec spec = history.spec();
    UsedBlocks used = UsedBlocks.of(history);
    return PreparedDomains.lanes(access, spec.getDataset()).stream()
        .filter(said -> used.ordinals().containsKey(said.getDomain()))
        .sorted(Comparator.comparing(Supply::getDomain).thenComparing(Supply::getLane))
        .map(said -> plain(said, used.next(said.getDomain(), said.getLane())))
        .toList();
  }

  private static Supply plain(Supply said, long used) {
    return Supply.newBuilder()
        .setDataset(said.getDataset())
        .setFingerprint(said.getFingerprint())
        .setDomain(said.getDomain())
        .setLane(said.getLane())
        .setBlocks(said.getEnded() ? said.getBlocks() : used)
        .setEnded(said.getEnded())
        .setEvalBlocks(0)
        .setTrainedTokens(0)
        .setDocuments(0)
        .build();
  }

  private List<DocumentSet> sets(RunHistory history) {
    Set<String> named = new TreeSet<>();
    history
        .entries()
        .forEach(
            entry ->
                history.specAt(entry.serial()).getMasks().stream()
                    .map(DocumentMask::getSet)
                    .forEach(named::add));
    if (named.isEmpty()) {
      return List.of();
    }
    SortedMap<String, DocumentSet> found = new TreeMap<>();
    new DocumentSets(access)
        .forEach(
            (set, record) -> {
              if (named.contains(set.name())) {
                found.put(set.name(), set.record(false, "", 0));
              }
            });
    named.removeAll(found.keySet());
    if (!named.isEmpty()) {
      throw new BadInputException(
          "sets that run '"
              + history.name()
              + "' masks are not in topic "
              + access.topics().sets()
              + ": "
              + named);
    }
    return List.copyOf(found.values());
  }

  private List<TrainerFeedback> reports(RunHistory history) {
    AcceptedReports accepted = new AcceptedReports();
    new TopicScan(access)
        .read(
            TrainerFeedback.class,
            access.topics().feedback(history.name()),
            report -> {
              if (report.getRunId().equals(history.runId())) {
                report.setRunId("");
                accepted.take(report);
              }
            });
    return accepted.accepted();
  }

  private List<BundledBatch> batches(RunHistory history) {
    List<BundledBatch> batches = new ArrayList<>();
    Auditor.batches(
        access,
        history,
        files,
        rows -> {
          if (rows.lacking().isEmpty()) {
            batches.add(batch(history, rows));
          }
        });
    return batches;
  }

  /** What a batch has of each domain of a run. */
  static BundledBatch batch(RunHistory history, BatchRows rows) {
    List<String> domains = history.spec().getDomains();
    SortedMap<Integer, Long> parts = new TreeMap<>();
    rows.digests().forEach((domain, digest) -> parts.put(domains.indexOf(domain), digest));
    return new BundledBatch(
        rows.batch(),
        history.state().lineage().owner(rows.batch()),
        List.copyOf(parts.keySet()),
        List.copyOf(parts.values()));
  }
}
