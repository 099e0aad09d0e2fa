package io.sluice.mixture.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mixture.decide.Command;
import io.sluice.mixture.decide.GrantPlanner;
import io.sluice.mixture.decide.Outcome;
import io.sluice.mixture.decide.TestingRun;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.PhaseChange;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunStateTest {
  @Test
  void ignoresEverythingButTheNextEntryOfItsRun() {
    TestingRun run = new TestingRun(TestingRun.velocitune().build());
    ControlEntry next = ((Outcome.Propose) run.next()).entry();
    byte[] before = RunStateCodec.encode(run.state);
    LogPosition at = run.state.position();
    assertThat(run.state.apply(with(next, "other", at.serial() + 1, at.offset()), 99)).isFalse();
    assertThat(run.state.apply(with(next, at.runId(), at.serial(), at.offset()), 99)).isFalse();
    assertThat(run.state.apply(with(next, at.runId(), at.serial() + 2, at.offset()), 99)).isFalse();
    assertThat(run.state.apply(with(next, at.runId(), at.serial() + 1, at.offset() - 1), 99))
        .isFalse();
    assertThat(RunStateCodec.encode(run.state)).isEqualTo(before);
    assertThat(run.state.apply(next, 99)).isTrue();
    assertThat(run.state.apply(next, 100)).isFalse();
  }

  @Test
  void knowsTheNextEntryByItsNamesAlone() {
    LogPosition at = new LogPosition("r-1", 0, 4, 77, 20);
    assertThat(at.isNext(link("r-1", 5, 77, null))).isTrue();
    assertThat(at.isNext(link("other", 5, 77, null))).isFalse();
    assertThat(at.isNext(link("r-1", 4, 77, null))).isFalse();
    assertThat(at.isNext(link("r-1", 6, 77, null))).isFalse();
    assertThat(at.isNext(link("r-1", 5, 76, null))).isFalse();
    assertThat(LogPosition.start("r-1").isNext(link("r-1", 0, -1, null))).isTrue();
  }

  @Test
  void anEntryIsNextOnlyAfterTheContentThatItNames() {
    LogPosition first = LogPosition.start("r-1");
    assertThat(first.isNext(link("r-1", 0, -1, EntryDigests.NOTHING))).isTrue();
    assertThat(first.isNext(link("r-1", 0, -1, 7L))).isFalse();
    LogPosition at = new LogPosition("r-1", 0, 4, 77, 20, 99L);
    assertThat(at.isNext(link("r-1", 5, 77, 99L))).isTrue();
    assertThat(at.isNext(link("r-1", 5, 77, 98L))).isFalse();
    assertThat(at.isNext(link("r-1", 5, 77, null))).isFalse();
    assertThat(new LogPosition("r-1", 0, 4, 77, 20).isNext(link("r-1", 5, 77, 99L))).isFalse();
  }

  @Test
  void oneOffsetWithTwoContentsShowsThatTheLogHasLostSomething() {
    LogPosition at = new LogPosition("r-1", 0, 4, 77, 20, 99L);
    assertThat(at.loss(link("r-1", 5, 77, 98L), 80))
        .contains(
            "the control log has lost its tail: entry 4, which grants to batch 20, was read at"
                + " offset 77, and entry 5 is based on another one there, or forged");
    assertThat(at.loss(link("r-1", 6, 77, 99L), 80)).isPresent();
    assertThat(at.loss(own(4, 70, 55), 77).orElseThrow()).endsWith("where another entry is now");
    assertThat(at.loss(own(4, 70, 99), 77)).isEmpty();
    assertThat(at.loss(link("r-1", 5, 77, 99L), 80)).isEmpty();
    assertThat(at.loss(link("r-1", 5, 76, 98L), 80)).isEmpty();
    assertThat(at.loss(link("r-2", 5, 77, 98L), 80)).isEmpty();
    assertThat(new LogPosition("r-1", 0, 4, 77, 20).loss(link("r-1", 6, 77, null), 80)).isEmpty();
  }

  @Test
  void anEntryThatIsNotNextRaisesDoubtOnceAtEachPosition() {
    LogDoubts doubts = new LogDoubts();
    LogPosition at = new LogPosition("r-1", 0, 4, 77, 20, 99L);
    assertThat(doubts.raises(at, own(3, 70, 1), 80)).isTrue();
    assertThat(doubts.raises(at, own(3, 70, 1), 80)).isFalse();
    assertThat(doubts.raises(at, own(6, 70, 2), 81)).isTrue();
    assertThat(doubts.raises(at, own(4, 70, 99), 77)).isFalse();
    assertThat(doubts.raises(at, own(4, 70, 98), 77)).isTrue();
    assertThat(doubts.raises(at, new EntryLink("r-1", 5, 77, new EntryDigests(99L, 3)), 82))
        .isFalse();
    assertThat(doubts.raises(at, link("r-2", 6, 78, 98L), 80)).isFalse();
    LogPosition later = new LogPosition("r-1", 0, 5, 82, 20, 3L);
    assertThat(doubts.raises(later, own(3, 70, 1), 83)).isTrue();
    assertThat(doubts.raises(new LogPosition("r-1", 0, 4, 77, 20), own(6, 78, 5), 80)).isFalse();
  }

  private static EntryLink link(String runId, long serial, long basedOn, @Nullable Long base) {
    return new EntryLink(runId, serial, basedOn, new EntryDigests(base, 0));
  }

  private static EntryLink own(long serial, long basedOn, long digest) {
    return new EntryLink("r-1", serial, basedOn, new EntryDigests(1L, digest));
  }

  @Test
  void failsLoudlyOnAnAcceptedEntryThatDoesNotContinue() {
    TestingRun run = new TestingRun(TestingRun.velocitune().build());
    run.settle();
    LogPosition at = run.state.position();
    Grant hole =
        new Grant(
            at.granted() + 1,
            at.granted() + 2,
            run.state.nextSequence(),
            1,
            new int[] {8},
            new int[] {4, 4},
            run.state.decided(),
            new long[0],
            Optional.empty());
    ControlEntry entry =
        new ControlEntry(at.runId(), 0, at.serial() + 1, at.offset(), "hole", hole);
    assertThatThrownBy(() -> run.state.apply(entry, 99))
        .isInstanceOf(BrokenLogException.class)
        .hasMessageContaining("does not continue after serial 1");
  }

  @Test
  void failsLoudlyOnCountsThatThePlanDoesNotGive() {
    TestingRun run = new TestingRun(TestingRun.velocitune().build());
    Grant grant = (Grant) ((Outcome.Propose) run.next()).entry().body();
    grant.counts()[0]++;
    grant.counts()[1]--;
    LogPosition at = run.state.position();
    ControlEntry entry = new ControlEntry(at.runId(), 0, 1, at.offset(), "wrong", grant);
    assertThatThrownBy(() -> run.state.apply(entry, 99)).hasMessageStartingWith("the plan gives");
  }

  @Test
  void restoresAsIfNeverStopped() {
    TestingRun run = new TestingRun(TestingRun.velocitune().build());
    run.commands.add(new Command.ChangePhase("c1", RunPhase.PAUSED, "p"));
    run.commands.add(new Command.ChangePhase("c2", RunPhase.RUNNING, "r"));
    run.report(0, 4, 4);
    for (long step = 10; step <= 40; step += 10) {
      run.report(step, 3, 4 - step / 20.0);
    }
    Outcome outcome = run.next();
    int decided = 0;
    while (outcome instanceof Outcome.Propose propose) {
      RunState restored =
          RunStateCodec.decode(
              run.state.planVersion(), run.state.settings(), RunStateCodec.encode(run.state));
      assertThat(GrantPlanner.next(restored, run.policies, run.inputs()))
          .usingRecursiveComparison()
          .isEqualTo(propose);
      run.append(propose.entry());
      decided++;
      outcome = run.next();
    }
    assertThat(decided).isEqualTo(7);
  }

  @Test
  void foldsToTheSameStateWhoeverReadsTheLog() {
    TestingRun run = new TestingRun(TestingRun.velocitune().build());
    run.report(0, 4, 4);
    run.report(10, 3, 4);
    run.settle();
    RunState reader = RunState.started(run.log.get(0), 10);
    for (int i = 1; i < run.log.size(); i++) {
      assertThat(reader.apply(run.log.get(i), 10 + 3L * i)).isTrue();
    }
    assertThat(RunStateCodec.encode(reader)).isEqualTo(RunStateCodec.encode(run.state));
  }

  @Test
  void refusesALogThatDoesNotBeginWithTheStart() {
    PhaseChange body = new PhaseChange(RunPhase.PAUSED, "");
    assertThatThrownBy(
            () -> RunState.started(new ControlEntry(TestingRun.ID, 0, 0, -1, "", body), 1))
        .isInstanceOf(BrokenLogException.class);
  }

  private static ControlEntry with(ControlEntry entry, String runId, long serial, long basedOn) {
    return new ControlEntry(runId, 0, serial, basedOn, entry.why(), entry.body());
  }
}
