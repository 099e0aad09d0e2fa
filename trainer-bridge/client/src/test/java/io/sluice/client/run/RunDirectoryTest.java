package io.sluice.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.client.stream.TestingConsumer;
import io.sluice.client.stream.TestingLog;
import io.sluice.client.stream.TestingStream;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.RunSpec;
import io.sluice.schema.TopicHeads;
import io.sluice.schema.TopicReader;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.time.Duration;
import java.util.Set;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

final class RunDirectoryTest {
  private static final KafkaAccess ACCESS = KafkaAccess.local("localhost:9092");
  private static final Topics TOPICS = ACCESS.topics();

  private final RunInfo old = new TestingStream(1, 4).run();
  private final TestingConsumer<byte[]> kafka = TestingConsumer.of(100);
  private final RunDirectory directory =
      new RunDirectory(
          new OwnLogs(new TopicHeads(ACCESS, kafka), TOPICS, Duration.ZERO),
          TOPICS,
          () -> new TopicReader(ACCESS, kafka.again()),
          Duration.ZERO);

  private RunInfo run(String runId, int seed) {
    String name = runId.substring(0, runId.indexOf('.'));
    return new RunInfo(runId, RunSpec.newBuilder(old.spec()).setRun(name).setSeed(seed).build());
  }

  private RunInfo started(String runId, int seed, long time) {
    RunInfo run = run(runId, seed);
    kafka.create(TOPICS.control(runId), 1);
    append(TOPICS.control(runId), time, TestingLog.started(run));
    return run;
  }

  private void append(String topic, long time, ControlRecord entry) {
    append(topic, time, WireCodec.encode(entry));
  }

  private void append(String topic, long time, byte[] value) {
    kafka.append(topic, 0, time, value, new RecordHeaders());
  }

  @Test
  void findsTheRunOfANameWhoseOwnLogStartedLast() {
    started("r.c", 1, 100);
    RunInfo newest = started("r.a", 2, 300);
    started("r.b", 3, 200);
    started("r2.z", 4, 900);
    assertThat(directory.latest("r")).contains(newest);
    assertThat(directory.latest("s")).isEmpty();
    assertThat(directory.runs())
        .extracting(RunInfo::runId)
        .containsExactly("r.c", "r.b", "r.a", "r2.z");
  }

  @Test
  void takesTheLargerIdOfTwoThatStartedAtOnce() {
    RunInfo larger = started("r.b", 1, 100);
    started("r.a", 2, 100);
    assertThat(directory.latest("r")).contains(larger);
  }

  @Test
  void passesOverALogWithoutAStartAndWhatIsNoneOfItsRun() {
    RunInfo first = started("r.a", 1, 100);
    kafka.create(TOPICS.control("r.asked"), 1);
    kafka.create(TOPICS.control("r.refused"), 1);
    append(TOPICS.control("r.refused"), 200, new byte[] {1, 2, 3});
    append(TOPICS.control("r.refused"), 201, TestingLog.started(run("r.a", 9)));
    append(TOPICS.control("r.refused"), 202, TestingLog.grant("r.refused", 1, 0, 0, 9));
    ControlRecord elsewhere = TestingLog.started(run("r.refused", 9));
    elsewhere.setTimeline(1);
    append(TOPICS.control("r.refused"), 203, elsewhere);
    assertThat(directory.latest("r")).contains(first);
    assertThat(directory.runs()).containsExactly(first);
    append(TOPICS.control("r.asked"), 300, new byte[] {1, 2, 3});
    append(TOPICS.control("r.asked"), 301, TestingLog.started(run("r.asked", 2)));
    assertThat(directory.latest("r")).contains(run("r.asked", 2));
  }

  @Test
  void readsOnlyTheFirstRecordsOfTheLogsOfOthers() {
    TestingConsumer<byte[]> one = kafka.again();
    for (int i = 0; i < 50; i++) {
      started("other.n" + i, i, i);
    }
    RunInfo run = started("r.a", 1, 100);
    try (OwnLogs logs = new OwnLogs(new TopicHeads(ACCESS, one), TOPICS, Duration.ZERO)) {
      assertThat(logs.started(OwnLogs.named("r", logs.runIds()))).containsExactly(run);
    }
    assertThat(one.polled()).isOne();
    assertThat(one.wasClosed()).isTrue();
  }

  @Test
  void givesTheSpecificationThatTheRunGoesOnWith() {
    RunInfo run = started("r.a", 1, 100);
    String topic = TOPICS.control("r.a");
    append(topic, 101, TestingLog.grant("r.a", 1, 0, 0, 5));
    RunInfo longer = new RunInfo("r.a", RunSpec.newBuilder(run.spec()).setBatches(77).build());
    append(topic, 102, TestingLog.revised(longer, 0, 2, 1, 5, 40, 2));
    assertThat(directory.latest("r")).contains(longer);
  }

  @Test
  void readsTheLogThatAllSharedWhereNoRunOfTheNameHasItsOwn() {
    kafka.create(TOPICS.control(), 1);
    append(TOPICS.control(), 100, TestingLog.started(old));
    assertThat(directory.latest("r")).contains(old);
    RunInfo other = started("s.a", 1, 50);
    kafka.create(TOPICS.control("r.asked"), 1);
    assertThat(directory.latest("r")).contains(old);
    assertThat(directory.runs()).containsExactly(old, other);
    RunInfo own = started("r.b", 2, 60);
    assertThat(directory.latest("r")).contains(own);
    kafka.delete(TOPICS.control("r.b"));
    assertThat(directory.latest("r")).contains(old);
  }

  @Test
  void believesNothingOfARunElsewhereThanInItsOwnLog() {
    kafka.create(TOPICS.control(), 1);
    kafka.create(TOPICS.control("r.a"), 1);
    append(TOPICS.control(), 100, TestingLog.started(run("r.a", 1)));
    assertThat(directory.latest("r")).isEmpty();
    assertThat(directory.runs()).isEmpty();
  }

  @Test
  void theSharedLogKnowsTheFirstStartOfEachRunAndTheLastRunOfEachName() {
    SharedLog log = new SharedLog();
    RunSpec changed = RunSpec.newBuilder(old.spec()).setSeed(99).build();
    RunInfo again = new RunInfo("r-2", changed);
    log.apply(0, 0, TestingLog.started(old));
    log.apply(0, 1, TestingLog.started(new RunInfo("r-1", changed)));
    log.apply(0, 2, TestingLog.grant("r-1", 1, 0, 0, 5));
    assertThat(log.latest("r", Set.of())).contains(old);
    log.apply(0, 3, TestingLog.started(again));
    assertThat(log.latest("r", Set.of())).contains(again);
    assertThat(log.latest("r", Set.of("r-2"))).contains(old);
    assertThat(log.latest("s", Set.of())).isEmpty();
    assertThat(log.runs(Set.of())).containsExactly(old, again);
  }

  @Test
  void aStartThatDoesNotApplyHidesNoOtherRun() {
    SharedLog log = new SharedLog();
    ControlRecord broken = TestingLog.started(new RunInfo("r-2", old.spec()));
    broken.setTimeline(1);
    log.apply(0, 0, TestingLog.started(old));
    log.apply(0, 1, broken);
    assertThat(log.latest("r", Set.of())).contains(old);
  }

  @Test
  void followsTheRunsOwnLogUntilItIsGone() {
    kafka.create(TOPICS.control(), 1);
    append(TOPICS.control(), 100, TestingLog.started(run("r.a", 1)));
    append(TOPICS.control(), 101, TestingLog.grant("r.a", 1, 0, 0, 99));
    RunInfo run = started("r.a", 1, 100);
    append(TOPICS.control("r.a"), 101, TestingLog.grant("r.a", 1, 0, 0, 5));
    try (ControlFollower control =
        new ControlFollower(run, TOPICS, () -> new TopicReader(ACCESS, kafka))) {
      control.refresh();
      assertThat(control.run().granted()).isEqualTo(5);
      kafka.delete(TOPICS.control("r.a"));
      control.refresh();
      assertThat(control.run().hasEndedBefore(1)).isTrue();
      assertThat(control.run().describe(6))
          .startsWith("run r.a is deleted (its control log is gone)");
    }
  }

  @Test
  void aLogThatWasNotThereIsLookedForAgain() {
    RunInfo run = run("r.a", 1);
    try (ControlFollower control =
        new ControlFollower(run, TOPICS, () -> new TopicReader(ACCESS, kafka.again()))) {
      control.refresh();
      assertThat(control.run().state()).isEqualTo("not started");
      started("r.a", 1, 100);
      control.refresh();
      assertThat(control.run().state()).isEqualTo("running");
    }
  }

  @Test
  void aSharedLogThatDoesNotAnswerIsNotARunsEnd() {
    kafka.create(TOPICS.control(), 1);
    append(TOPICS.control(), 100, TestingLog.started(old));
    try (ControlFollower control =
        new ControlFollower(old, TOPICS, () -> new TopicReader(ACCESS, kafka))) {
      control.refresh();
      kafka.delete(TOPICS.control());
      assertThatThrownBy(control::refresh).isInstanceOf(KafkaUnreachableException.class);
      assertThat(control.run().state()).isEqualTo("running");
    }
  }
}
