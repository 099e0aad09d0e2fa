package io.sluice.jobs.mix.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.controller.TestingRuns;
import io.sluice.jobs.mix.mark.TestingMarks;
import io.sluice.mixture.log.RunPhase;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.ChainHash;
import io.sluice.schema.ChangeRunState;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.EntryDigest;
import io.sluice.schema.LogBeginning;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.ReviseRun;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunSnapshot;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStateChanged;
import io.sluice.schema.TimelineOpening;
import io.sluice.schema.Topics;
import io.sluice.schema.WholeStream;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who rests. */
class RestSearchTest {
  private static final Topics TOPICS = Topics.standard();
  private static final String RUN = "a.1";
  private static final TopicPartition LOG = new TopicPartition(TOPICS.control(RUN), 0);
  private static final TopicPartition FEEDBACK = new TopicPartition(TOPICS.feedback("a"), 0);
  private static final RunSpec SPEC = TestingRuns.spec().build();

  private final TestingRestBrokers brokers = new TestingRestBrokers();
  private final TestingMarks marks = new TestingMarks();
  private final RestSearch search = new RestSearch(brokers, marks, TOPICS);

  /** The run is completed, its log ends with a snapshot, and what trainers said was read. */
  @BeforeEach
  void completed() {
    brokers.ends.put(LOG, 41L);
    brokers.ends.put(FEEDBACK, 9L);
    brokers.kept.put(FEEDBACK, 9L);
    lastEntry(RUN, snapshot(RunPhase.COMPLETED));
    mark();
  }

  private void lastEntry(String runId, Object body) {
    entry(40, new ControlRecord(runId, 0, 12L, 39L, "w", 7L, "", body, null));
  }

  private void entry(long offset, ControlRecord record) {
    brokers
        .records
        .computeIfAbsent(LOG, log -> new TreeMap<>())
        .put(offset, WireCodec.encode(record));
    brokers.ends.put(LOG, offset + 1);
  }

  /** Behind the snapshot, which readers of the log begin with. */
  private void answer(long offset, long serial, String commandId) {
    Object body = new RunStateChanged(RunPhase.COMPLETED.wireName(), commandId, true);
    entry(offset, new ControlRecord(RUN, 0, serial, offset - 1, "w", 7L, "", body, null));
    byte[] snapshot = bytes();
    brokers.newest.put(
        RUN,
        new LogBeginning(
            40,
            Optional.of(WireCodec.decode(ControlRecord.class, snapshot)),
            EntryDigest.of(snapshot)));
  }

  private byte[] bytes() {
    return brokers.records.get(LOG).get(40L);
  }

  private void mark() {
    long digest = ChainHash.fnv(ChainHash.FNV_OFFSET, bytes());
    marks.write(
        List.of(new WholeStream(RUN, "a", 1, "log", 40L, digest, "stream", List.of(100L))),
        List.of());
  }

  private static LogSnapshot snapshot(RunPhase phase) {
    return LogSnapshot.newBuilder()
        .setDigest(1)
        .setPlanVersion(2)
        .setStreamTopicId("stream")
        .setSpec(SPEC)
        .setState(phase.wireName())
        .setWhy("")
        .setSnapshot(
            RunSnapshot.newBuilder()
                .setBatch(10)
                .setNextSequence(20)
                .setWeightsVersion(1)
                .setRound(0)
                .setBaseRound(0)
                .setWeights(SPEC.getInitialWeights())
                .setPinned(false)
                .setDrainTo(0)
                .setPolicyState(ByteBuffer.allocate(0))
                .setPlanError(List.of(0L, 0L))
                .setOrdinals(List.of(10L, 10L))
                .setMasked(List.of())
                .build())
        .setHeardTo(0)
        .setRounds(0)
        .setOpenings(List.of(new TimelineOpening(0, 0L, 0L)))
        .setRevisions(List.of())
        .setGoverning(List.of())
        .setOrigin(null)
        .setAnswered(List.of("paused", "resumed"))
        .setEarlier(List.of())
        .build();
  }

  private void ask(String commandId, Object body) {
    brokers.commands.add(new RunCommand(commandId, RUN, 7L, body));
  }

  private Set<String> found() {
    return search.find().keySet();
  }

  @Test
  void aRunThatHasEndedAndAnsweredAllRestsForOneRecordOfItsLog() {
    ask("applied", new ApplyRun(SPEC, "stream", null, true, true));
    ask("paused", new ChangeRunState("paused", "why"));
    ask("resumed", new ChangeRunState("running", "why"));
    assertThat(search.find())
        .containsExactly(
            Map.entry(RUN, new RestingRun(RUN, "a", 41, 9, Set.of("paused", "resumed"))));
    assertThat(brokers.read).containsExactly(LOG);
  }

  @Test
  void whoeverIsNotMarkedCostsNothing() {
    marks.write(List.of(), List.of(RUN));
    assertThat(found()).isEmpty();
    assertThat(brokers.asked).isZero();
    assertThat(brokers.read).isEmpty();
  }

  @Test
  void aRunWhoseLogHasLostItsEndDoesNotRest() {
    brokers.ends.put(LOG, 40L);
    assertThat(found()).isEmpty();
    assertThat(brokers.read).isEmpty();
  }

  @Test
  void aRunRestsThoughAnEntryWasWrittenIntoItsLogInVain() {
    ask("paused", new ChangeRunState("paused", "why"));
    answer(41, 0, "in vain");
    answer(42, 5, "in vain");
    assertThat(search.find())
        .containsExactly(Map.entry(RUN, new RestingRun(RUN, "a", 43, 9, Set.of("paused"))));
    assertThat(brokers.read).containsExactly(LOG, LOG, LOG, LOG);
  }

  @Test
  void aRunRestsThatHasAnsweredSeveralCommandsAfterItsEnd() {
    ask("late", new ReviseRun(SPEC, null, "why", -1L, List.of()));
    ask("later", new ReviseRun(SPEC, null, "why", -1L, List.of()));
    assertThat(found()).isEmpty();
    answer(41, 13, "late");
    assertThat(found()).isEmpty();
    answer(42, 14, "later");
    assertThat(search.find().get(RUN))
        .isEqualTo(new RestingRun(RUN, "a", 43, 9, Set.of("late", "later")));
  }

  @Test
  void aLogThatCannotBeFoldedIsReadByItsController() {
    answer(41, 0, "in vain");
    brokers.newest.put(RUN, new LogBeginning(41, Optional.empty(), 0));
    assertThat(found()).isEmpty();
    brokers.newest.clear();
    assertThat(found()).isEmpty();
  }

  @Test
  void whatARunThatHasEndedCannotComeToIsSettledOnceAJobHasHeardIt() {
    ask("stop", new ChangeRunState("stopped", "why"));
    assertThat(found()).isEmpty();
    brokers.kept.put(new TopicPartition(TOPICS.runs(), 0), 1L);
    assertThat(search.find().get(RUN).settled()).containsExactly("stop");
    ask("end", new ChangeRunState("failed", "why"));
    brokers.kept.put(new TopicPartition(TOPICS.runs(), 0), 2L);
    assertThat(found()).isEmpty();
  }

  @Test
  void withACommandTheLogHasAnsweredThoseBeforeIt() {
    ask("forgotten", new ReviseRun(SPEC, null, "why", -1L, List.of()));
    ask("resumed", new ChangeRunState("running", "why"));
    assertThat(found()).containsExactly(RUN);
    ask("new", new ReviseRun(SPEC, null, "why", -1L, List.of()));
    assertThat(found()).isEmpty();
  }

  @Test
  void ofARunThatWasChangedManyTimesTooMuchWouldBeKept() {
    for (int i = 0; i < 64; i++) {
      ask("forgotten-" + i, new ReviseRun(SPEC, null, "why", -1L, List.of()));
    }
    ask("resumed", new ChangeRunState("running", "why"));
    assertThat(found()).isEmpty();
    brokers.commands.remove(0);
    assertThat(found()).containsExactly(RUN);
  }

  @Test
  void aRunWhoseLogHasAnotherEntryThereDoesNotRest() {
    lastEntry(RUN, snapshot(RunPhase.FAILED));
    assertThat(found()).isEmpty();
  }

  @Test
  void aRunThatGoesOnDoesNotRestWhateverItsMarkSays() {
    lastEntry(RUN, snapshot(RunPhase.PAUSED));
    mark();
    assertThat(found()).isEmpty();
  }

  @Test
  void aShortLogEndsWithTheEntryThatEndedTheRun() {
    lastEntry(RUN, new RunStateChanged(RunPhase.STOPPED.wireName(), "stop", false));
    mark();
    ask("pause", new ChangeRunState("paused", "why"));
    ask("stop", new ChangeRunState("stopped", "why"));
    assertThat(search.find().get(RUN))
        .isEqualTo(new RestingRun(RUN, "a", 41, 9, Set.of("pause", "stop")));
    ask("delete", new ChangeRunState("deleted", "why"));
    assertThat(found()).isEmpty();
  }

  @Test
  void anEntryThatDoesNotEndTheRunSaysNothing() {
    lastEntry(RUN, new RunStateChanged(RunPhase.PAUSED.wireName(), "pause", false));
    mark();
    assertThat(found()).isEmpty();
    lastEntry(RUN, new RunRevised("c", SPEC, snapshot(RunPhase.COMPLETED).getSnapshot(), 10L));
    mark();
    assertThat(found()).isEmpty();
  }

  @Test
  void anEntryOfAnotherRunIsNoSnapshotOfThisOne() {
    lastEntry("a.2", snapshot(RunPhase.COMPLETED));
    mark();
    assertThat(found()).isEmpty();
  }

  @Test
  void whatTrainersHaveSaidAndNoJobHasKeptIsRead() {
    brokers.ends.put(FEEDBACK, 10L);
    assertThat(found()).isEmpty();
    brokers.kept.put(FEEDBACK, 10L);
    assertThat(found()).containsExactly(RUN);
    brokers.kept.clear();
    assertThat(found()).isEmpty();
    brokers.ends.put(FEEDBACK, 0L);
    assertThat(found()).containsExactly(RUN);
  }

  @Test
  void aRunOfWhichSomethingIsAskedThatItsLogHasNotAnsweredDoesNotRest() {
    ask("paused", new ChangeRunState("paused", "why"));
    ask("deleted", new ChangeRunState("deleted", "why"));
    assertThat(found()).isEmpty();
  }

  @Test
  void aRunWithoutTopicsOrWithSuchAsDoNotAnswerDoesNotRest() {
    brokers.ends.remove(FEEDBACK);
    assertThat(found()).isEmpty();
    brokers.ends.put(FEEDBACK, -1L);
    assertThat(found()).isEmpty();
    brokers.ends.put(FEEDBACK, 9L);
    brokers.ends.remove(LOG);
    assertThat(found()).isEmpty();
  }

  @Test
  void whatWasReadOfFeedbackIsKeptAnew() {
    List<RestingRun> resting = List.copyOf(search.find().values());
    brokers.kept.clear();
    search.keep(resting);
    assertThat(brokers.kept).containsExactly(Map.entry(FEEDBACK, 9L));
    assertThat(found()).containsExactly(RUN);
    brokers.kept.clear();
    search.keep(List.of(new RestingRun(RUN, "a", 41, 0, Set.of())));
    assertThat(brokers.kept).isEmpty();
  }

  @Test
  void whatComesOfARunAtRestIsNoticed() {
    List<RestingRun> resting = List.copyOf(search.find().values());
    assertThat(search.moved(resting)).isEmpty();
    brokers.ends.put(FEEDBACK, 10L);
    assertThat(search.moved(resting)).containsExactly(RUN);
    brokers.ends.put(FEEDBACK, 9L);
    brokers.ends.put(LOG, 42L);
    assertThat(search.moved(resting)).containsExactly(RUN);
    brokers.ends.put(LOG, -1L);
    assertThat(search.moved(resting)).containsExactly(RUN);
    brokers.ends.clear();
    assertThat(search.moved(resting)).isEmpty();
  }
}
