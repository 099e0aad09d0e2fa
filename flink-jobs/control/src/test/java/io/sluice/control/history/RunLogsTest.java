package io.sluice.control.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.RunPhase;
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
}
