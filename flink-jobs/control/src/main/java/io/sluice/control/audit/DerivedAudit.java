package io.sluice.control.audit;

import io.sluice.control.digest.DigestReport;
import io.sluice.control.digest.SegmentHashes;
import io.sluice.control.digest.StoreFiles;
import io.sluice.control.history.RunHistory;
import io.sluice.control.history.RunStart;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Audits a run without a stream: by its log, the segments of its dataset, and its ranks' words. */
final class DerivedAudit {
  private DerivedAudit() {}

  static AuditReport audit(KafkaAccess access, RunStart start, StoreFiles files, boolean deep) {
    ReadAudit read = new ReadAudit(access, start.name());
    RunHistory history = RunHistory.read(access, start);
    Violations violations = new Violations();
    RevisionAudit.check(access, history, violations);
    MaskAudit.check(access, history, violations);
    RunSpec spec = history.spec();
    Timelines timelines = Timelines.of(history);
    // After the log: what it grants has been sealed before.
    SegmentHashes hashes =
        SegmentHashes.read(
            access,
            spec,
            timelines.domains(),
            files,
            deep,
            sentence -> violations.add("sealed", "%s", sentence),
            violations::leaveUnchecked);
    BlockOrders orders = new BlockOrders(spec.getSeed(), sizes(hashes));
    DigestReport digests = read.check(history, timelines, orders, hashes, violations);
    return report(history, timelines, violations, digests);
  }

  private static BlockOrders.Sizes sizes(SegmentHashes hashes) {
    return new BlockOrders.Sizes() {
      @Override
      public OptionalLong size(String domain, int lane) {
        return hashes.size(domain, lane);
      }

      @Override
      public boolean isInPlace(String domain, int lane) {
        return hashes.isInPlace(domain, lane);
      }
    };
  }

  private static AuditReport report(
      RunHistory history, Timelines timelines, Violations violations, DigestReport digests) {
    long granted = history.state().position().granted();
    return new AuditReport(
        history.runId(),
        timelines.expectations().size(),
        0,
        0,
        granted,
        0,
        timelines.expectations().firstEntry().getValue().begin() + 1,
        granted,
        violations.sentences(),
        violations.unchecked(),
        timelines.mostBehind(),
        timelines.mostAhead(),
        new TreeMap<>(),
        "",
        digests);
  }
}
