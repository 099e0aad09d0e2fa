package io.sluice.cli.loop;

import io.sluice.control.topics.TopicAdmin;
import io.sluice.jobs.mix.MixJob;
import io.sluice.jobs.prepare.PrepareJob;
import io.sluice.jobs.prepare.dataset.PackingSettings;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.broker.ThreeBrokers;
import io.sluice.service.flink.EmbeddedFlink;
import io.sluice.service.flink.FlinkSettings;
import io.sluice.service.flink.JobHandle;
import java.nio.file.Path;
import java.util.Optional;

/** One broker or three, and both jobs over one generated dataset of three domains. */
public final class TestingService extends Testbed implements AutoCloseable {
  private final Runnable stopBrokers;
  private final EmbeddedFlink flink;
  private JobHandle mix;

  public TestingService(Path directory) {
    this(directory, 1);
  }

  TestingService(Path directory, int taskManagers) {
    this(directory, taskManagers, 1);
  }

  TestingService(Path directory, int taskManagers, int lanes) {
    this(
        EmbeddedBroker.start(directory.resolve("broker"), 0, Patience.MINUTE),
        directory,
        taskManagers,
        dataset(lanes, PackingSettings.NAMES));
  }

  /** With blocks that carry documents as said. */
  TestingService(Path directory, String documentIds) {
    this(
        EmbeddedBroker.start(directory.resolve("broker"), 0, Patience.MINUTE),
        directory,
        1,
        dataset(1, documentIds));
  }

  /** Over a dataset of one's choice. */
  public TestingService(Path directory, DatasetSpec dataset) {
    this(
        EmbeddedBroker.start(directory.resolve("broker"), 0, Patience.MINUTE),
        directory,
        1,
        dataset);
  }

  TestingService(ThreeBrokers brokers, Path directory) {
    this(
        brokers.bootstrapServers(),
        brokers::close,
        directory,
        1,
        dataset(1, PackingSettings.NAMES));
  }

  private TestingService(
      EmbeddedBroker broker, Path directory, int taskManagers, DatasetSpec dataset) {
    this(broker.bootstrapServers(), broker::close, directory, taskManagers, dataset);
  }

  private TestingService(
      String bootstrap,
      Runnable stopBrokers,
      Path directory,
      int taskManagers,
      DatasetSpec dataset) {
    super(KafkaAccess.local(bootstrap), dataset);
    this.stopBrokers = stopBrokers;
    flink =
        EmbeddedFlink.start(
            FlinkSettings.in(directory.resolve("flink")).withTaskManagers(taskManagers, 4));
    try (TopicAdmin admin = new TopicAdmin(kafka)) {
      admin.ensureService();
      admin.ensureDataset(dataset);
    }
    flink.submit("prepare", env -> PrepareJob.build(env, kafka, dataset));
    mix = submitMix(Optional.empty());
  }

  EmbeddedFlink flink() {
    return flink;
  }

  JobHandle mix() {
    return mix;
  }

  JobHandle submitMix(Optional<Path> restore) {
    mix = flink.submit("mix", env -> MixJob.build(env, kafka), restore);
    return mix;
  }

  @Override
  public void close() {
    flink.close();
    stopBrokers.run();
  }
}
