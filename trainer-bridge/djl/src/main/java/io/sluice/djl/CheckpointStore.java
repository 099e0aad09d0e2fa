package io.sluice.djl;

import io.sluice.client.StreamState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
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
  }

  /** Writes a checkpoint, then removes the oldest ones beyond those kept. */
  void write(StreamState state, Writer model) {
    unchecked(
        () -> {
          Path unfinished = directory.resolve(UNFINISHED);
          remove(unfinished);
          Files.createDirectory(unfinished);
          model.write(unfinished);
          Files.writeString(unfinished.resolve(STREAM), state.toJson());
          force(unfinished);
          Path complete = directory.resolve(name(state.batch()));
          remove(complete);
          Files.move(unfinished, complete, StandardCopyOption.ATOMIC_MOVE);
          prune();
          return complete;
        });
  }

  /**
   * The newest checkpoint.
   *
   * @throws IllegalArgumentException if it belongs to another run
   */
  Optional<Stored> newest(String runId) {
    List<Path> all = complete();
    if (all.isEmpty()) {
      return Optional.empty();
    }
    Path newest = all.get(all.size() - 1);
    StreamState state =
        StreamState.parse(unchecked(() -> Files.readString(newest.resolve(STREAM))));
    if (!state.runId().equals(runId)) {
      throw new IllegalArgumentException(
          "checkpoints in "
              + directory
              + " must be of run "
              + runId
              + ", or the directory empty: found run "
              + state.runId());
    }
    return Optional.of(new Stored(newest, state));
  }

  /** Batch of the oldest checkpoint; −1 if there is none. */
  long oldest() {
    List<Path> all = complete();
    return all.isEmpty()
        ? -1
        : Long.parseLong(all.get(0).getFileName().toString().substring("batch-".length()));
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
    List<Path> all = complete();
    for (Path old : all.subList(0, Math.max(0, all.size() - keep))) {
      remove(old);
    }
  }

  /** On disk before the rename, so that a checkpoint that exists is whole after a power loss. */
  private static void force(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          channel.force(true);
        }
      }
    }
  }

  private static void remove(Path path) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> inside = Files.walk(path)) {
      for (Path each : inside.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
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
