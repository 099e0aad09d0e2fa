package io.sluice.lab.bench.measure;

import io.sluice.control.error.BadInputException;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Topics;
import io.sluice.service.broker.BrokerProgram;
import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.flink.EmbeddedFlink;
import io.sluice.service.flink.FlinkSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.flink.util.FileUtils;

/** A broker and a Flink cluster in a directory that is deleted afterwards. */
public final class Stage implements AutoCloseable {
  private static final Duration BROKER_START = Duration.ofMinutes(3);
  private static final int LARGE_BROKER_MIB = 1024;
  private static final int SLOTS = 32;

  private final Path directory;
  private final EmbeddedBroker broker;
  private final EmbeddedFlink flink;
  private final KafkaAccess kafka;

  private Stage(Path directory, EmbeddedBroker broker, EmbeddedFlink flink, KafkaAccess kafka) {
    this.directory = directory;
    this.broker = broker;
    this.flink = flink;
    this.kafka = kafka;
  }

  /**
   * Starts both, the broker with more heap than {@code up} gives it, and creates the service's
   * topics.
   *
   * @param parent where the directory is made
   */
  public static Stage open(Path parent, Compression compression) {
    return open(parent, compression, LARGE_BROKER_MIB, Map.of());
  }

  /** The same with a broker as {@code up} has it, and blocks as they are. */
  public static Stage asUp(Path parent) {
    return open(parent, Compression.NONE, EmbeddedBroker.HEAP_MIB, Map.of());
  }

  /**
   * The same with blocks as they are and a broker that has more settings.
   *
   * @param broker before those that it has otherwise
   */
  public static Stage with(Path parent, Map<String, String> broker) {
    return open(parent, Compression.NONE, LARGE_BROKER_MIB, broker);
  }

  private static Stage open(
      Path parent, Compression compression, int brokerHeapMib, Map<String, String> settings) {
    Path directory = directory(parent, "bench-");
    try {
      return start(directory, compression, brokerHeapMib, settings);
    } catch (RuntimeException | Error e) {
      FileUtils.deleteDirectoryQuietly(directory.toFile());
      throw e;
    }
  }

  /**
   * Makes a new directory, whose name begins so.
   *
   * @throws BadInputException if that cannot be
   */
  public static Path directory(Path parent, String prefix) {
    try {
      Files.createDirectories(parent);
      return Files.createTempDirectory(parent, prefix);
    } catch (IOException e) {
      throw new BadInputException(
          "--state-dir must be a directory that can be written: " + parent + ": " + e, e);
    }
  }

  private static Stage start(
      Path directory, Compression compression, int brokerHeapMib, Map<String, String> settings) {
    EmbeddedBroker broker =
        EmbeddedBroker.start(
            BrokerProgram.in(directory.resolve("kafka"), 0, brokerHeapMib).with(settings),
            BROKER_START);
    try {
      KafkaAccess kafka =
          new KafkaAccess(
              broker.bootstrapServers(),
              Topics.standard(),
              Map.of("compression.type", compression.kafkaName()));
      try (TopicAdmin admin = new TopicAdmin(kafka)) {
        admin.ensureService();
      }
      EmbeddedFlink flink =
          EmbeddedFlink.start(
              FlinkSettings.in(directory.resolve("flink")).withTaskManagers(1, SLOTS));
      return new Stage(directory, broker, flink, kafka);
    } catch (RuntimeException e) {
      broker.close();
      throw e;
    }
  }

  /** Where its state lies until it is closed. */
  public Path directory() {
    return directory;
  }

  public KafkaAccess kafka() {
    return kafka;
  }

  public EmbeddedFlink flink() {
    return flink;
  }

  /** Processor time that the broker's process has used. */
  public Duration brokerCpu() {
    return broker.cpu();
  }

  /** The broker's process. */
  public ProcessHandle broker() {
    return broker.handle();
  }

  /** Ends both; Flink first, so that it does not miss the broker. */
  @Override
  public void close() {
    try {
      flink.close();
    } finally {
      broker.kill();
      FileUtils.deleteDirectoryQuietly(directory.toFile());
    }
  }
}
