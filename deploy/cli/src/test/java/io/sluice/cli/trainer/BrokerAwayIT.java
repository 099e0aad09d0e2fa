package io.sluice.cli.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.local.EmbeddedBroker;
import io.sluice.client.FeedbackReporter;
import io.sluice.client.ProgressReporter;
import io.sluice.client.StreamOptions;
import io.sluice.client.StreamStalledException;
import io.sluice.client.TrainerStream;
import io.sluice.schema.KafkaAccess;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A trainer whose broker is away for a while. */
class BrokerAwayIT {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir private Path directory;

  @Test
  void trainsOnOnceTheBrokerIsBackAndLosesNoFeedback() throws Exception {
    EmbeddedBroker broker = EmbeddedBroker.start(directory, 0, PATIENCE);
    String bootstrap = broker.bootstrapServers();
    KafkaAccess access = KafkaAccess.local(bootstrap);
    WrittenStream written = WrittenStream.create(access, "away", 32, 8);
    written.write(2);
    try (TrainerStream stream =
            TrainerStream.open(access, written.run(), StreamOptions.defaults());
        FeedbackReporter feedback = FeedbackReporter.open(access, stream, InstantSource.system())) {
      ProgressReporter progress = new ProgressReporter(feedback, 1, () -> -1);
      progress.trained(stream.next(PATIENCE).batch());
      assertThat(stream.next(PATIENCE).batch()).isEqualTo(2);
      broker.close();
      progress.trained(2);
      assertThatThrownBy(() -> stream.next(Duration.ofMillis(500)))
          .isInstanceOf(StreamStalledException.class)
          .hasMessageStartingWith("batch 3 did not come within 500 ms: sequence 16 ");
      int port = Integer.parseInt(bootstrap.substring(bootstrap.indexOf(':') + 1));
      broker = EmbeddedBroker.start(directory, port, PATIENCE);
      written.write(1);
      assertThat(stream.next(PATIENCE).batch()).isEqualTo(3);
      progress.trained(3);
      feedback.flush();
      assertThat(stream.state().batch()).isEqualTo(3);
    } finally {
      broker.close();
    }
  }
}
