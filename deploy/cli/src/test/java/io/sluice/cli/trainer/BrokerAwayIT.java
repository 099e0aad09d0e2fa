package io.sluice.cli.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.loop.PythonFollower;
import io.sluice.cli.loop.TestingPython;
import io.sluice.client.error.StreamStalledException;
import io.sluice.client.feedback.FeedbackReporter;
import io.sluice.client.feedback.ProgressReporter;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trainers whose broker is away for a while, or has less than they ask for. */
class BrokerAwayIT {
  @TempDir private Path directory;

  @Test
  void trainsOnInPythonOnceTheBrokerIsBackAndLosesNoFeedback() throws Exception {
    TestingPython.require("confluent_kafka", "fastavro", "numpy");
    EmbeddedBroker broker = EmbeddedBroker.start(directory, 0, Patience.MINUTE);
    String bootstrap = broker.bootstrapServers();
    KafkaAccess access = KafkaAccess.local(bootstrap);
    WrittenStream written = WrittenStream.create(access, "away", 32, 8);
    written.write(2);
    try (PythonFollower trainer = PythonFollower.start(access, "away", 3, "--timeout", "0.5")) {
      trainer.await("step 2 0");
      broker.close();
      assertThat(trainer.await("stalled"))
          .startsWith("stalled batch 3 did not come within 0.5 s: sequence 16 ");
      broker = EmbeddedBroker.start(directory, port(bootstrap), Patience.MINUTE);
      written.write(1);
      trainer.await("step 3 0");
      assertThat(trainer.next()).isEqualTo("done");
    } finally {
      broker.close();
    }
  }

  @Test
  void namesTheOldestBatchInPythonWhenTheOneToResumeAtIsGone() throws Exception {
    TestingPython.require("confluent_kafka", "fastavro", "numpy");
    try (EmbeddedBroker broker = EmbeddedBroker.start(directory, 0, Patience.MINUTE)) {
      KafkaAccess access = KafkaAccess.local(broker.bootstrapServers());
      WrittenStream written = WrittenStream.create(access, "trimmed", 32, 8);
      written.write(5);
      written.removeBefore(3);
      try (PythonFollower trainer =
          PythonFollower.start(access, "trimmed", 5, "--from-batch", "2")) {
        assertThat(trainer.next())
            .isEqualTo(
                "gone 3 batch 2 is no longer retained in sluice.stream.trimmed: the oldest batch"
                    + " left is 3; resume from a later checkpoint, or keep the stream for longer");
      }
      try (PythonFollower trainer =
          PythonFollower.start(access, "trimmed", 5, "--from-batch", "3")) {
        assertThat(trainer.next()).isEqualTo("step 3 0");
        trainer.await("done");
      }
    }
  }

  private static int port(String bootstrap) {
    return Integer.parseInt(bootstrap.substring(bootstrap.indexOf(':') + 1));
  }

  @Test
  void trainsOnOnceTheBrokerIsBackAndLosesNoFeedback() throws Exception {
    EmbeddedBroker broker = EmbeddedBroker.start(directory, 0, Patience.MINUTE);
    String bootstrap = broker.bootstrapServers();
    KafkaAccess access = KafkaAccess.local(bootstrap);
    WrittenStream written = WrittenStream.create(access, "away", 32, 8);
    written.write(2);
    try (Loader stream = Loader.open(access, written.run(), StreamOptions.defaults());
        FeedbackReporter feedback = FeedbackReporter.open(access, stream, InstantSource.system())) {
      ProgressReporter progress = new ProgressReporter(feedback, 1, () -> -1);
      progress.trained(stream.next(Patience.MINUTE).batch());
      assertThat(stream.next(Patience.MINUTE).batch()).isEqualTo(2);
      broker.close();
      progress.trained(2);
      assertThatThrownBy(() -> stream.next(Duration.ofMillis(500)))
          .isInstanceOf(StreamStalledException.class)
          .hasMessageStartingWith("batch 3 did not come within 0.5 s: sequence 16 ");
      broker = EmbeddedBroker.start(directory, port(bootstrap), Patience.MINUTE);
      written.write(1);
      assertThat(stream.next(Patience.MINUTE).batch()).isEqualTo(3);
      progress.trained(3);
      feedback.flush();
      assertThat(stream.state().batch()).isEqualTo(3);
    } finally {
      broker.close();
    }
  }
}
