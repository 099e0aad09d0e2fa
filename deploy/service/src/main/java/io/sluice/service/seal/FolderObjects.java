package io.sluice.service.seal;

import io.sluice.schema.segment.SegmentStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Objects that are files of a folder: written under another name, made durable, renamed. */
final class FolderObjects implements SealedObjects {
  private static final String BEGUN = "sealing-";
  private static final String UNNAMED = ".tmp";

  private final SegmentStore store;
  private final String dataset;
  private final Path folder;

  FolderObjects(SegmentStore store, String dataset) {
    this.store = store;
    this.dataset = dataset;
    this.folder = store.folder().resolve(dataset);
  }

  @Override
  public String place() {
    return folder.toString();
  }

  @Override
  public Optional<String> owner() throws IOException {
    Path file = folder.resolve(OWNER);
    return Files.exists(file) ? Optional.of(Files.readString(file)) : Optional.empty();
  }

  @Override
  public void claim(String owner) throws IOException {
    Files.createDirectories(folder);
    write(folder.resolve(OWNER), List.of(owner.getBytes(StandardCharsets.UTF_8)));
  }

  @Override
  public void put(String object, ObjectBytes bytes) throws IOException {
    write(store.file(object), bytes.pieces());
  }

  private void write(Path named, List<byte[]> pieces) throws IOException {
    Path file = folder.resolve(BEGUN + UUID.randomUUID() + UNNAMED);
    try {
      try (FileChannel out =
          FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        for (byte[] piece : pieces) {
          ByteBuffer left = ByteBuffer.wrap(piece);
          while (left.hasRemaining()) {
            out.write(left);
          }
        }
        out.force(true);
      }
      Files.move(file, named, StandardCopyOption.ATOMIC_MOVE);
      // The name is kept after a power cut, too.
      try (FileChannel directory = FileChannel.open(folder)) {
        directory.force(true);
      }
    } finally {
      Files.deleteIfExists(file);
    }
  }

  @Override
  public void sweep(Predicate<String> orphaned, Instant before) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = file.getFileName().toString();
        boolean begun = name.startsWith(BEGUN) && name.endsWith(UNNAMED);
        if ((begun || orphaned.test(dataset + "/" + name))
            && Files.getLastModifiedTime(file).toInstant().isBefore(before)) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  @Override
  public void close() {
    // Nothing is open between two calls.
  }
}
