package io.sluice.service.seal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.history.RunFold;
import io.sluice.control.history.RunLogs;
import io.sluice.control.history.TopicScan;
import io.sluice.control.runs.NewRun;
import io.sluice.control.runs.RunAdmin;
import io.sluice.control.runs.RunApplication;
import io.sluice.control.runs.RunCatalog;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.control.topics.RecordWriter;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.control.wire.RunSpecs;
import io.sluice.jobs.mix.MixJob;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.mixture.log.RunPhase;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStatus;
import io.sluice.schema.Supply;
import io.sluice.schema.run.Delivery;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.flink.EmbeddedFlink;
import io.sluice.service.flink.FlinkSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run whose trainers read segments is granted what is sealed, and has no stream. */
class DerivedRunIT {
  private static final List<String> DOMAINS = List.of("a", "b");
  private static final int LANES = 2;
  private static final int BATCH = 8;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @TempDir Path directory;
  private EmbeddedBroker broker;
  private EmbeddedFlink flink;
  private KafkaAccess access;
  private DatasetSpec data;
  private TestingBlocks blocks;
  private Sealers sealers;
  private final AtomicLong nanos = new AtomicLong();

  @BeforeEach
  void start() {
    broker = EmbeddedBroker.start(directory.resolve("kafka"), 0, Patience.MINUTE);
    access = KafkaAccess.local(broker.bootstrapServers());
    data =
        DatasetSpec.newBuilder(
                DatasetSpecs.resolve(
                    new DatasetSettings("books", "bytes", 11, 4, 7, 0, DOMAINS, LANES)))
            .setStore("file://" + directory.resolve("store"))
            .build();
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.ensureService();
      admin.ensureDataset(data);
    }
    new DatasetCatalog(access).publish(data);
    blocks = new TestingBlocks(access, data);
    sealers = new Sealers(access, "c", InstantSource.system(), nanos::get, event -> {});
    sealers.apply(data);
    flink = EmbeddedFlink.start(FlinkSettings.in(directory.resolve("flink")));
    flink.submit("mix", environment -> MixJob.build(environment, access));
  }

  @AfterEach
  void stop() {
    flink.close();
    sealers.close();
    blocks.close();
    broker.close();
  }

  @Test
  void isGrantedWhatIsSealedAndEndsWithWhatIsSealed() {
    commit(20, false);
    apply("derived");
    awaitWaiting(
        "derived",
        "supply: batch 1 waits for blocks of domain a, lane 0, to be sealed: it needs 2, and 0 of"
            + " 20 are");
    assertThat(granted("derived")).isZero();

    seal(20);
    awaitGranted("derived", 10);
    commit(12, false);
    awaitWaiting("derived", "lane 0, to be sealed: it needs 22, and 20 of 32 are");
    assertThat(granted("derived")).isEqualTo(10);

    commit(1, true);
    awaitWaiting("derived", "lane 0, to be sealed: it needs 22, and 20 of 33 are");
    seal(33);
    awaitGranted("derived", 16);
    Patience.await(MINUTE, () -> fold("derived").state().phase() == RunPhase.STOPPED);
    assertThat(fold("derived").streamTopicId()).isEmpty();
    try (TopicAdmin admin = new TopicAdmin(access)) {
      assertThat(admin.find(access.topics().stream("derived"))).isEmpty();
      assertThat(admin.find(access.topics().feedback("derived"))).isPresent();
    }
  }

  private void apply(String run) {
    RunSpec spec =
        RunSpecs.complete(
            NewRun.of(run, data, BATCH).setDelivery(Delivery.DERIVED).setLanes(LANES).build());
    assertThat(
            new RunApplication(access, RunAdmin.commands(access)).start(spec, null, MINUTE).line())
        .startsWith("run " + run + " has started");
  }

  /** Adds blocks to each lane of each domain, and says so. */
  private void commit(int count, boolean end) {
    for (String domain : DOMAINS) {
      for (int lane = 0; lane < LANES; lane++) {
        blocks.add(domain, lane, count);
        if (end) {
          blocks.end(domain, lane);
        }
        RecordWriter.write(
            access,
            access.topics().supply(data.getName()),
            domain + "/" + lane,
            Supply.newBuilder()
                .setDataset(data.getName())
                .setFingerprint(data.getFingerprint())
                .setDomain(domain)
                .setLane(lane)
                .setBlocks(blocks.next(domain, lane))
                .setEvalBlocks(0)
                .setTrainedTokens(0)
                .setDocuments(0)
                .setEnded(end)
                .build(),
            MINUTE);
      }
    }
  }

  private void seal(long rows) {
    Patience.await(
        MINUTE,
        () -> {
          sealers.work(Duration.ofMillis(100));
          nanos.addAndGet(Duration.ofSeconds(1).toNanos());
          var sealed = SealedRows.read(access, data).lanes();
          return DOMAINS.stream()
              .allMatch(domain -> sealed.rows(domain, 0) == rows && sealed.rows(domain, 1) == rows);
        });
  }

  private void awaitGranted(String run, long batch) {
    Patience.await(MINUTE, () -> granted(run), granted -> granted == batch);
  }

  private void awaitWaiting(String run, String words) {
    Patience.await(MINUTE, () -> status(run).getWaiting(), waiting -> waiting.contains(words));
  }

  private RunStatus status(String run) {
    return new TopicScan(access).statuses().get(fold(run).runId());
  }

  private long granted(String run) {
    return fold(run).state().position().granted();
  }

  private RunFold fold(String run) {
    RunLogs logs = RunLogs.of(access);
    return logs.fold(RunCatalog.read(access).require(run).start().orElseThrow());
  }
}
