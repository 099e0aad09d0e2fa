package io.sluice.control.audit;

import io.sluice.control.digest.BatchRows;
import io.sluice.control.digest.DigestReport;
import io.sluice.control.digest.SegmentHashes;
import io.sluice.control.digest.StoreFiles;
import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunHistory;
import io.sluice.control.history.RunStart;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;

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

  /** Hands on the batches that stand, of blocks as segments have them. */
  static void standing(
      KafkaAccess access, RunHistory history, StoreFiles files, Consumer<BatchRows> sink) {
    Timelines timelines = Timelines.of(history);
    SegmentHashes hashes =
        SegmentHashes.read(
            access,
            history.spec(),
            timelines.domains(),
            files,
            false,
            difference -> {
              throw new BadInputException(difference);
            },
            (what, why) -> {
              throw new BadInputException(what + " cannot be checked here: " + why);
            });
    BlockOrders orders = new BlockOrders(history.spec().getSeed(), sizes(hashes));
    ReadAudit.standing(history, timelines, orders, hashes, sink);
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
