package io.sluice.cli.loop;

import io.sluice.cli.TestingSluice;
import io.sluice.control.history.RunHistory;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.schema.DatasetSpec;
import io.sluice.service.Patience;
import io.sluice.service.seal.SealThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Runs over a dataset whose blocks are sealed into a store, with a stream or without. */
final class StoredRuns implements AutoCloseable {
  static final Duration TWO_MINUTES = Duration.ofMinutes(2);

  final TestingService service;
  final TestingSluice sluice;
  final Path store;
  private final Path directory;
  private final SealThread sealing;

  StoredRuns(Path directory) {
    this.directory = directory;
    this.store = directory.resolve("store");
    DatasetSpec data = Testbed.dataset(1, store);
    service = new TestingService(directory, data);
    new DatasetCatalog(service.kafka).publish(data);
    sealing = SealThread.start(service.kafka, "c", event -> {});
    sealing.apply(data);
    service.fill();
    sluice = new TestingSluice(service.kafka, directory);
  }

  String apply(String run, String delivery) throws IOException {
    return sluice.does("run", "apply", "-f", file(run, delivery).toString(), "--timeout", "120");
  }

  Path file(String run, String delivery) throws IOException {
    return Files.writeString(
        directory.resolve(run + ".yaml"),
        """
        run: %s
        dataset: data
        batch: 16 sequences
        seed: 42
        initial-weights: uniform
        policy: static
        apply: {lead: 20}
        when-ended: {default: {repeat: 100}}
        delivery: %s
        """
            .formatted(run, delivery));
  }

  void awaitGranted(String run, long batch) {
    Patience.await(
        TWO_MINUTES,
        () -> RunHistory.read(service.kafka, run).state().position().granted(),
        granted -> granted == batch);
  }

  @Override
  public void close() {
    sealing.close();
    service.close();
  }
}
