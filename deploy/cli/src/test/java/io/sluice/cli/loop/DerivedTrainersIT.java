package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.cli.TestingSluice;
import io.sluice.client.error.StreamStalledException;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.StreamState;
import io.sluice.client.run.TrainerRank;
import io.sluice.client.stream.GlobalBatch;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.control.audit.Auditor;
import io.sluice.control.history.RunHistory;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RunSpec;
import io.sluice.schema.run.Delivery;
import io.sluice.service.Patience;
import io.sluice.service.seal.SealThread;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trainers of a run without a stream, next to those of the same run with one. */
class DerivedTrainersIT {
  private static final int EVERY = 10;
  private static final int BATCHES = 40;

  @TempDir private Path directory;
  private TestingService service;
  private TestingSluice sluice;

  @BeforeEach
  void start() {
    DatasetSpec data = Testbed.dataset(2, directory.resolve("store"));
    service = new TestingService(directory, data);
    new DatasetCatalog(service.kafka).publish(data);
    sluice = new TestingSluice(service.kafka, directory);
    service.fill();
  }

  @AfterEach
  void stop() {
    service.close();
  }

  @Test
  void waitForWhatIsSealedAndTrainOnWhatAStreamWouldHaveHad() {
    RunInfo derived = service.start(run("derived", Delivery.DERIVED));
    waitsForDocuments(derived);
    try (SealThread sealing = SealThread.start(service.kafka, "c", event -> {})) {
      sealing.apply(service.dataset);
      ScriptedRanks streaming = ranks(service.start(run("streamed", Delivery.TOKENS)), 4);
      ScriptedRanks deriving = ranks(derived, 2);
      for (int step = EVERY; step <= BATCHES; step += EVERY) {
        streaming.train(step);
        killed(derived, deriving.state());
        deriving.train(step);
      }
      assertThat(deriving.rows()).hasSize(BATCHES).isEqualTo(streaming.rows());
      assertThat(deriving.digests()).hasSize(BATCHES).isEqualTo(streaming.digests());
      assertThat(Auditor.audit(service.kafka, "derived").violations()).isEmpty();
      assertThat(versions("derived")).hasSizeGreaterThan(2).isEqualTo(versions("streamed"));
    }
  }

  private RunSpec run(String name, String delivery) {
    return RunSpec.newBuilder(service.velocitune(name, BATCHES)).setDelivery(delivery).build();
  }

  private ScriptedRanks ranks(RunInfo run, int worldSize) {
    return new ScriptedRanks(service.kafka, run, worldSize, DerivedTrainersIT::losses);
  }

  /** Numbers that all sums of ranks keep exactly. */
  private static double losses(long step, String domain) {
    return 4 - step * Testbed.DOMAINS.indexOf(domain) / 64.0;
  }

  private void waitsForDocuments(RunInfo run) {
    Patience.await(
        Patience.MINUTE,
        () -> sluice.does("run", "show", run.name()),
        shown -> shown.contains("waits: supply: batch 1 waits for blocks of domain large, lane 0"));
    assertThat(sluice.does("run", "show", run.name())).contains("to be sealed: it needs ");
    try (Loader loader = Loader.open(service.kafka, run, StreamOptions.defaults())) {
      Patience.await(
          Patience.MINUTE,
          () -> catchThrowable(() -> loader.next(Duration.ofSeconds(2))),
          thrown ->
              thrown instanceof StreamStalledException
                  && thrown
                      .getMessage()
                      .endsWith("batch 1 is not granted yet: the last grant ends at batch 0"));
    }
  }

  /** Ranks that end without a word, having read batches after their checkpoint. */
  private void killed(RunInfo run, StreamState checkpoint) {
    StreamState kept = StreamState.parse(checkpoint.toJson());
    List<Loader> ranks =
        IntStream.range(0, 2)
            .mapToObj(rank -> StreamOptions.defaults().withRank(TrainerRank.of(rank, 2)))
            .map(options -> Loader.open(service.kafka, run, options, kept))
            .toList();
    for (Loader rank : ranks) {
      for (int i = 1; i < EVERY; i++) {
        GlobalBatch batch = rank.next(Patience.MINUTE);
        assertThat(batch.batch()).isEqualTo(kept.batch() + i);
      }
    }
    ranks.forEach(Loader::close);
  }

  private List<RunHistory.Version> versions(String run) {
    return RunHistory.read(service.kafka, run).versions();
  }
}
