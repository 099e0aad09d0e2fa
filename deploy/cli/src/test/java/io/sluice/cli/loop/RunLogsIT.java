package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.TestingSluice;
import io.sluice.control.history.RunFold;
import io.sluice.control.history.RunFollower;
import io.sluice.control.history.RunHistory;
import io.sluice.control.history.RunLogs;
import io.sluice.control.history.RunStart;
import io.sluice.control.history.StatusFollower;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.control.wire.ControlWire;
import io.sluice.control.wire.RunSpecs;
import io.sluice.mixture.decide.GrantPlanner;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.PhaseChange;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.BatchSize;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStatus;
import io.sluice.schema.WireCodec;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
      topics.createTopics(own.stream().map(RunLogsIT::log).toList()).all().get();
      topics
          .createTopics(
              List.of(
                  log("new.1"),
                  log("refused.1"),
                  log("followed.1"),
                  log("large.1"),
                  new NewTopic(kafka.topics().supply("data"), 1, (short) 1)))
          .all()
          .get();
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

  private static NewTopic log(String runId) {
    return new NewTopic(kafka.topics().control(runId), 1, (short) 1);
  }

  private static long start(String topic, String runId, int domains) throws Exception {
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
    return append(topic, runId, WireCodec.encode(ControlWire.started(entry, asked, "test", 0)));
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
