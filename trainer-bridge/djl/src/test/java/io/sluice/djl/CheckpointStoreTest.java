package io.sluice.djl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.client.StreamState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CheckpointStoreTest {
  @TempDir private Path directory;

  @Test
  void keepsTheNewestOnes() throws IOException {
    CheckpointStore store = new CheckpointStore(directory, 2);
    assertThat(store.newest("r-1")).isEmpty();
    assertThat(store.oldest()).isEqualTo(-1);
    for (long batch : new long[] {9, 10, 11}) {
      write(store, batch);
    }
    CheckpointStore reopened = new CheckpointStore(directory, 2);
    assertThat(reopened.oldest()).isEqualTo(10);
    CheckpointStore.Stored newest = reopened.newest("r-1").orElseThrow();
    assertThat(newest.state()).isEqualTo(state(11));
    assertThat(newest.directory().resolve("model")).hasContent("11");
  }

  @Test
  void aFailedWriteLeavesTheOlderCheckpoint() {
    CheckpointStore store = new CheckpointStore(directory, 2);
    write(store, 1);
    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(
            () ->
                store.write(
                    state(2),
                    path -> {
                      Files.writeString(path.resolve("model"), "half");
                      throw new IOException("disk full");
                    }))
        .withMessageContaining("disk full");
    assertThat(store.newest("r-1").orElseThrow().state()).isEqualTo(state(1));
    write(store, 2);
    assertThat(store.newest("r-1").orElseThrow().state()).isEqualTo(state(2));
  }

  @Test
  void replacesTheCheckpointOfABatchThatIsTrainedAgain() {
    CheckpointStore store = new CheckpointStore(directory, 2);
    write(store, 5);
    store.write(state(5), path -> Files.writeString(path.resolve("model"), "again"));
    assertThat(store.newest("r-1").orElseThrow().directory().resolve("model")).hasContent("again");
  }

  @Test
  void refusesAnotherRunsCheckpoints() {
    CheckpointStore store = new CheckpointStore(directory, 2);
    write(store, 5);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.newest("r-2"))
        .withMessage(
            "checkpoints in "
                + directory
                + " must be of run r-2, or the directory empty: found run r-1");
  }

  private static void write(CheckpointStore store, long batch) {
    store.write(
        state(batch), path -> Files.writeString(path.resolve("model"), Long.toString(batch)));
  }

  private static StreamState state(long batch) {
    return new StreamState("r-1", 0, batch, batch * 4);
  }
}
