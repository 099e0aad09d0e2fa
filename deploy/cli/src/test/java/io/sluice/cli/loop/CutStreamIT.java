package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.trainer.WrittenStream;
import io.sluice.client.error.BatchNoLongerRetainedException;
import io.sluice.client.run.StreamState;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams whose head is removed before a client comes, and while it reads. */
class CutStreamIT {
  private static final int BATCH = 8;

  /** More than a client fetches ahead: its position is removed while it stands there. */
  private static final int LONG = 1 << 17;

  @TempDir private static Path directory;

  private static EmbeddedBroker broker;
  private static KafkaAccess kafka;

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start(directory, 0, Patience.MINUTE);
    kafka = KafkaAccess.local(broker.bootstrapServers());
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Test
  void aTrainerThatComesTooLateIsToldTheOldestBatch() throws Exception {
    WrittenStream written = written("late", 32, 40);
    written.removeBefore(21);
    StreamState state = new StreamState(written.run().runId(), 0, 10, 10 * BATCH);
    try (Loader stream = Loader.open(kafka, written.run(), observing(), state)) {
      assertThatThrownBy(() -> stream.next(Patience.MINUTE))
          .isInstanceOf(BatchNoLongerRetainedException.class)
          .hasMessage(goneMessage(11, "late", 21));
      stream.seekToBatch(21);
      assertThat(stream.next(Patience.MINUTE).batch()).isEqualTo(21);
      stream.seek(state);
      assertThatThrownBy(() -> stream.next(Patience.MINUTE))
          .isInstanceOf(BatchNoLongerRetainedException.class);
    }
  }

  @Test
  void aTrainerIsToldThatItsPlaceWasRemovedAndGoesOnWhereItWasNot() throws Exception {
    WrittenStream written = written("living", LONG, 40);
    try (Loader stream = Loader.open(kafka, written.run(), observing().withBufferBytes(1))) {
      assertThat(stream.next(Patience.MINUTE).batch()).isEqualTo(1);
      written.removeBefore(31);
      assertThatThrownBy(() -> readOn(stream))
          .isInstanceOf(BatchNoLongerRetainedException.class)
          .hasMessageEndingWith(
              "the oldest batch left is 31; resume from a later checkpoint, or keep the stream for"
                  + " longer");
      stream.seekToBatch(31);
      assertThat(stream.next(Patience.MINUTE).batch()).isEqualTo(31);
    }
  }

  @Test
  void aPythonTrainerIsToldTheSame() throws Exception {
    TestingPython.require("confluent_kafka", "fastavro", "numpy");
    WrittenStream written = written("python", LONG, 40);
    try (PythonFollower trainer =
        PythonFollower.start(kafka, "python", 40, "--rest-after", "1", "--prefetch-bytes", "1")) {
      trainer.await("step 1 0");
      written.removeBefore(31);
      trainer.goOn();
      assertThat(trainer.await("gone"))
          .startsWith("gone 31 batch ")
          .contains(" is no longer retained in sluice.stream.python: the oldest batch left is 31;");
    }
  }

  private static String goneMessage(long batch, String run, long oldest) {
    return "batch "
        + batch
        + " is no longer retained in sluice.stream."
        + run
        + ": the oldest batch left is "
        + oldest
        + "; resume from a later checkpoint, or keep the stream for longer";
  }

  private static void readOn(Loader stream) {
    while (stream.state().batch() < 40) {
      stream.next(Patience.MINUTE);
    }
  }

  private static StreamOptions observing() {
    return StreamOptions.defaults().observing();
  }

  private static WrittenStream written(String run, int sequenceLength, int batches) {
    WrittenStream written = WrittenStream.create(kafka, run, sequenceLength, BATCH);
    written.write(batches);
    return written;
  }
}
