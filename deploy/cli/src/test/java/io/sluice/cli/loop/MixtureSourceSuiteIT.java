package io.sluice.cli.loop;

import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.connector.testframe.TestResource;
import org.apache.flink.connector.testframe.environment.MiniClusterTestEnvironment;
import org.apache.flink.connector.testframe.external.ExternalContextFactory;
import org.apache.flink.connector.testframe.junit.annotations.TestContext;
import org.apache.flink.connector.testframe.junit.annotations.TestEnv;
import org.apache.flink.connector.testframe.junit.annotations.TestExternalSystem;
import org.apache.flink.connector.testframe.junit.annotations.TestSemantics;
import org.apache.flink.connector.testframe.testsuites.SourceTestSuiteBase;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.util.FileUtils;
import org.jspecify.annotations.Nullable;

/**
 * The source passes what Flink asks of every source, with runs whose whole course is written to the
 * broker as splits.
 */
final class MixtureSourceSuiteIT extends SourceTestSuiteBase<String> {
  @TestSemantics CheckpointingMode[] semantics = {CheckpointingMode.EXACTLY_ONCE};

  @TestEnv MiniClusterTestEnvironment flink = new MiniClusterTestEnvironment();

  @TestExternalSystem RunningBroker broker = new RunningBroker();

  private final AtomicInteger contexts = new AtomicInteger();

  @TestContext
  ExternalContextFactory<WrittenRuns> context =
      name ->
          new WrittenRuns(broker.bootstrapServers(), "suite" + contexts.incrementAndGet() + ".");

  /** A broker in a directory of its own. */
  private static final class RunningBroker implements TestResource {
    private @Nullable EmbeddedBroker broker;
    private @Nullable Path directory;

    String bootstrapServers() {
      return Objects.requireNonNull(broker).bootstrapServers();
    }

    @Override
    public void startUp() throws IOException {
      if (broker == null) {
        directory = Files.createTempDirectory("suite");
        broker = EmbeddedBroker.start(directory, 0, Patience.MINUTE);
      }
    }

    @Override
    public void tearDown() throws IOException {
      if (broker != null && directory != null) {
        broker.close();
        broker = null;
        FileUtils.deleteDirectory(directory.toFile());
      }
    }
  }
}
