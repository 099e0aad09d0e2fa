package io.sluice.control.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.InvariantViolatedException;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.log.Snapshot;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.WireCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunLogsTest {
  private final TestingLogs written = new TestingLogs();
  private final RunLogs logs = written.runLogs();

  @Test
  void theNewestStartOfANameCounts() {
    written.startOwn("r.b");
    written.startOwn("r.a");
    written.startOwn("rr.c");
    written.create("sluice.control.r.0");
    assertThat(logs.newest("r").map(RunStart::runId)).hasValue("r.a");
    assertThat(logs.starts()).extracting(RunStart::runId).containsExactly("r.b", "r.a", "rr.c");
  }

  @Test
  void theSharedLogIsReadWhereNoRunOfTheNameHasOneOfItsOwn() {
    written.startShared("old.1");
    written.startShared("r.1");
    written.startShared("old.2");
    written.startOwn("r.2");
    assertThat(logs.newest("old").map(RunStart::runId)).hasValue("old.2");
    written.takeRead();
    assertThat(logs.newest("r").map(RunStart::runId)).hasValue("r.2");
    assertThat(written.takeRead()).containsExactly(Map.entry("sluice.control.r.2", 1));
    assertThat(logs.byId("r.1").map(RunStart::topic)).hasValue("sluice.control");
    assertThat(logs.byId("r.2").map(RunStart::topic)).hasValue("sluice.control.r.2");
    assertThat(logs.byId("r.3")).isEmpty();
    assertThat(logs.starts())
        .extracting(RunStart::runId)
        .containsExactly("old.1", "r.1", "old.2", "r.2");
  }

  @Test
  void aLogOfItsOwnHidesWhatTheSharedOneSaysOfTheRun() {
    written.startShared("r.1");
    written.create("sluice.control.r.1");
    assertThat(logs.byId("r.1")).isEmpty();
    assertThat(logs.newest("r")).isEmpty();
    assertThat(logs.starts()).isEmpty();
  }

  @Test
  void aRunBeginsWithItsFirstStartWhateverLiesBeforeIt() {
    written.append("sluice.control.r.1", new byte[] {1, 2, 3});
    written.startOwn("r.1");
    written.startOwn("r.1");
    assertThat(logs.byId("r.1").map(RunStart::offset)).hasValue(1L);
    assertThat(written.takeRead()).containsExactly(Map.entry("sluice.control.r.1", 2));
  }

  @Test
  void entriesOfOtherRunsInTheSameLogArePassedOver() {
    written.startShared("a.1");
    written.startShared("b.1");
    written.grant("a.1");
    written.grant("b.1");
    written.grant("a.1");
    written.change("b.1", RunPhase.STOPPED, "stop");
    List<ControlEntry> accepted = new ArrayList<>();
    RunFold fold = logs.fold(logs.require("a"), accepted::add);
    assertThat(fold.state().position().granted()).isEqualTo(2);
    assertThat(fold.state().phase()).isEqualTo(RunPhase.RUNNING);
    assertThat(accepted).extracting(ControlEntry::runId).containsExactly("a.1", "a.1", "a.1");
  }

  @Test
  void anUnknownNameNamesThoseThereAre() {
    written.startShared("old.1");
    written.startOwn("new.1");
    written.create("sluice.control.refused.1");
    assertThatThrownBy(() -> logs.require("other"))
        .isInstanceOf(BadInputException.class)
        .hasMessage("run must be one of [new, old]: 'other'");
  }

  @Test
  void aLongLogIsFoldedFromItsNewestSnapshot() {
    written.startOwn("r.1");
    List<Integer> reads = new ArrayList<>();
    for (int entry = 1; entry <= 10_000; entry++) {
      written.grant("r.1");
      if (entry > 9_000 && entry % 83 == 0) {
        written.takeRead();
        RunFold fold = logs.fold(logs.byId("r.1").orElseThrow());
        assertThat(fold.state().position().granted()).isEqualTo(entry);
        reads.add(written.takeRead().get("sluice.control.r.1"));
      }
    }
    assertThat(reads).allSatisfy(read -> assertThat(read).isLessThan(700));
    RunStart start = logs.byId("r.1").orElseThrow();
    List<ControlEntry> all = new ArrayList<>();
    RunFold whole = logs.fold(start, all::add);
    assertThat(all).hasSizeGreaterThan(10_000);
    RunFold late = logs.fold(start);
    assertThat(late.state().snapshot().ordinals()).isEqualTo(whole.state().snapshot().ordinals());
    assertThat(late.state().position()).isEqualTo(whole.state().position());
    assertThat(late.spec()).isEqualTo(whole.spec());
    assertThat(late.name()).isEqualTo("r");
    assertThat(late.origin()).isEmpty();
  }

  @Test
  void anOldBatchIsSoughtFromTheSnapshotBeforeIt() {
    written.startOwn("r.1");
    for (int entry = 1; entry <= 4_000; entry++) {
      written.grant("r.1");
    }
    RunStart start = logs.byId("r.1").orElseThrow();
    RunPast whole = RunPast.read(logs, start, 0, 4_000);
    for (int batch : List.of(7, 300, 1_999, 3_999, 4_000)) {
      written.takeRead();
      RunPast past = RunPast.read(logs, start, batch, batch);
      assertThat(written.takeRead().get("sluice.control.r.1"))
          .isLessThan(4_000 - batch + 3 * 256 + 300);
      Snapshot found = past.batches().asOf(batch).snapshot();
      assertThat(found.ordinals()).isEqualTo(whole.batches().asOf(batch).snapshot().ordinals());
      assertThat(found.planError()).isEqualTo(whole.batches().asOf(batch).snapshot().planError());
      assertThat(past.fold().state().position()).isEqualTo(whole.fold().state().position());
    }
  }

  @Test
  void aSnapshotThatSaysSomethingElseBreaksTheFold() {
    written.startOwn("r.1");
    written.startOwn("s.1");
    for (int entry = 1; entry <= 300; entry++) {
      written.grant("r.1");
    }
    byte[] snapshot = written.value("sluice.control.r.1", 256);
    ControlRecord said = WireCodec.decode(ControlRecord.class, snapshot);
    for (int entry = 1; entry <= 255; entry++) {
      written.grant("s.1");
    }
    LogSnapshot forged = LogSnapshot.newBuilder((LogSnapshot) said.getBody()).setRounds(3).build();
    ControlRecord wrong = ControlRecord.newBuilder(said).setRunId("s.1").setBody(forged).build();
    written.append("sluice.control.s.1", WireCodec.encode(wrong));
    assertThatThrownBy(() -> logs.fold(logs.byId("s.1").orElseThrow(), entry -> {}))
        .isInstanceOf(InvariantViolatedException.class)
        .hasMessageContaining("snapshot at serial 256");
    assertThat(logs.fold(logs.byId("r.1").orElseThrow()).state().position().granted())
        .isEqualTo(300);
  }
}
