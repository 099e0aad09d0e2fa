package io.sluice.lab.chaos;

import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.control.history.MixtureVersions;
import io.sluice.control.history.RunLogs;
import io.sluice.control.history.RunStart;
import io.sluice.lab.chaos.trainer.StreamContent;
import io.sluice.lab.chaos.trainer.TrainedRun;
import io.sluice.lab.chaos.trainer.TrainerPath;
import io.sluice.lab.chaos.trainer.Verdict;
import io.sluice.schema.KafkaAccess;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Holds what a trainer wrote down against the logs and the stream. */
final class Verifier {
  private final KafkaAccess kafka;
  private final TrainedRun run;
  private final TrainerPath path;

  Verifier(KafkaAccess kafka, TrainedRun run) {
    this.kafka = kafka;
    this.run = run;
    this.path = TrainerPath.of(run.journal().read());
  }

  /** With an audit of the stream, and each accepted batch held against it. */
  Verdict verifier() {
    AuditReport audit = Auditor.audit(kafka, run.name());
    Map<Long, String> digests = StreamContent.digests(kafka, run.run());
    long differing =
        path.accepted().values().stream()
            .filter(taken -> !taken.digest().equals(digests.get(taken.batch())))
            .count();
    return verdict(audit.duplicates(), differing, audit.violations());
  }

  /** Without the stream, which is gone. */
  Verdict judgeJournalAlone() {
    return verdict(-1, 0, List.of());
  }

  private long wrongVersions() {
    RunLogs logs = RunLogs.of(kafka);
    RunStart start = logs.byId(run.run().runId()).orElseThrow();
    MixtureVersions found = new MixtureVersions();
    TreeMap<Long, Integer> versions = new TreeMap<>();
    logs.fold(
        start,
        entry ->
            found
                .next(entry)
                .ifPresent(version -> versions.put(version.firstBatch(), version.version())));
    return path.accepted().values().stream()
        .filter(taken -> versions.floorEntry(taken.batch()).getValue() != taken.version())
        .count();
  }

  private Verdict verdict(long duplicates, long differing, List<String> violations) {
    return new Verdict(
        run.run().runId(),
        run.run().spec().getPolicy(),
        path.accepted().size(),
        path.sequences(),
        path.replayed(),
        duplicates,
        path.lost(),
        path.repeated(),
        path.differing() + differing,
        wrongVersions(),
        violations);
  }
}
