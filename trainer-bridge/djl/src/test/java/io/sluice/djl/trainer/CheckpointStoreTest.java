package io.sluice.djl.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.client.run.StreamState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CheckpointStoreTest {
  @TempDir private Path directory;

  @Test
  void keepsTheNewestOnes() throws IOException {
    CheckpointStore store = new CheckpointStore(directory, 2);
    assertThat(store.all()).isEmpty();
    assertThat(store.oldest()).isEqualTo(-1);
    for (long batch : new long[] {9, 10, 11}) {
      write(store, batch);
    }
    CheckpointStore reopened = new CheckpointStore(directory, 2);
    assertThat(reopened.oldest()).isEqualTo(10);
    CheckpointStore.Stored newest = newest(reopened);
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
    assertThat(newest(store).state()).isEqualTo(state(1));
    write(store, 2);
    assertThat(newest(store).state()).isEqualTo(state(2));
  }

  @Test
  void replacesTheCheckpointOfABatchThatIsTrainedAgain() {
    CheckpointStore store = new CheckpointStore(directory, 2);
    write(store, 5);
    store.write(state(5), path -> Files.writeString(path.resolve("model"), "again"));
    assertThat(newest(store).directory().resolve("model")).hasContent("again");
  }

  @Test
  void refusesAnotherRunsCheckpoints() {
    CheckpointStore store = new CheckpointStore(directory, 2);
    write(store, 5);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.requireOnly("r-2"))
        .withMessage(
            "checkpoints in "
                + directory
                + " must be of run r-2, or the directory empty: found run r-1");
  }

  /** Batches 4 and 8 are of a timeline that the run left after batch 2. */
  @Test
  void removesTheCheckpointsOfATimelineThatTheRunLeft() {
    CheckpointStore store = new CheckpointStore(directory, 3);
    for (long batch : new long[] {2, 4, 8}) {
      write(store, batch);
    }
    store.follow(state -> state.timeline() == (state.batch() > 2 ? 1 : 0));
    assertThat(store.oldest()).isEqualTo(2);
    store.write(new StreamState("r-1", 1, 5, 20), path -> Files.writeString(path.resolve("m"), ""));
    assertThat(store.all()).extracting(each -> each.state().batch()).containsExactly(2L, 5L);
    assertThat(store.oldest()).isEqualTo(2);
  }

  private static CheckpointStore.Stored newest(CheckpointStore store) {
    List<CheckpointStore.Stored> all = store.all();
    return all.get(all.size() - 1);
  }

  private static void write(CheckpointStore store, long batch) {
    store.write(
        state(batch), path -> Files.writeString(path.resolve("model"), Long.toString(batch)));
  }

  private static StreamState state(long batch) {
    return new StreamState("r-1", 0, batch, batch * 4);
  }
}
