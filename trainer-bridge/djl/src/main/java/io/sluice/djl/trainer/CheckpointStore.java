package io.sluice.djl.trainer;

import io.sluice.client.run.StreamState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Checkpoints in a directory: one directory for each, named by its batch, that appears at once and
 * complete, with the model, the optimizer and the position in the stream.
 *
 * <p>One trainer writes to a directory at a time.
 */
final class CheckpointStore {
  static final String STREAM = "stream.json";
  private static final Pattern NAME = Pattern.compile("batch-\\d{12}");
  private static final String UNFINISHED = "unfinished";

  private final Path directory;
  private final int keep;
  private Predicate<StreamState> stands = state -> true;
  private long oldest;

  /** Writes the files of one checkpoint into a directory. */
  @FunctionalInterface
  interface Writer {
    void write(Path directory) throws IOException;
  }

  /** A complete checkpoint. */
  record Stored(Path directory, StreamState state) {}

  /** Opens the directory, made if it is missing. */
  CheckpointStore(Path directory, int keep) {
    this.directory = directory;
    this.keep = keep;
    unchecked(() -> Files.createDirectories(directory));
    follow(stands);
  }

  /**
   * Writes a checkpoint, then removes those of timelines that the run left, and the oldest ones
   * beyond those kept.
   */
  void write(StreamState state, Writer model) {
    unchecked(
        () -> {
          Path unfinished = directory.resolve(UNFINISHED);
          CheckpointFiles.remove(unfinished);
          Files.createDirectory(unfinished);
          model.write(unfinished);
          Files.writeString(unfinished.resolve(STREAM), state.toJson());
          CheckpointFiles.force(unfinished);
          Path complete = directory.resolve(name(state.batch()));
          CheckpointFiles.remove(complete);
          Files.move(unfinished, complete, StandardCopyOption.ATOMIC_MOVE);
          prune();
          return complete;
        });
    oldest = standing().stream().mapToLong(each -> each.state().batch()).min().orElse(-1);
  }

  /** From now on only checkpoints of batches that the run's log stands by count. */
  void follow(Predicate<StreamState> stands) {
    this.stands = stands;
    oldest = standing().stream().mapToLong(each -> each.state().batch()).min().orElse(-1);
  }

  /** Every complete checkpoint, by batch. */
  List<Stored> all() {
    List<Stored> all = new ArrayList<>();
    for (Path each : complete()) {
      all.add(
          new Stored(
              each, StreamState.parse(unchecked(() -> Files.readString(each.resolve(STREAM))))));
    }
    return all;
  }

  private List<Stored> standing() {
    return all().stream().filter(each -> stands.test(each.state())).toList();
  }

  /**
   * Refuses a directory of another run's checkpoints, which new ones would replace.
   *
   * @throws IllegalArgumentException if there are any
   */
  void requireOnly(String runId) {
    for (Stored each : all()) {
      if (!each.state().runId().equals(runId)) {
        throw new IllegalArgumentException(
            "checkpoints in "
                + directory
                + " must be of run "
                + runId
                + ", or the directory empty: found run "
                + each.state().runId());
      }
    }
  }

  /** Batch of the oldest checkpoint that the run stands by; −1 if there is none. */
  long oldest() {
    return oldest;
  }

  private static String name(long batch) {
    return String.format("batch-%012d", batch);
  }

  private List<Path> complete() {
    return unchecked(
        () -> {
          try (Stream<Path> entries = Files.list(directory)) {
            return entries
                .filter(path -> NAME.matcher(path.getFileName().toString()).matches())
                .sorted()
                .toList();
          }
        });
  }

  private void prune() throws IOException {
    List<Stored> standing = standing();
    for (Stored each : all()) {
      if (!stands.test(each.state())) {
        CheckpointFiles.remove(each.directory());
      }
    }
    for (Stored old : standing.subList(0, Math.max(0, standing.size() - keep))) {
      CheckpointFiles.remove(old.directory());
    }
  }

  private interface FileAction<T> {
    T run() throws IOException;
  }

  private static <T> T unchecked(FileAction<T> action) {
    try {
      return action.run();
    } catch (IOException e) {
      throw new UncheckedIOException("checkpoint could not be read or written: " + e, e);
    }
  }
}
