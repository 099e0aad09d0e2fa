package io.sluice.service.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.history.RunStatuses;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Segment;
import io.sluice.schema.segment.SealedLanes;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Committed blocks come to be in a dataset's store, whatever happens to who seals them. */
class SealingIT {
  private static final List<String> DOMAINS = List.of("ended", "empty", "live");
  private static final int LANES = 2;
  private static final Duration WAIT = Duration.ofMillis(100);
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir static Path directory;
  private static EmbeddedBroker broker;
  private static KafkaAccess access;

  @TempDir Path folder;
  private DatasetSpec spec;
  private TestingBlocks blocks;
  private final AtomicLong nanos = new AtomicLong();
  private final List<String> events = new ArrayList<>();

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start(directory, 0, Patience.MINUTE);
    access = KafkaAccess.local(broker.bootstrapServers());
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.ensureService();
    }
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @BeforeEach
  void fill(TestInfo test) {
    String name = test.getTestMethod().orElseThrow().getName();
    spec =
        DatasetSpec.newBuilder(
                DatasetSpecs.resolve(
                    new DatasetSettings(name, "bytes", 11, 4, 7, 0, DOMAINS, LANES)))
            .setStore("file://" + folder.resolve("store"))
            .build();
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.ensureDataset(DatasetSpec.newBuilder(spec).setStore("").build());
    }
    blocks = new TestingBlocks(access, spec);
    for (int lane = 0; lane < LANES; lane++) {
      blocks.add("ended", lane, 300 + lane);
      blocks.addAborted("ended", lane, 3);
      blocks.add("ended", lane, 7);
      blocks.end("ended", lane);
      blocks.end("empty", lane);
      blocks.add("live", lane, 5 + lane);
    }
  }

  @AfterEach
  void close() {
    blocks.close();
  }

  @Test
  void aDatasetThatGainsAStoreIsSealedFromItsBeginning() throws IOException {
    try (TestingSealers sealers = sealers()) {
      sealers.apply(DatasetSpec.newBuilder(spec).setStore("").build());
      assertThat(sealers.work()).isFalse();
      sealers.apply(spec);
      sealers.await(this::allIsSealed);
      assertThat(events)
          .containsExactly("sealing dataset " + spec.getName() + " into " + spec.getStore());
      SealedRows sealed = sealed();
      sealed.requireTrue();
      for (int lane = 0; lane < LANES; lane++) {
        assertThat(sealed.lanes().last("ended", lane).orElseThrow().getEnded()).isTrue();
        assertThat(sealed.lanes().last("live", lane).orElseThrow().getEnded()).isFalse();
        assertThat(sealed.lanes().last("empty", lane)).isEmpty();
      }
    }
  }

  @Test
  void rowsThatCameAreSealedAfterTenSecondsAndAnEndAtOnce() throws IOException {
    try (TestingSealers sealers = sealers()) {
      sealers.apply(spec);
      sealers.await(this::allIsSealed);
      blocks.add("live", 0, 4);
      long waited = nanos.get();
      sealers.await(() -> sealed().lanes().rows("live", 0) == 9);
      assertThat(nanos.get() - waited).isGreaterThanOrEqualTo(DatasetSealer.WAIT.toNanos());
      int records = sealed().records().size();
      blocks.end("live", 0);
      sealers.await(() -> sealed().lanes().last("live", 0).orElseThrow().getEnded());
      assertThat(sealed().records()).hasSize(records + 1);
      assertThat(sealed().lanes().rows("live", 0)).isEqualTo(9);
      sealed().requireTrue();
    }
  }

  @Test
  void aSealerThatEndsBetweenObjectAndRecordLeavesNothingThatCounts() throws IOException {
    try (DatasetSealer killed = sealer(new Killed(KafkaSegmentLog.open(access, withTopic())))) {
      assertThatThrownBy(() -> await(killed, () -> false)).hasMessage("killed before the record");
    }
    Path objects = folder.resolve("store").resolve(spec.getName());
    assertThat(SealedRows.objects(objects)).hasSize(2);
    assertThat(sealed().records()).isEmpty();

    blocks.add("live", 0, 1);
    Path stranger = Files.writeString(objects.resolve("notes.txt"), "mine");
    for (String orphan : SealedRows.objects(objects)) {
      Files.setLastModifiedTime(objects.resolve(orphan), FileTime.from(NOW.minusSeconds(90_000)));
    }
    try (TestingSealers sealers = sealers()) {
      sealers.apply(spec);
      sealers.await(this::allIsSealed);
      sealed().requireTrue();
    }
    List<String> named =
        sealed().lanes().objects().stream()
            .map(object -> object.substring(spec.getName().length() + 1))
            .toList();
    assertThat(stranger).exists();
    assertThat(SealedRows.objects(objects)).containsAll(named).hasSize(named.size() + 1);
  }

  @Test
  void ofTwoSealersTheSecondGoesOn() throws IOException {
    try (DatasetSealer first = sealer(KafkaSegmentLog.open(access, withTopic()))) {
      await(first, this::allIsSealed);
      blocks.add("live", 1, 3);
      await(first, () -> first.bytes() > 0);
      try (DatasetSealer second = sealer(KafkaSegmentLog.open(access, spec))) {
        assertThatThrownBy(first::seal).isInstanceOf(ProducerFencedException.class);
        await(second, this::allIsSealed);
      }
    }
    SealedRows sealed = sealed();
    sealed.requireTrue();
    assertThat(sealed.records().stream().map(SealedLanes::key)).doesNotHaveDuplicates();
  }

  @Test
  void aStoreThatIsGoneOrAnothersIsToldOfAndTriedAgain() throws IOException {
    Path store = folder.resolve("store");
    Files.writeString(store, "no folder");
    try (TestingSealers sealers = sealers()) {
      sealers.apply(spec);
      sealers.await(() -> !events.isEmpty());
      assertThat(events.get(0))
          .startsWith("dataset " + spec.getName() + " cannot be sealed: ")
          .contains(store.toString())
          .endsWith("; it is tried again in 1 s, and then once a minute at least");
      assertThat(RunStatuses.read(access).sealing().get(spec.getName())).contains(store.toString());
      Files.delete(store);
      sealers.await(this::allIsSealed);
      assertThat(events.get(1)).startsWith("sealing dataset");
      assertThat(events.get(2)).endsWith(" is sealed again");

      Files.move(store, folder.resolve("elsewhere"));
      blocks.add("live", 0, 1);
      sealers.await(() -> events.size() > 3);
      sealers.await(() -> events.get(events.size() - 1).contains("is the store mounted?"));
      assertThat(RunStatuses.read(access).sealing().get(spec.getName()))
          .endsWith("is the store mounted?");
      assertThat(store).doesNotExist();
      Files.move(folder.resolve("elsewhere"), store);
      sealers.await(this::allIsSealed);
      sealed().requireTrue();
      assertThat(RunStatuses.read(access).sealing()).doesNotContainKey(spec.getName());
    }
    Path owner = store.resolve(spec.getName()).resolve("owner");
    Files.writeString(owner, "Kafka cluster other, prefix sluice.");
    events.clear();
    try (TestingSealers sealers = sealers()) {
      sealers.apply(spec);
      sealers.await(() -> !events.isEmpty());
      assertThat(events.get(0))
          .contains(
              "is of another deployment, 'Kafka cluster other, prefix sluice.'; if that is no more,"
                  + " delete "
                  + owner);
    }
  }

  /** A log whose writer dies before its records are written. */
  private record Killed(SegmentLog log) implements SegmentLog {
    @Override
    public SealedLanes sealed() {
      return log.sealed();
    }

    @Override
    public void write(List<Segment> segments) {
      throw new IllegalStateException("killed before the record");
    }

    @Override
    public void close() {
      log.close();
    }
  }

  private TestingSealers sealers() {
    return new TestingSealers(access, () -> NOW, nanos, events);
  }

  private DatasetSealer sealer(SegmentLog log) throws IOException {
    String owner = "Kafka cluster c, prefix sluice.";
    return DatasetSealer.open(access, spec, log, owner, () -> NOW, nanos::get);
  }

  private DatasetSpec withTopic() {
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.ensureDataset(spec);
    }
    return spec;
  }

  private SealedRows sealed() {
    return SealedRows.read(access, spec);
  }

  private boolean allIsSealed() {
    SealedLanes lanes = sealed().lanes();
    return DOMAINS.stream()
        .allMatch(
            domain ->
                lanes.rows(domain, 0) == blocks.next(domain, 0)
                    && lanes.rows(domain, 1) == blocks.next(domain, 1));
  }

  /** Works a second of the clock at a time until something is so. */
  private void await(DatasetSealer sealer, BooleanSupplier condition) {
    Patience.await(
        Duration.ofMinutes(1),
        () -> {
          try {
            sealer.work(WAIT);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          nanos.addAndGet(Duration.ofSeconds(1).toNanos());
          return condition.getAsBoolean();
        });
  }
}
