package io.sluice.cli.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The retained checkpoints of a job under all the ids it ever ran with: {@code <directory>/<job
 * id>/chk-<n>/_metadata}. A restored job counts on from its checkpoint's number, so the highest
 * number is the latest.
 */
final class Checkpoints {
  private static final Pattern NAME = Pattern.compile("chk-(\\d{1,18})");
  private static final int DEPTH = 2;

  private Checkpoints() {}

  /** The latest complete checkpoint; empty when there is none. */
  static Optional<Path> latest(Path directory) {
    if (!Files.isDirectory(directory)) {
      return Optional.empty();
    }
    try (Stream<Path> found = Files.find(directory, DEPTH, (path, attributes) -> complete(path))) {
      return found.max(
          Comparator.comparingLong(Checkpoints::number).thenComparing(Checkpoints::modifiedMillis));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list the checkpoints in " + directory, e);
    }
  }

  private static boolean complete(Path path) {
    return NAME.matcher(path.getFileName().toString()).matches()
        && Files.isRegularFile(path.resolve("_metadata"));
  }

  private static long number(Path checkpoint) {
    return Long.parseLong(checkpoint.getFileName().toString().substring("chk-".length()));
  }

  private static long modifiedMillis(Path checkpoint) {
    try {
      return Files.getLastModifiedTime(checkpoint.resolve("_metadata")).toMillis();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + checkpoint, e);
    }
  }
}
