package io.sluice.client;

import io.sluice.schema.ControlRecord;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RunStarted;
import io.sluice.schema.RunStateChanged;
import java.util.List;

/** Control records for tests. */
final class TestingLog {
  private TestingLog() {}

  static ControlRecord started(RunInfo run) {
    List<Long> ordinals = List.of(0L, 0L, 0L);
    return entry(run.runId(), 0, -1, "", new RunStarted(run.spec(), 1, "", ordinals, null));
  }

  static ControlRecord grant(String runId, long serial, long basedOn, long after, long to) {
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

  static ControlRecord state(String runId, long serial, long basedOn, String state, String why) {
    return entry(runId, serial, basedOn, why, new RunStateChanged(state, "", false));
  }

  private static ControlRecord entry(
      String runId, long serial, long basedOn, String why, Object body) {
    return new ControlRecord(runId, 0, serial, basedOn, "writer", 0L, why, body);
  }
}
