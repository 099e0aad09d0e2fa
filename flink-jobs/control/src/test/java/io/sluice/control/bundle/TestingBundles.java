package io.sluice.control.bundle;

import io.sluice.control.controller.TestingRuns;
import io.sluice.control.wire.ControlWire;
import io.sluice.control.wire.RunSpecs;
import io.sluice.mixture.decide.RunPolicy;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.Started;
import io.sluice.mixture.log.EntryDigests;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.plan.MixturePlan;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.BundledBatch;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RunBundle;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Supply;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Bundles of a run over the domains a and b, batches of 8, of which two are granted at a time. */
final class TestingBundles {
  private TestingBundles() {}

  static RunSpec spec() {
    return RunSpecs.complete(
        TestingRuns.spec()
            .setPolicy("static")
            .setPolicySettings(Map.of())
            .setUpdateEvery(0)
            .build());
  }

  /** A start, and so many grants. */
  static List<ControlRecord> entries(int grants) {
    RunSettings settings = RunSpecs.settings(spec());
    ControlEntry start =
        entry(new Started(MixturePlan.VERSION, settings, RunPolicy.start(settings)), 0);
    ControlRecord[] all = new ControlRecord[grants + 1];
    all[0] = ControlWire.started(start, new ApplyRun(spec(), "", null, true, true), "", 0);
    for (int i = 1; i <= grants; i++) {
      all[i] = ControlWire.write(entry(grant(2L * (i - 1), 4, 4), i), "", 0);
    }
    for (ControlRecord each : all) {
      each.setRunId("");
      each.setBasedOn(-1);
    }
    return List.of(all);
  }

  /** The grant of two batches with so many sequences of each domain. */
  static Grant grant(long after, int a, int b) {
    return new Grant(
        after,
        after + 2,
        after * 8,
        1,
        new int[] {8, 8},
        new int[] {a, b, a, b},
        Weights.uniform(2),
        new long[0],
        Optional.empty());
  }

  static ControlEntry entry(ControlEntry.Body body, long serial) {
    return new ControlEntry("r", 0, serial, -1, EntryDigests.NONE, "for a reason", body);
  }

  static Bundle bundle() {
    List<ControlRecord> entries = entries(3);
    List<BundledBatch> batches =
        List.of(new BundledBatch(1L, 0, List.of(0, 1), List.of(Long.MIN_VALUE, -1L)));
    return new Bundle(
        new RunBundle("velo", "velo.1a2b", "1.0", 2, 1, 1, 6L, 4L, 1L, 1L),
        dataset(),
        List.of(
            Supply.newBuilder()
                .setDataset("books")
                .setFingerprint(77)
                .setDomain("a")
                .setBlocks(24)
                .setEvalBlocks(0)
                .setTrainedTokens(0)
                .setDocuments(0)
                .setEnded(true)
                .build()),
        List.of(),
        entries,
        List.of(TestingRuns.change("c", "paused")),
        List.of(TestingRuns.feedback(10, 2, 3)),
        batches);
  }

  static DatasetSpec dataset() {
    return DatasetSpec.newBuilder()
        .setName("books")
        .setFingerprint(77)
        .setTokenizer("bytes")
        .setVocabulary(259)
        .setTokenWidth(2)
        .setEndOfDocument(256)
        .setPadding(258)
        .setSequenceLength(128)
        .setShuffleBuffer(1)
        .setSeed(7)
        .setHeldOut(0)
        .setDomains(List.of("a", "b"))
        .build();
  }
}
