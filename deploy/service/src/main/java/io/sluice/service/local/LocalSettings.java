package io.sluice.service.local;

import io.sluice.corpus.range.SourceRoots;
import io.sluice.jobs.prepare.read.ReadCorpusFactory;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What a service on this machine is started with.
 *
 * @param stateDirectory holds the broker's log and the jobs' checkpoints; one service at a time
 * @param kafka the broker to use; empty to start one
 * @param port of the started broker; 0 for any free one
 * @param topics names of the topics, when a broker is started
 * @param checkpointInterval time between checkpoints; streams and blocks can be read after one
 * @param prepareThreads that make tokens of texts in each task that prepares a dataset, as {@link
 *     Preparation} has them
 * @param sourceRoots below which files are read that a corpus names
 */
public record LocalSettings(
    Path stateDirectory,
    Optional<KafkaAccess> kafka,
    int port,
    Topics topics,
    Duration checkpointInterval,
    int prepareThreads,
    SourceRoots sourceRoots) {
  /** Makes the directory absolute, and checks the number of threads. */
  public LocalSettings {
    stateDirectory = stateDirectory.toAbsolutePath().normalize();
    Preparation.requireThreads(prepareThreads);
  }

  /** A service with a broker of its own on any free port, under the standard names. */
  public static LocalSettings in(Path stateDirectory) {
    return new LocalSettings(
        stateDirectory,
        Optional.empty(),
        0,
        Topics.standard(),
        Duration.ofMillis(500),
        ReadCorpusFactory.ALL_PROCESSORS,
        SourceRoots.NONE);
  }

  /** The same with the given broker. */
  public LocalSettings withKafka(KafkaAccess access) {
    return new LocalSettings(
        stateDirectory,
        Optional.of(access),
        port,
        access.topics(),
        checkpointInterval,
        prepareThreads,
        sourceRoots);
  }

  /** The same with another port of the started broker. */
  public LocalSettings withPort(int brokerPort) {
    return new LocalSettings(
        stateDirectory, kafka, brokerPort, topics, checkpointInterval, prepareThreads, sourceRoots);
  }

  /** The same with other names of the topics. */
  public LocalSettings withTopics(Topics names) {
    return new LocalSettings(
        stateDirectory, kafka, port, names, checkpointInterval, prepareThreads, sourceRoots);
  }

  /** The same with more or fewer threads that make tokens. */
  public LocalSettings withPrepareThreads(int threads) {
    return new LocalSettings(
        stateDirectory, kafka, port, topics, checkpointInterval, threads, sourceRoots);
  }

  /** The same with files that a corpus may name. */
  public LocalSettings withSourceRoots(SourceRoots roots) {
    return new LocalSettings(
        stateDirectory, kafka, port, topics, checkpointInterval, prepareThreads, roots);
  }

  /** With how much each dataset is prepared, in so many tasks of each step. */
  public Preparation preparation(int parallelism) {
    return new Preparation(parallelism, prepareThreads, sourceRoots);
  }
}
