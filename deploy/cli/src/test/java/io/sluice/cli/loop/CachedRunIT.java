package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.TestingSluice;
import io.sluice.client.error.StreamMissingException;
import io.sluice.client.error.StreamStalledException;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.TrainerRank;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.corpus.store.TestingS3;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RunSpec;
import io.sluice.schema.run.Delivery;
import io.sluice.service.Patience;
import io.sluice.service.seal.SealThread;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run without a stream whose rows are in a bucket, which a cache on the node reads. */
class CachedRunIT {
  private static final String STORE = "s3://sealed/team";
  private static final int EVERY = 10;
  private static final int BATCHES = 40;
  private static final int RANKS = 2;

  /** Less than there is, so that objects go all the time; the longest has room. */
  private static final String ROOM = "1200k";

  private static final int KILLS = Boolean.getBoolean("sluice.full") ? 50 : 3;

  @TempDir private Path directory;
  private TestingS3 s3;
  private TestingService service;
  private Path folder;

  @BeforeEach
  void start() {
    s3 = new TestingS3("sealed");
    DatasetSpec data = Testbed.stored(2, STORE);
    service = new TestingService(directory, data);
    new DatasetCatalog(service.kafka).publish(data);
    service.fill();
    folder = directory.resolve("cache");
  }

  @AfterEach
  void stop() {
    service.close();
    s3.close();
  }

  @Test
  void isReadThroughACacheWhateverBecomesOfIt() throws IOException {
    RunInfo derived = service.start(run("derived", Delivery.DERIVED));
    assertThatThrownBy(() -> Loader.open(service.kafka, derived, StreamOptions.defaults()))
        .isInstanceOf(StreamMissingException.class)
        .hasMessageContaining("reads rows of dataset data in s3://sealed/team: start 'sluice cache")
        .hasMessageContaining("and set SLUICE_NODE_CACHE=FOLDER");
    SortedMap<Long, Long> digests;
    try (SealThread sealing = SealThread.start(service.kafka, "c", event -> {})) {
      sealing.apply(service.dataset);
      ScriptedRanks streaming = ranks(service.start(run("streamed", Delivery.TOKENS)), RANKS);
      train(streaming);
      waitsForAStoreThatRefuses(derived);
      folder = directory.resolve("empty");
      ScriptedRanks deriving = ranks(derived, RANKS);
      try (CacheProcess cache = cache("10m", TestingS3.SECRET)) {
        train(deriving);
        JsonNode status = cache.status();
        assertThat(status.get("fetched").asInt())
            .isEqualTo(status.get("objects").asInt())
            .isLessThanOrEqualTo(s3.keys("sealed").size());
        assertThat(status.get("hits").asInt()).isPositive();
      }
      digests = streaming.digests();
      assertThat(deriving.rows()).isEqualTo(streaming.rows());
      assertThat(deriving.digests()).hasSize(BATCHES).isEqualTo(digests);
    }
    assertThat(new TestingSluice(service.kafka, directory).does("audit", "--run=derived", "--deep"))
        .contains(" passed: 40 batches granted, no stream", "digests of 40 batches checked")
        .doesNotContain("not checked");
    readsOnWhileTheCacheIsKilled(derived, digests);
  }

  @Test
  void isReadThroughACacheInPython() throws IOException {
    TestingPython.require("confluent_kafka", "fastavro", "numpy");
    RunInfo derived = service.start(run("derived", Delivery.DERIVED));
    try (SealThread sealing = SealThread.start(service.kafka, "c", event -> {});
        CacheProcess cache = cache(ROOM, TestingS3.SECRET)) {
      sealing.apply(service.dataset);
      List<String> arguments =
          List.of(
              "--bootstrap=" + service.kafka.bootstrapServers(),
              "--run=" + derived.name(),
              "--last=" + BATCHES,
              "--state=" + directory.resolve("state.json"),
              "--cache=" + cache.folder());
      assertThat(TestingPython.live("taken.py", arguments).lines()).isNotEmpty();
      assertThat(cache.status().get("fetched").asInt()).isPositive();
      assertThat(new TestingSluice(service.kafka, directory).does("audit", "--run=derived"))
          .contains(" passed: 40 batches granted", "digests of 40 batches checked, of 0 nobody");
    }
  }

  private static void train(ScriptedRanks ranks) {
    for (int step = EVERY; step <= BATCHES; step += EVERY) {
      ranks.train(step);
    }
  }

  private RunSpec run(String name, String delivery) {
    return RunSpec.newBuilder(service.velocitune(name, BATCHES)).setDelivery(delivery).build();
  }

  private CacheProcess cache(String size, String secret) {
    return CacheProcess.start(folder, s3, STORE, size, secret);
  }

  private StreamOptions options() {
    return StreamOptions.defaults().withCache(folder);
  }

  private ScriptedRanks ranks(RunInfo run, int worldSize) {
    return new ScriptedRanks(
        service.kafka,
        run,
        worldSize,
        (step, domain) -> 4 - step * Testbed.DOMAINS.indexOf(domain) / 64.0,
        options());
  }

  /** Neither a cache that is not there nor one that may not read: both are waited for, and said. */
  private void waitsForAStoreThatRefuses(RunInfo run) {
    try (Loader loader = Loader.open(service.kafka, run, options().observing())) {
      stallsOver(loader, "the cache in " + folder + " does not answer");
      try (CacheProcess cache = cache("10m", "not-the-secret")) {
        assertThat(cache.folder()).isDirectory();
        stallsOver(loader, "the credentials must have s3:GetObject on the objects");
      }
      try (CacheProcess cache = cache("10m", TestingS3.SECRET)) {
        assertThat(loader.next(Patience.MINUTE).batch()).isEqualTo(1);
        assertThat(cache.folder()).isDirectory();
      }
    }
  }

  private static void stallsOver(Loader loader, String words) {
    Patience.await(
        Patience.MINUTE,
        () -> catchThrowable(() -> loader.next(Duration.ofSeconds(1))),
        thrown ->
            thrown instanceof StreamStalledException
                && String.valueOf(thrown.getMessage()).contains(words));
  }

  /** With so little room that objects go all the time. */
  private void readsOnWhileTheCacheIsKilled(RunInfo run, SortedMap<Long, Long> digests) {
    AtomicLong read = new AtomicLong();
    AtomicBoolean enough = new AtomicBoolean();
    CompletableFuture<Void> reading =
        CompletableFuture.runAsync(
            () -> {
              while (!enough.get()) {
                assertThat(readAll(run, read)).isEqualTo(digests);
              }
            });
    Random random = new Random(7);
    for (int i = 0; i < KILLS; i++) {
      try (CacheProcess cache = cache(ROOM, TestingS3.SECRET)) {
        assertThat(cache.folder()).isDirectory();
        long then = read.get() + random.nextInt(BATCHES);
        Patience.await(Patience.MINUTE, () -> reading.isDone() || read.get() > then);
      }
    }
    enough.set(true);
    try (CacheProcess cache = cache(ROOM, TestingS3.SECRET)) {
      reading.join();
      assertThat(cache.folder().resolve("tmp")).isEmptyDirectory();
    }
    assertThat(read.get()).isGreaterThan(BATCHES);
  }

  private SortedMap<Long, Long> readAll(RunInfo run, AtomicLong read) {
    SortedMap<Long, Long> digests = new TreeMap<>();
    for (int rank = 0; rank < RANKS; rank++) {
      StreamOptions own = options().observing().withRank(TrainerRank.of(rank, RANKS));
      try (Loader loader = Loader.open(service.kafka, run, own)) {
        for (long batch = 1; batch <= BATCHES; batch++) {
          digests.merge(batch, loader.next(Patience.MINUTE).digest(), Long::sum);
          read.incrementAndGet();
        }
      }
    }
    return digests;
  }
}
