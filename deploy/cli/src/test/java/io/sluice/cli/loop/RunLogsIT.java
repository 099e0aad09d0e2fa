package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.TestingSluice;
import io.sluice.client.run.ControlFollower;
import io.sluice.client.run.RunInfo;
import io.sluice.control.history.RunFold;
import io.sluice.control.history.RunFollower;
import io.sluice.control.history.RunHistory;
import io.sluice.control.history.RunLogs;
import io.sluice.control.history.RunStart;
import io.sluice.control.history.StatusFollower;
import io.sluice.control.snapshot.SnapshotWriter;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.control.wire.ControlWire;
import io.sluice.control.wire.RunSpecs;
import io.sluice.mixture.decide.GrantPlanner;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.PhaseChange;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.BatchSize;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.LogBeginnings;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStatus;
import io.sluice.schema.WireCodec;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.broker.TestingTopics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunLogsIT {
  /** More logs than one fetch brings the first records of. */
  private static final int MANY = 200;

  /** Domains that make a run's start larger than what is fetched of a log. */
  private static final int LARGE = 4_000;

  @TempDir private static Path directory;
  private static EmbeddedBroker broker;
  private static KafkaAccess kafka;
  private static KafkaProducer<byte[], byte[]> producer;

  @BeforeAll
  static void start() throws Exception {
    broker = EmbeddedBroker.start(directory.resolve("broker"), 0, Patience.MINUTE);
    kafka = KafkaAccess.local(broker.bootstrapServers());
    producer =
        new KafkaProducer<>(
            kafka.with(Map.of()), new ByteArraySerializer(), new ByteArraySerializer());
    try (TopicAdmin admin = new TopicAdmin(kafka);
        Admin topics = Admin.create(kafka.with(Map.of()))) {
      admin.ensureService();
      List<String> own = IntStream.range(0, MANY).mapToObj(n -> "many" + n + ".1").toList();
      TestingTopics.make(topics, own.stream().map(RunLogsIT::log).toList());
      TestingTopics.make(
          topics,
          List.of(
              log("new.1"),
              log("refused.1"),
              log("followed.1"),
              log("large.1"),
              new NewTopic(kafka.topics().supply("data"), 1, (short) 1)));
      for (String runId : own) {
        start(kafka.topics().control(runId), runId, 64);
        status(runId, "stopped", "");
      }
      start(kafka.topics().control(), "old.1", 64);
      status("old.1", "completed", "");
      start(kafka.topics().control("new.1"), "new.1", 64);
      start(kafka.topics().control("large.1"), "large.1", LARGE);
      status("new.1", "running", "feedback of step 10");
      status("refused.1", "failed", "policy must be known");
    }
  }

  @AfterAll
  static void stop() {
    producer.close();
    broker.close();
  }

  @Test
  void commandsFindRunsInTheirOwnLogsAndInTheSharedOne() {
    TestingSluice sluice = new TestingSluice(kafka, directory);
    assertThat(sluice.run("run", "list").out())
        .containsPattern("new +running +7 +0 +feedback of step 10")
        .containsPattern("\\d+ more ended before: --all lists them");
    assertThat(sluice.run("run", "list", "--all").out())
        .containsPattern("old +completed +7 ")
        .containsPattern("new +running +7 +0 +feedback of step 10")
        .containsPattern("refused +failed +- +0 +policy must be known")
        .containsPattern("many199 +stopped +7 ");
    assertThat(sluice.run("run", "show", "old").out()).startsWith("old (old.1): running");
    assertThat(sluice.run("run", "show", "new").out()).startsWith("new (new.1): running");
    assertThat(sluice.run("run", "show", "refused").out())
        .startsWith("refused (refused.1): failed")
        .contains("reason: policy must be known");
    assertThat(sluice.run("run", "export", "refused").err())
        .contains("run 'refused' never started: policy must be known");
    assertThat(sluice.run("run", "export", "old").out()).contains("dataset: \"data\"");
    assertThat(sluice.run("run", "export", "new").out()).contains("dataset: \"data\"");
  }

  @Test
  void theFirstRecordsOfManyLogsAreFoundHoweverLargeOneIs() {
    List<RunStart> starts = RunLogs.of(kafka).starts();
    assertThat(starts)
        .extracting(RunStart::runId)
        .contains("many0.1", "many199.1", "old.1", "large.1");
    assertThat(starts).hasSize(MANY + 3);
    assertThat(starts).extracting(RunStart::logTime).isSorted();
  }

  @Test
  void aFollowerGoesOnWhereTheFoldEnds() throws Exception {
    String log = kafka.topics().control("followed.1");
    assertThat(RunLogs.of(kafka).byId("followed.1")).isEmpty();
    long offset = start(log, "followed.1", 64);
    RunLogs logs = RunLogs.of(kafka);
    RunFold fold = logs.fold(logs.byId("followed.1").orElseThrow());
    try (RunFollower follower = new RunFollower(kafka, fold);
        StatusFollower statuses = new StatusFollower(kafka)) {
      assertThat(follower.answer("c")).isEmpty();
      assertThat(statuses.newest("new.1")).isEmpty();
      ControlEntry paused =
          new ControlEntry(
              "followed.1", 0, 1, offset, "by hand", new PhaseChange(RunPhase.PAUSED, "c"));
      append(log, "followed.1", WireCodec.encode(ControlWire.write(paused, "test", 0)));
      status("followed.1", "paused", "");
      assertThat(follower.answer("c").map(ControlEntry::why)).hasValue("by hand");
      assertThat(follower.answer("c")).isEmpty();
      assertThat(follower.fold().state().phase()).isEqualTo(RunPhase.PAUSED);
      assertThat(statuses.newest("followed.1").map(RunStatus::getPhase)).hasValue("paused");
    }
    assertThat(RunHistory.read(kafka, "followed").entries()).hasSize(2);
    try (Admin topics = Admin.create(kafka.with(Map.of()))) {
      topics.deleteTopics(List.of(log)).all().get();
    }
  }

  @Test
  void readersBeginAtTheNewestSnapshotOfALog() throws Exception {
    Map<String, Long> newest = new HashMap<>();
    List<String> runs = List.of("long.1", "long.2", "long.3");
    try (Admin topics = Admin.create(kafka.with(Map.of()))) {
      TestingTopics.make(topics, runs.stream().map(RunLogsIT::log).toList());
      newest.put("long.1", refuse("long.1", 300));
      newest.put("long.2", refuse("long.2", 1_500));
      newest.put("long.3", refuse("long.3", 20));
      try (LogBeginnings beginnings = LogBeginnings.of(kafka)) {
        Map<String, Long> found = new HashMap<>();
        beginnings
            .newest(runs, Patience.MINUTE)
            .forEach((runId, beginning) -> found.put(runId, beginning.offset()));
        assertThat(found).isEqualTo(newest);
        assertThat(beginnings.before("long.2", 0, Patience.MINUTE).orElseThrow().offset())
            .isEqualTo(newest.get("long.2"));
      }
      RunLogs logs = RunLogs.of(kafka);
      RunFold fold = logs.fold(logs.byId("long.2").orElseThrow());
      assertThat(fold.state().position().serial()).isEqualTo(1_505);
      assertThat(fold.state().hasApplied("c1499")).isTrue();
      RunInfo run = new RunInfo("long.2", fold.spec());
      try (ControlFollower control = ControlFollower.of(kafka, run)) {
        control.refresh();
        assertThat(control.run().state()).isEqualTo("running");
        assertThat(control.runTimeline().spec()).isEqualTo(fold.spec());
      }
      topics.deleteTopics(runs.stream().map(kafka.topics()::control).toList()).all().get();
    }
  }

  /** Starts a run whose log refuses so many commands; the offset that readers begin at. */
  private static long refuse(String runId, int commands) throws Exception {
    String log = kafka.topics().control(runId);
    ControlRecord record = started(runId, 4);
    byte[] value = WireCodec.encode(record);
    long offset = append(log, runId, value);
    long newest = offset;
    RunState state = RunState.started(ControlWire.read(record, WireCodec.encode(record)), offset);
    SnapshotWriter writer = SnapshotWriter.begun(record, offset, value, SnapshotWriter.EVERY);
    for (int i = 0; i < commands; ) {
      boolean due = writer.isDue();
      ControlEntry no =
          new ControlEntry(
              runId,
              0,
              state.position().serial() + 1,
              offset,
              "no",
              new ControlEntry.Refused(RunPhase.RUNNING, "c" + i));
      record = due ? writer.next(state, "test", 0).orElseThrow() : ControlWire.write(no, "test", 0);
      value = WireCodec.encode(record);
      offset = append(log, runId, value);
      state.apply(ControlWire.read(record, WireCodec.encode(record)), offset);
      writer.accept(record, offset, value);
      newest = due ? offset : newest;
      i += due ? 0 : 1;
    }
    return newest;
  }

  private static NewTopic log(String runId) {
    return new NewTopic(kafka.topics().control(runId), 1, (short) 1);
  }

  private static long start(String topic, String runId, int domains) throws Exception {
    return append(topic, runId, WireCodec.encode(started(runId, domains)));
  }

  private static ControlRecord started(String runId, int domains) {
    RunSpec spec =
        RunSpec.newBuilder()
            .setRun(runId.substring(0, runId.indexOf('.')))
            .setDataset("data")
            .setFingerprint(9)
            .setTokenizer("bytes")
            .setVocabulary(260)
            .setSequenceLength(64)
            .setDomains(IntStream.range(0, domains).mapToObj(n -> "domain-number-" + n).toList())
            .setStreamPartitions(4)
            .setBatchSizes(List.of(new BatchSize(1L, 8)))
            .setSeed(42)
            .setInitialWeights(ControlWire.boxed(Weights.uniform(domains)))
            .setPolicy("static")
            .setUpdateEvery(0)
            .setEpochs(IntStream.range(0, domains).mapToObj(n -> 1).toList())
            .build();
    ControlEntry entry = GrantPlanner.start(runId, RunSpecs.settings(spec), "asked");
    ApplyRun asked = ApplyRun.newBuilder().setSpec(spec).setStreamTopicId("").build();
    return ControlWire.started(entry, asked, "test", 0);
  }

  private static void status(String runId, String phase, String waiting) throws Exception {
    append(
        kafka.topics().status(),
        runId,
        WireCodec.encode(
            RunStatus.newBuilder()
                .setRunId(runId)
                .setRun(runId.substring(0, runId.indexOf('.')))
                .setPhase(phase)
                .setTimeline(0)
                .setGranted(7)
                .setProgress(0)
                .setWeightsVersion(1)
                .setWaiting(waiting)
                .setTimeMillis(0)
                .build()));
  }

  private static long append(String topic, String key, byte[] value) throws Exception {
    byte[] runId = key.getBytes(StandardCharsets.UTF_8);
    return producer.send(new ProducerRecord<>(topic, 0, runId, value)).get().offset();
  }
}
