package io.sluice.service.flink;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The retained checkpoints of a job under all the ids it ever ran with: {@code <directory>/<job
 * id>/chk-<n>/_metadata}. A restored job counts on from its checkpoint's number, so the highest
 * number is the latest.
 */
final class Checkpoints {
  private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
  private static final Pattern NAME = Pattern.compile("chk-(\\d{1,18})");
  private static final Pattern SUBMISSION = Pattern.compile("[0-9a-f]{32}");
  private static final String METADATA = "_metadata";
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

  /**
   * Removes the files that earlier submissions of the job have left, once the present one stands on
   * its own: as many checkpoints as Flink keeps are its own, so that it counts on none that it
   * began from. What its checkpoints share with earlier ones they name by its path, and it stays.
   *
   * @param job id of the present submission
   * @return whether it stands on its own
   */
  static boolean removeOlder(Path directory, String job) {
    try {
      List<Path> own = completeIn(directory.resolve(job));
      if (own.size() < JobGraphs.RETAINED_CHECKPOINTS) {
        return false;
      }
      List<String> kept = new ArrayList<>();
      for (Path checkpoint : own) {
        kept.add(Files.readString(checkpoint.resolve(METADATA), StandardCharsets.ISO_8859_1));
      }
      for (Path earlier : submissions(directory)) {
        if (!earlier.endsWith(job)) {
          removeUnnamed(directory, earlier, kept);
        }
      }
      return true;
    } catch (IOException | UncheckedIOException e) {
      LOG.debug("checkpoints in {} come and go; they are looked at again", directory, e);
      return false;
    }
  }

  /** Removes every checkpoint. */
  static void removeAll(Path directory) {
    try {
      if (Files.isDirectory(directory)) {
        for (Path submission : submissions(directory)) {
          removeUnnamed(directory, submission, List.of());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove the checkpoints in " + directory, e);
    }
  }

  /** Removes the files of a submission that no metadata names, and what is empty then. */
  private static void removeUnnamed(Path directory, Path submission, List<String> kept)
      throws IOException {
    List<Path> deepestFirst;
    try (Stream<Path> found = Files.walk(submission)) {
      deepestFirst = found.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : deepestFirst) {
      String name = directory.relativize(path).toString();
      if (Files.isDirectory(path)
          ? isEmpty(path)
          : kept.stream().noneMatch(m -> m.contains(name))) {
        Files.deleteIfExists(path);
      }
    }
    LOG.info("older checkpoints of {} are removed", submission);
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> found = Files.list(directory)) {
      return found.findAny().isEmpty();
    }
  }

  private static List<Path> completeIn(Path submission) throws IOException {
    if (!Files.isDirectory(submission)) {
      return List.of();
    }
    try (Stream<Path> found = Files.list(submission)) {
      return found.filter(Checkpoints::complete).toList();
    }
  }

  private static List<Path> submissions(Path directory) throws IOException {
    try (Stream<Path> found = Files.list(directory)) {
      return found
          .filter(path -> SUBMISSION.matcher(path.getFileName().toString()).matches())
          .toList();
    }
  }

  private static boolean complete(Path path) {
    return NAME.matcher(path.getFileName().toString()).matches()
        && Files.isRegularFile(path.resolve(METADATA));
  }

  private static long number(Path checkpoint) {
    return Long.parseLong(checkpoint.getFileName().toString().substring("chk-".length()));
  }

  private static long modifiedMillis(Path checkpoint) {
    try {
      return Files.getLastModifiedTime(checkpoint.resolve(METADATA)).toMillis();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + checkpoint, e);
    }
  }
}
