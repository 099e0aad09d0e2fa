package io.sluice.control.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.wire.ControlWire;
import io.sluice.control.wire.RunSpecs;
import io.sluice.mixture.decide.GrantPlanner;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.BatchSize;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.Limits;
import io.sluice.schema.RunSpec;
import io.sluice.schema.WireCodec;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SnapshotWriterTest {
  private RunState state;
  private SnapshotWriter writer;

  private void start(int domains, int every) {
    double[] shares = new double[domains];
    Arrays.fill(shares, 1);
    RunSpec spec =
        RunSpec.newBuilder()
            .setRun("r")
            .setDataset("data")
            .setFingerprint(9)
            .setTokenizer("bytes")
            .setVocabulary(260)
            .setSequenceLength(64)
            .setDomains(
                IntStream.range(0, domains).mapToObj(i -> "d" + "x".repeat(50) + i).toList())
            .setStreamPartitions(4)
            .setBatchSizes(List.of(new BatchSize(1L, 8)))
            .setSeed(42)
            .setInitialWeights(ControlWire.boxed(Weights.ofShares(shares)))
            .setPolicy("static")
            .setUpdateEvery(0)
            .setEpochs(Collections.nCopies(domains, 1))
            .build();
    ControlEntry entry = GrantPlanner.start("r.1", RunSpecs.settings(spec), "asked");
    ApplyRun asked = ApplyRun.newBuilder().setSpec(spec).setStreamTopicId("").build();
    ControlRecord record = ControlWire.started(entry, asked, "w", 0);
    state = RunState.started(entry, 0);
    writer = SnapshotWriter.begun(record, 0, WireCodec.encode(record), every);
  }

  /** Appends an entry that is read back; its value is made larger. */
  private void refuse(int bytes) {
    long serial = state.position().serial();
    ControlEntry entry =
        new ControlEntry(
            "r.1",
            0,
            serial + 1,
            serial,
            "no",
            new ControlEntry.Refused(RunPhase.RUNNING, "c" + serial));
    ControlRecord record = ControlWire.write(entry, "w", 0);
    state.apply(entry, serial + 1);
    byte[] value = WireCodec.encode(record);
    writer.accept(record, serial + 1, Arrays.copyOf(value, value.length + bytes));
  }

  private void takeSnapshot() {
    ControlRecord snapshot = writer.next(state, "w", 0).orElseThrow();
    long offset = snapshot.getSerial();
    state.apply(ControlWire.read(snapshot, WireCodec.encode(snapshot)), offset);
    writer.accept(snapshot, offset, WireCodec.encode(snapshot));
  }

  @Test
  void isDueAfterSoManyEntries() {
    start(2, 256);
    for (int entries = 1; entries < 256; entries++) {
      assertThat(writer.isDue()).isFalse();
      refuse(0);
    }
    assertThat(writer.isDue()).isTrue();
    takeSnapshot();
    assertThat(writer.isDue()).isFalse();
  }

  @Test
  void isDueAfterSoManyBytes() {
    start(2, 256);
    refuse(1_000_000);
    assertThat(writer.isDue()).isFalse();
    refuse(100_000);
    assertThat(writer.isDue()).isTrue();
    takeSnapshot();
    refuse(1_000_000);
    assertThat(writer.isDue()).isFalse();
  }

  @Test
  void aLogThatHasNoRoomForASnapshotGoesOnWithout() {
    start(16_000, 8);
    for (int i = 0; i < 7; i++) {
      refuse(0);
    }
    assertThat(writer.isDue()).isTrue();
    assertThat(writer.next(state, "w", 0)).isEmpty();
    assertThat(writer.isDue()).isFalse();
    for (int i = 0; i < 8; i++) {
      assertThat(writer.isDue()).isFalse();
      refuse(0);
    }
    assertThat(writer.isDue()).isTrue();
  }

  @Test
  void aSnapshotFitsARecord() {
    start(4_096, 8);
    assertThat(WireCodec.encode(writer.next(state, "w", 0).orElseThrow()).length)
        .isLessThan(Limits.RECORD_BYTES);
  }
}
