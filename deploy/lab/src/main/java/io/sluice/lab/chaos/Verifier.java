package io.sluice.lab.chaos;

import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.control.digest.StoreFiles;
import io.sluice.control.history.MixtureVersions;
import io.sluice.control.history.RunLogs;
import io.sluice.control.history.RunStart;
import io.sluice.lab.chaos.trainer.Journal;
import io.sluice.lab.chaos.trainer.StreamContent;
import io.sluice.lab.chaos.trainer.TrainedRun;
import io.sluice.lab.chaos.trainer.TrainerPath;
import io.sluice.lab.chaos.trainer.Twins;
import io.sluice.lab.chaos.trainer.Verdict;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.schema.KafkaAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Holds what a trainer wrote down against the logs, the blocks, the stream and other trainers. */
final class Verifier {
  private final KafkaAccess kafka;
  private final TrainedRun run;
  private final Twins twins;
  private final Set<String> spoilt;
  private final SortedMap<Long, Journal.Accepted> accepted;
  private final TrainerPath path;
  private final RunLogs logs;
  private final RunStart start;

  /**
   * @param spoilt names of files that readers may refuse
   */
  Verifier(KafkaAccess kafka, TrainedRun run, Twins twins, Set<String> spoilt) {
    this.spoilt = spoilt;
    this.kafka = kafka;
    this.run = run;
    this.twins = twins;
    this.path = TrainerPath.of(run.journal().read());
    this.accepted = path.accepted();
    this.logs = RunLogs.of(kafka);
    this.start = logs.byId(run.run().runId()).orElseThrow();
  }

  /** With an audit, and each accepted batch held against the stream, if there is one. */
  Verdict verifier() {
    AuditReport audit = Auditor.audit(kafka, run.name(), StoreFiles.FOLDERS, true);
    return verdict(audit.duplicates(), run.isDerived() ? 0 : notOfTheStream(), audit.violations());
  }

  /** Without the stream, which is gone. */
  Verdict judgeJournalAlone() {
    return verdict(-1, 0, List.of());
  }

  private long notOfTheStream() {
    Map<Long, String> digests = StreamContent.digests(kafka, run.run());
    return accepted.values().stream()
        .filter(taken -> !taken.digest().equals(digests.get(taken.batch())))
        .count();
  }

  /** Batches whose rows are what the log and the blocks say. */
  private long logged() {
    Map<Long, Long> digests = Auditor.digests(kafka, start);
    return accepted.values().stream()
        .filter(taken -> digests.getOrDefault(taken.batch(), ~taken.rows()) == taken.rows())
        .count();
  }

  /** What a reader refused without naming a file that was spoilt. */
  private List<String> unnamed(List<Journal.Refused> refused) {
    return refused.stream()
        .filter(each -> spoilt.stream().noneMatch(each.why()::contains))
        .map(each -> "batch " + each.batch() + " was refused: " + each.why())
        .toList();
  }

  private Verdict verdict(long duplicates, long notOfTheStream, List<String> violations) {
    MixtureVersions mixtures = new MixtureVersions();
    TreeMap<Long, Integer> versions = new TreeMap<>();
    long[] decidedAlone = {Long.MAX_VALUE};
    logs.fold(
        start,
        entry -> {
          mixtures
              .next(entry)
              .ifPresent(version -> versions.put(version.firstBatch(), version.version()));
          if (entry.body() instanceof Revised revised) {
            decidedAlone[0] = Math.min(decidedAlone[0], revised.snapshot().batch() + 1);
          }
        });
    long wrongVersions =
        accepted.values().stream()
            .filter(taken -> versions.floorEntry(taken.batch()).getValue() != taken.version())
            .count();
    Twins.Held held =
        twins.hold(
            run.plan().policy(), run.isDerived(), accepted.headMap(decidedAlone[0]).values());
    long logged = logged();
    List<Journal.Refused> refused = run.journal().refused();
    List<String> found = new ArrayList<>(violations);
    found.addAll(unnamed(refused));
    return new Verdict(
        run.run().runId(),
        run.run().spec().getPolicy(),
        run.run().spec().getDelivery(),
        accepted.size(),
        path.sequences(),
        path.replayed(),
        duplicates,
        logged,
        held.shared(),
        refused.size(),
        path.lost(),
        path.repeated(),
        path.differing() + notOfTheStream + accepted.size() - logged + held.differing(),
        wrongVersions,
        found);
  }
}
