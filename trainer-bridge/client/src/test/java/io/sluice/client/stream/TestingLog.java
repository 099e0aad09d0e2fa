package io.sluice.client.stream;

import io.sluice.client.run.RunInfo;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RunOrigin;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunSnapshot;
import io.sluice.schema.RunStarted;
import io.sluice.schema.RunStateChanged;
import java.nio.ByteBuffer;
import java.util.List;

/** Control records for tests. */
public final class TestingLog {
  private TestingLog() {}

  public static ControlRecord started(RunInfo run) {
    return started(run, 1);
  }

  static ControlRecord started(RunInfo run, int planVersion) {
    List<Long> ordinals = List.of(0L, 0L, 0L);
    RunStarted body = new RunStarted(run.spec(), planVersion, "", ordinals, null, null);
    return entry(run.runId(), 0, -1, "", body);
  }

  public static ControlRecord grant(String runId, long serial, long basedOn, long after, long to) {
    MixtureGrant grant =
        MixtureGrant.newBuilder()
            .setAfter(after)
            .setTo(to)
            .setFirstSequence(0)
            .setWeightsVersion(1)
            .setBatchSizes(List.of())
            .setCounts(List.of())
            .setEffectiveWeights(List.of())
            .build();
    return entry(runId, serial, basedOn, "", grant);
  }

  public static ControlRecord grant(
      String runId, int timeline, long serial, long basedOn, long after, long to, int version) {
    ControlRecord grant = grant(runId, serial, basedOn, after, to);
    grant.setTimeline(timeline);
    ((MixtureGrant) grant.getBody()).setWeightsVersion(version);
    return grant;
  }

  /** A run that continues another after a batch. */
  public static ControlRecord forked(
      RunInfo run, String parent, int timeline, long batch, long next) {
    RunOrigin origin = new RunOrigin(parent, timeline, snapshot(batch, next, 1));
    return entry(
        run.runId(),
        0,
        -1,
        "",
        new RunStarted(run.spec(), 1, "", List.of(0L, 0L, 0L), origin, null));
  }

  /** A revision in a timeline: the next one rewinds the run. */
  public static ControlRecord revised(
      RunInfo run, int timeline, long serial, long basedOn, long batch, long next, int version) {
    ControlRecord entry =
        entry(
            run.runId(),
            serial,
            basedOn,
            "by hand",
            new RunRevised("c", run.spec(), snapshot(batch, next, version), batch));
    entry.setTimeline(timeline);
    return entry;
  }

  private static RunSnapshot snapshot(long batch, long next, int version) {
    return RunSnapshot.newBuilder()
        .setBatch(batch)
        .setNextSequence(next)
        .setWeightsVersion(version)
        .setRound(0)
        .setBaseRound(0)
        .setWeights(List.of(1L << 39, 1L << 38, 1L << 38))
        .setPinned(false)
        .setPolicyState(ByteBuffer.allocate(0))
        .setPlanError(List.of(0L, 0L, 0L))
        .setOrdinals(List.of(0L, 0L, 0L))
        .setMasked(List.of())
        .build();
  }

  public static ControlRecord state(
      String runId, long serial, long basedOn, String state, String why) {
    return entry(runId, serial, basedOn, why, new RunStateChanged(state, "", false));
  }

  private static ControlRecord entry(
      String runId, long serial, long basedOn, String why, Object body) {
    return new ControlRecord(runId, 0, serial, basedOn, "writer", 0L, why, body, null);
  }
}
