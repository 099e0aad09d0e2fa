package io.sluice.control.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunStatuses;
import io.sluice.control.history.TestingLogs;
import io.sluice.mixture.log.RunPhase;
import io.sluice.schema.RunStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RunCatalogTest {
  private final TestingLogs written = new TestingLogs();
  private final Map<String, RunStatus> statuses = new LinkedHashMap<>();
  private final Map<String, Map<Integer, String>> waits = new LinkedHashMap<>();
  private final RunCatalog catalog =
      new RunCatalog(written.runLogs(), new RunStatuses(statuses, waits, Map.of()));

  @Test
  void listsRunsThatShareALogThoseWithOneOfTheirOwnAndThoseThatWereRefused() {
    status("refused.1", "failed", 0, "policy must be known");
    written.create("sluice.control.refused.1");
    written.startShared("old.1");
    status("old.1", "completed", 40, "");
    written.startOwn("new.1");
    status("new.1", "running", 12, "feedback of step 10");
    assertThat(lines(catalog.entries()))
        .containsExactly(
            "old completed 40 ",
            "new running 12 feedback of step 10",
            "refused failed - policy must be known");
    assertThat(lines(List.of(catalog.require("old")))).containsExactly("old completed 40 ");
    assertThat(catalog.require("new").runId()).isEqualTo("new.1");
    assertThat(catalog.require("refused").start()).isEmpty();
    assertThatThrownBy(() -> catalog.require("none"))
        .isInstanceOf(BadInputException.class)
        .hasMessage("run must be one of [new, old, refused]: 'none'");
  }

  @Test
  void onlyTheFirstRecordOfEachLogIsReadForAList() {
    for (String runId : List.of("a.1", "b.1")) {
      written.startOwn(runId);
      for (int n = 0; n < 100; n++) {
        written.grant(runId);
      }
      status(runId, "running", 100, "");
    }
    assertThat(lines(catalog.entries())).containsExactly("a running 100 ", "b running 100 ");
    assertThat(written.takeRead())
        .isEqualTo(Map.of("sluice.control.a.1", 1, "sluice.control.b.1", 1));
    assertThat(catalog.require("b").runId()).isEqualTo("b.1");
    assertThat(written.takeRead()).isEqualTo(Map.of("sluice.control.b.1", 1));
  }

  @Test
  void nothingIsReadOfRunsThatEndedLongAgoUnlessTheyAreAskedFor() {
    for (String runId : List.of("a.1", "b.1", "c.1", "d.1")) {
      written.startOwn(runId);
    }
    status("a.1", "running", 3, "", 1);
    status("b.1", "completed", 3, "", 2);
    status("c.1", "failed", 3, "its topic is gone", 4);
    status("d.1", "deleted", 3, "", 3);
    status("gone.1", "deleted", 3, "", 0);
    assertThat(catalog.endedBefore(4)).isEmpty();
    assertThat(catalog.endedBefore(1)).isEqualTo(Set.of("b.1", "d.1", "gone.1"));
    assertThat(lines(catalog.entriesWithout(catalog.endedBefore(1))))
        .containsExactly("a running 3 ", "c failed 3 its topic is gone");
    assertThat(written.takeRead().keySet())
        .isEqualTo(Set.of("sluice.control.a.1", "sluice.control.c.1"));
  }

  @Test
  void whyGrantedBatchesAreNotEmittedIsWhatARunWaitsForUnlessTheControllerWaitsToo() {
    written.startOwn("a.1");
    status("a.1", "running", 8, "");
    waits.put("a.1", Map.of(0, "until others leave it memory for its blocks"));
    written.startOwn("b.1");
    status("b.1", "running", 8, "feedback of step 4");
    waits.put("b.1", Map.of(0, "for the broker to take what was sent"));
    assertThat(lines(catalog.entries()))
        .containsExactly(
            "a running 8 lane 0 until others leave it memory for its blocks",
            "b running 8 feedback of step 4");
  }

  @Test
  void theLogTellsWhereARunStandsThatHasNoStatus() {
    written.startOwn("new.1");
    written.grant("new.1");
    written.change("new.1", RunPhase.PAUSED, "pause");
    written.startShared("old.1");
    written.grant("old.1");
    assertThat(lines(catalog.entries())).containsExactly("new paused 1 ", "old running 1 ");
  }

  @Test
  void aDeletedRunIsListedAndNotFound() {
    written.startShared("r.1");
    status("r.1", "deleted", 8, "");
    status("r.2", "deleted", 16, "");
    assertThat(lines(catalog.entries())).containsExactly("r deleted 8 ", "r deleted - ");
    assertThat(catalog.find("r")).isEmpty();
    written.startOwn("r.3");
    status("r.3", "running", 4, "");
    assertThat(catalog.require("r").runId()).isEqualTo("r.3");
  }

  @Test
  void aRunThatWasRefusedIsFoundOnlyWhereNoneOfItsNameHasStarted() {
    status("r.9", "failed", 0, "refused");
    assertThat(catalog.require("r").waiting()).isEqualTo("refused");
    written.startShared("r.1");
    status("r.1", "running", 4, "");
    assertThat(catalog.require("r").runId()).isEqualTo("r.1");
    written.startOwn("r.2");
    status("r.2", "running", 4, "");
    assertThat(catalog.require("r").runId()).isEqualTo("r.2");
    status("r.2", "deleted", 4, "");
    assertThat(catalog.require("r").runId()).isEqualTo("r.1");
  }

  @Test
  void aLogThatContradictsItselfHidesNoOtherRun() {
    written.startOwn("broken.1");
    written.startOwn("sound.1");
    written.grant("sound.1");
    written.breakOff("broken.1");
    assertThat(lines(catalog.entries())).containsExactly("broken unknown - ", "sound running 1 ");
    status("broken.1", "failed", 0, "its log is broken");
    assertThat(catalog.require("broken").folded(written.runLogs()).waiting())
        .isEqualTo("its log is broken");
  }

  private static List<String> lines(List<RunCatalog.Entry> entries) {
    return entries.stream()
        .map(
            entry ->
                entry.name()
                    + " "
                    + entry.phase()
                    + " "
                    + entry.granted().map(Object::toString).orElse("-")
                    + " "
                    + entry.waiting())
        .toList();
  }

  private void status(String runId, String phase, long granted, String waiting) {
    status(runId, phase, granted, waiting, 0);
  }

  private void status(String runId, String phase, long granted, String waiting, long millis) {
    statuses.put(
        runId,
        RunStatus.newBuilder()
            .setRunId(runId)
            .setRun(runId.substring(0, runId.indexOf('.')))
            .setPhase(phase)
            .setTimeline(0)
            .setGranted(granted)
            .setProgress(0)
            .setWeightsVersion(1)
            .setWaiting(waiting)
            .setTimeMillis(millis)
            .build());
  }
}
