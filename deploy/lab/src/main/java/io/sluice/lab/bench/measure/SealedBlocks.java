package io.sluice.lab.bench.measure;

import io.sluice.control.domain.SealedDomains;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.seal.SealThread;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The blocks of a dataset in topics and in segments, which runs without a stream need. */
public final class SealedBlocks {
  private static final Duration MOST = Duration.ofMinutes(30);
  private static final Duration POLL = Duration.ofMillis(500);

  private SealedBlocks() {}

  /**
   * Makes the dataset, writes its blocks, and seals all of them with a sealer that has ended when
   * this returns.
   *
   * @param rows of each domain
   * @return the dataset with its store, published
   * @throws IllegalStateException if they are not all sealed
   */
  public static DatasetSpec of(Stage stage, BlockTopics blocks, long rows, BenchLog log) {
    KafkaAccess kafka = stage.kafka();
    Path store = Stage.directory(stage.directory(), "store-").toAbsolutePath().normalize();
    DatasetSpec dataset = DatasetSpec.newBuilder(blocks.spec()).setStore("file://" + store).build();
    int domains = dataset.getDomains().size();
    log.say("making the topics of %d domains", domains);
    try (TopicAdmin admin = new TopicAdmin(kafka)) {
      admin.ensureDataset(dataset);
    }
    new DatasetCatalog(kafka).publish(dataset);
    log.say("filling %d domains", domains);
    blocks.write();
    log.say("sealing %d domains", domains);
    try (SealThread sealer =
        SealThread.start(kafka, "bench", event -> log.say("sealing: %s", event))) {
      sealer.apply(dataset);
      awaitSealed(kafka, dataset, rows);
    }
    return dataset;
  }

  private static void awaitSealed(KafkaAccess kafka, DatasetSpec dataset, long rows) {
    long begun = System.nanoTime();
    while (!isSealed(kafka, dataset, rows)) {
      if (System.nanoTime() - begun > MOST.toNanos()) {
        throw new IllegalStateException("blocks are not sealed after " + MOST);
      }
      LockSupport.parkNanos(POLL.toNanos());
    }
  }

  private static boolean isSealed(KafkaAccess kafka, DatasetSpec dataset, long rows) {
    return SealedDomains.rows(SealedDomains.read(kafka, dataset), dataset).values().stream()
        .allMatch(each -> each == rows);
  }
}
