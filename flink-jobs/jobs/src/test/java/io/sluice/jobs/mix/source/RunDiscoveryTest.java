package io.sluice.jobs.mix.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.wire.ControlWire;
import io.sluice.control.wire.RunSpecs;
import io.sluice.control.wire.Snapshots;
import io.sluice.jobs.mix.fetch.TestingTopics;
import io.sluice.jobs.mix.mark.TestingMarks;
import io.sluice.jobs.mix.split.EnumeratorState;
import io.sluice.jobs.mix.split.EnumeratorStateSerializer;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.split.Pace;
import io.sluice.jobs.mix.split.RunLayout;
import io.sluice.jobs.mix.split.SplitCursor;
import io.sluice.jobs.mix.tail.StreamTails;
import io.sluice.jobs.mix.tail.TestingTopicEnds;
import io.sluice.mixture.decide.GrantPlanner;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.PhaseChange;
import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.log.Snapshot;
import io.sluice.mixture.plan.MixturePlan;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.BatchSize;
import io.sluice.schema.ChainHash;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunOrigin;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStarted;
import io.sluice.schema.RunStatus;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

final class RunDiscoveryTest {
  private static final Topics NAMES = Topics.standard();
  private static final String CONTROL = NAMES.control();

  private final TestingTopics topics = new TestingTopics();
  private final TestingTopicEnds streams = new TestingTopicEnds(topics);
  private final TestingMarks marks = new TestingMarks();
  private final List<String> failed = new ArrayList<>();
  private long nanos;

  private RunDiscovery discovery(Map<Integer, Long> offsets) {
    return discovery(offsets, List.of());
  }

  private RunDiscovery discovery(Map<Integer, Long> offsets, List<String> known) {
    StreamTails tails =
        new StreamTails(
            () -> topics.control("tails"),
            streams,
            marks,
            KafkaAccess.local("nowhere"),
            1 << 20,
            () -> 0);
    return new RunDiscovery(
        () -> topics.control("test"),
        NAMES,
        new EnumeratorState(
            offsets,
            List.of(),
            Set.of(),
            known.stream().map(run -> MixSplit.id(run, 0)).collect(Collectors.toSet())),
        tails,
        (target, reason) -> failed.add(target.runId() + ": " + reason),
        () -> nanos);
  }

  private static RunSpec spec(String run) {
    return RunSpec.newBuilder()
        .setRun(run)
        .setDataset("data")
        .setFingerprint(9)
        .setTokenizer("bytes")
        .setVocabulary(260)
        .setSequenceLength(64)
        .setDomains(List.of("java", "prose"))
        .setStreamPartitions(4)
        .setBatchSizes(List.of(new BatchSize(1L, 8)))
        .setSeed(5)
        .setInitialWeights(ControlWire.boxed(Weights.uniform(2)))
        .setPolicy("static")
        .setUpdateEvery(0)
        .setEpochs(List.of(1, 1))
        .build();
  }

  private static ControlRecord started(String runId, RunSpec spec) {
    ControlEntry entry = GrantPlanner.start(runId, RunSpecs.settings(spec), "asked");
    return ControlWire.started(entry, new ApplyRun(spec, "id-1", null, false, false), "w", 0);
  }

  private void append(ControlRecord record) {
    topics.append(CONTROL, 0, WireCodec.encode(record));
  }

  /** Everything that the log holds now. */
  private static List<MixSplit> found(RunDiscovery discovery) {
    List<MixSplit> all = new ArrayList<>();
    for (int polls = 0; polls < 4; polls++) {
      all.addAll(discovery.next().splits());
    }
    return all;
  }

  @Test
  void findsRunsWithWhatTheirFirstEntryPins() {
    append(started("a.1", spec("a")));
    try (RunDiscovery discovery = discovery(Map.of())) {
      List<MixSplit> found = found(discovery);
      assertThat(found).hasSize(1);
      MixSplit split = found.get(0);
      assertThat(split.splitId()).isEqualTo("a.1/0");
      assertThat(split.layout())
          .isEqualTo(
              new RunLayout(
                  "a",
                  "id-1",
                  "data",
                  9,
                  List.of("java", "prose"),
                  4,
                  1,
                  5,
                  ChainHash.start(MixturePlan.VERSION, "a.1"),
                  Pace.FREE));
      assertThat(split.cursor().control()).isEqualTo(new LogPosition("a.1", 0, 0, 1, 0));
      assertThat(split.cursor().batch()).isEqualTo(1);

      append(started("b.1", spec("b")));
      assertThat(found(discovery)).extracting(MixSplit::runId).containsExactly("b.1");
    }
  }

  @Test
  void aForkBeginsWhereItsOriginWas() {
    ControlRecord fork = started("f.1", spec("f"));
    Snapshot from = TestingRun.snapshot(6, 48, new long[2], new long[] {30, 18});
    ((RunStarted) fork.getBody()).setOrigin(new RunOrigin("a.1", 2, Snapshots.write(from)));
    append(fork);
    try (RunDiscovery discovery = discovery(Map.of())) {
      SplitCursor cursor = found(discovery).get(0).cursor();
      assertThat(cursor.control()).isEqualTo(new LogPosition("f.1", 0, 0, 1, 6));
      assertThat(cursor.batch()).isEqualTo(7);
      assertThat(cursor.firstIndex()).isEqualTo(48);
      assertThat(cursor.ordinals()).containsExactly(30, 18);
    }
  }

  @Test
  void goesOnWhereACheckpointLeftIt() {
    append(started("a.1", spec("a")));
    append(started("b.1", spec("b")));
    try (RunDiscovery discovery = discovery(Map.of(0, 2L))) {
      assertThat(found(discovery)).extracting(MixSplit::runId).containsExactly("b.1");
      assertThat(discovery.next().offsets()).isEqualTo(Map.of(0, 4L));
    }
  }

  @Test
  void ignoresEverythingThatStartsNoRun() {
    ControlRecord odd = started("b.1", spec("b"));
    odd.setSerial(3);
    ControlRecord future = started("c.1", spec("c"));
    ((RunStarted) future.getBody()).setPlanVersion(99);
    ControlRecord late = started("d.1", spec("d"));
    ((RunStarted) late.getBody()).setStartOrdinals(List.of(5L, 0L));
    append(odd);
    append(future);
    append(late);
    append(
        ControlWire.write(
            new ControlEntry("a.1", 0, 1, 1, "", new PhaseChange(RunPhase.PAUSED, "")), "w", 0));
    topics.append(CONTROL, 0, new byte[] {1, 2, 3});
    append(started("e.1", spec("e")));
    try (RunDiscovery discovery = discovery(Map.of())) {
      assertThat(found(discovery)).extracting(MixSplit::runId).containsExactly("e.1");
    }
  }

  @Test
  void saysWhenItHasReadWhatTheLogHeldAtFirst() {
    for (int run = 0; run < 12; run++) {
      append(started("r" + run + ".1", spec("r" + run)));
    }
    try (RunDiscovery discovery = discovery(Map.of())) {
      RunDiscovery.Found found = discovery.next();
      int runs = found.splits().size();
      assertThat(found.all()).as("after %d of 12 runs", runs).isFalse();
      append(started("late.1", spec("late")));
      while (!found.all()) {
        found = discovery.next();
        runs += found.splits().size();
      }
      assertThat(runs).isGreaterThanOrEqualTo(12);
    }
  }

  @Test
  void waitsForTheTopic() {
    try (RunDiscovery discovery = discovery(Map.of())) {
      assertThat(found(discovery)).isEmpty();
      append(started("a.1", spec("a")));
      assertThat(found(discovery)).hasSize(1);
    }
  }

  @Test
  void ignoresARunThatNoCheckpointCanHold() throws Exception {
    ControlRecord topic = started("a.1", spec("a"));
    ((RunStarted) topic.getBody()).setStreamTopicId("x".repeat(70_000));
    append(topic);
    append(started("x".repeat(70_000), spec("b")));
    append(started("c.1", spec("c")));
    try (RunDiscovery discovery = discovery(Map.of())) {
      List<MixSplit> found = found(discovery);
      assertThat(found).extracting(MixSplit::runId).containsExactly("c.1");
      EnumeratorState state = new EnumeratorState(Map.of(), found, Set.of(), Set.of());
      assertThat(new EnumeratorStateSerializer().serialize(state)).hasSizeLessThan(1_000);
    }
  }

  private void appendToOwn(String runId, String run) {
    topics.append(NAMES.control(runId), 0, WireCodec.encode(started(runId, spec(run))));
  }

  private void status(String runId) {
    RunStatus status =
        RunStatus.newBuilder()
            .setRunId(runId)
            .setRun("r")
            .setPhase("starting")
            .setTimeline(0)
            .setGranted(0)
            .setProgress(0)
            .setWeightsVersion(0)
            .setWaiting("")
            .setTimeMillis(0)
            .build();
    topics.append(NAMES.status(), 0, WireCodec.encode(status));
  }

  @Test
  void findsARunInALogOfItsOwn() {
    append(started("a.1", spec("a")));
    appendToOwn("b.1", "b");
    try (RunDiscovery discovery = discovery(Map.of())) {
      List<MixSplit> found = found(discovery);
      assertThat(found).extracting(MixSplit::runId).containsExactlyInAnyOrder("a.1", "b.1");
      MixSplit own = found.stream().filter(s -> s.runId().equals("b.1")).findFirst().orElseThrow();
      assertThat(own.control(NAMES)).isEqualTo(new TopicPartition("sluice.control.b.1", 0));
      assertThat(own.cursor().control()).isEqualTo(new LogPosition("b.1", 0, 0, 1, 0));
      assertThat(discovery.next().offsets()).as("of the shared log").isEqualTo(Map.of(0, 2L));
    }
  }

  @Test
  void aRunThatCheckpointsKnowIsNotLookedForAgain() {
    append(started("a.1", spec("a")));
    appendToOwn("b.1", "b");
    appendToOwn("c.1", "c");
    try (RunDiscovery discovery = discovery(Map.of(), List.of("b.1"))) {
      assertThat(found(discovery))
          .extracting(MixSplit::runId)
          .containsExactlyInAnyOrder("a.1", "c.1");
    }
  }

  @Test
  void noticesALaterRunByItsStatusAndWithoutOneByTheListOfTopics() {
    topics.create(CONTROL);
    topics.create(NAMES.status());
    try (RunDiscovery discovery = discovery(Map.of())) {
      assertThat(found(discovery)).isEmpty();
      status("b.1");
      topics.create(NAMES.control("b.1"));
      assertThat(found(discovery)).as("nothing is in its log yet").isEmpty();
      appendToOwn("b.1", "b");
      assertThat(found(discovery)).extracting(MixSplit::runId).containsExactly("b.1");

      appendToOwn("c.1", "c");
      assertThat(found(discovery)).isEmpty();
      nanos += TimeUnit.SECONDS.toNanos(10);
      assertThat(found(discovery)).extracting(MixSplit::runId).containsExactly("c.1");
    }
  }

  @Test
  void looksForRunsAnewWhenTheEndOfALogIsGone() {
    topics.create(CONTROL);
    topics.create(NAMES.status());
    appendToOwn("a.1", "a");
    topics.create(NAMES.control("b.1"));
    try (RunDiscovery discovery = discovery(Map.of())) {
      assertThat(found(discovery)).extracting(MixSplit::runId).containsExactly("a.1");
      topics.lose(NAMES.status());
      assertThat(discovery.next().all()).isFalse();
      topics.find(NAMES.status());
      status("a.1");
      appendToOwn("b.1", "b");
      assertThat(found(discovery)).extracting(MixSplit::runId).containsExactly("b.1");
      status("c.1");
      appendToOwn("c.1", "c");
      assertThat(found(discovery)).extracting(MixSplit::runId).containsExactly("c.1");
    }
  }

  @Test
  void aStatusOfARunWithoutALogOfItsOwnIsPassedOver() {
    topics.create(CONTROL);
    topics.create(NAMES.status());
    try (RunDiscovery discovery = discovery(Map.of())) {
      assertThat(found(discovery)).isEmpty();
      status("shared.1");
      status("no topic's name/1");
      topics.append(NAMES.status(), 0, new byte[] {1});
      assertThat(found(discovery)).isEmpty();
      append(started("shared.1", spec("shared")));
      assertThat(found(discovery)).extracting(MixSplit::runId).containsExactly("shared.1");
    }
  }

  @Test
  void aRunThatIsKnownToBeWholeIsNotLookedAt() {
    topics.create(CONTROL);
    appendToOwn("b.1", "b");
    streams.stream(NAMES.stream("b"), 4);
    try (RunDiscovery discovery = discovery(Map.of(), List.of("b.1"))) {
      assertThat(found(discovery)).isEmpty();
      discovery.delivered(Map.of("b.1", 1));
      discovery.next();
    }
    try (RunDiscovery discovery = discovery(Map.of())) {
      RunDiscovery.Found found = discovery.next();
      assertThat(found.splits()).isEmpty();
      assertThat(found.ended()).containsExactly("b.1/0");
      assertThat(found(discovery)).isEmpty();
    }
  }

  @Test
  void aLogWithoutALeaderHoldsUpNoOtherRun() {
    topics.create(CONTROL);
    topics.create(NAMES.status());
    appendToOwn("b.1", "b");
    appendToOwn("c.1", "c");
    topics.stand(NAMES.control("b.1"));
    try (RunDiscovery discovery = discovery(Map.of())) {
      status("b.1");
      assertThat(found(discovery)).extracting(MixSplit::runId).containsExactly("c.1");
      assertThat(discovery.next().all()).isFalse();
      topics.lead(NAMES.control("b.1"));
      nanos += TimeUnit.SECONDS.toNanos(10);
      assertThat(found(discovery)).extracting(MixSplit::runId).containsExactly("b.1");
      assertThat(discovery.next().all()).isTrue();
    }
  }

  @Test
  void aLogWhoseLeaderDoesNotAnswerHoldsUpNoOtherRun() {
    topics.create(CONTROL);
    appendToOwn("b.1", "b");
    appendToOwn("c.1", "c");
    topics.mute(NAMES.control("b.1"));
    try (RunDiscovery discovery = discovery(Map.of())) {
      assertThatThrownBy(discovery::next).as("nor does any other").hasMessageContaining("b.1");
      streams.silence(NAMES.control("b.1"));
      assertThat(found(discovery)).extracting(MixSplit::runId).containsExactly("c.1");
      assertThat(discovery.next().all()).isFalse();
      topics.lead(NAMES.control("b.1"));
      streams.hear();
      nanos += TimeUnit.SECONDS.toNanos(10);
      assertThat(found(discovery)).extracting(MixSplit::runId).containsExactly("b.1");
    }
  }

  @Test
  void aRunThatMayBeWholeWaitsUntilThatIsKnown() {
    topics.create(CONTROL);
    topics.create(NAMES.status());
    appendToOwn("b.1", "b");
    appendToOwn("c.1", "c");
    streams.stream(NAMES.stream("b"), 4);
    try (RunDiscovery discovery = discovery(Map.of(), List.of("b.1", "c.1"))) {
      discovery.delivered(Map.of("b.1", 1));
      discovery.next();
    }
    streams.silence(NAMES.stream("b"));
    try (RunDiscovery discovery = discovery(Map.of())) {
      status("b.1");
      assertThat(found(discovery)).extracting(MixSplit::runId).containsExactly("c.1");
      RunDiscovery.Found before = discovery.next();
      assertThat(before.ended()).isEmpty();
      assertThat(before.all()).isFalse();
      streams.hear();
      nanos += TimeUnit.SECONDS.toNanos(10);
      RunDiscovery.Found found = discovery.next();
      assertThat(found.ended()).containsExactly("b.1/0");
      assertThat(found.splits()).isEmpty();
      assertThat(discovery.next().all()).isTrue();
    }
  }

  @Test
  void aLogSpeaksOfNoOtherRun() {
    topics.create(CONTROL);
    topics.append(NAMES.control("b.1"), 0, WireCodec.encode(started("other.1", spec("other"))));
    appendToOwn("b.1", "b");
    try (RunDiscovery discovery = discovery(Map.of())) {
      assertThat(found(discovery)).extracting(MixSplit::runId).containsExactly("b.1");
    }
  }
}
