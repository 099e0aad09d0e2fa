package io.sluice.djl.trainer;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.stream.Stream;

/** A checkpoint's files on the disk. */
final class CheckpointFiles {
  private CheckpointFiles() {}

  /** On disk before the rename, so that a checkpoint that exists is whole after a power loss. */
  static void force(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          channel.force(true);
        }
      }
    }
  }

  static void remove(Path path) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> inside = Files.walk(path)) {
      for (Path each : inside.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
