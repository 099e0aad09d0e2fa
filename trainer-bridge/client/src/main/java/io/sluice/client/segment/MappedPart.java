package io.sluice.client.segment;

import io.sluice.client.cache.ObjectAwaitedException;
import io.sluice.client.error.StreamCorruptException;
import io.sluice.client.error.StreamMissingException;
import io.sluice.schema.FileInPlace;
import io.sluice.schema.StoredPart;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * A part of a file, mapped: whoever replaces the file leaves the bytes as they were. One that is
 * cut while it is mapped gives nothing of use, and then an {@link InternalError} somewhere after
 * that: {@link #requireWhole} says so.
 */
final class MappedPart {
  /** What one mapping has at most, in whole items. */
  private static final long WINDOW = 1L << 30;

  private final Path file;
  private final long end;
  private final long perWindow;
  private final int item;
  private final ByteBuffer[] windows;
  private final @Nullable FileInPlace indexed;
  private final boolean mayGo;

  private MappedPart(
      Path file,
      StoredPart part,
      int item,
      ByteBuffer[] windows,
      @Nullable FileInPlace indexed,
      boolean mayGo) {
    this.mayGo = mayGo;
    this.file = file;
    this.indexed = indexed;
    this.end = part.getOffset() + part.getLength();
    this.item = item;
    this.perWindow = Math.max(1, WINDOW / item);
    this.windows = windows;
  }

  /**
   * Maps a part of a file.
   *
   * @param item bytes of what is read at a time, which begins at a multiple of this
   * @param indexed how the file was when it was indexed, if it is another's
   * @param mayGo whether the file may go once it is mapped
   * @throws ObjectAwaitedException if the file may go, and has gone
   * @throws StreamMissingException if the file cannot be read
   * @throws StreamCorruptException if it ends before the part does, or is not what it was
   */
  static MappedPart map(
      Path file, StoredPart part, int item, @Nullable FileInPlace indexed, boolean mayGo) {
    long window = Math.max(1, WINDOW / item) * item;
    ByteBuffer[] windows = new ByteBuffer[(int) ((part.getLength() + window - 1) / window)];
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      requireEnd(file, channel.size(), part.getOffset() + part.getLength());
      for (int i = 0; i < windows.length; i++) {
        long length = Math.min(window, part.getLength() - i * window);
        windows[i] = channel.map(MapMode.READ_ONLY, part.getOffset() + i * window, length);
      }
      MappedPart mapped = new MappedPart(file, part, item, windows, indexed, mayGo);
      if (indexed != null) {
        mapped.requireWhole();
      }
      return mapped;
    } catch (ClosedByInterruptException e) {
      throw new InterruptException(new InterruptedException(e.getMessage()));
    } catch (IOException e) {
      if (mayGo && e instanceof NoSuchFileException) {
        throw new ObjectAwaitedException(file + " was gone before it was mapped");
      }
      throw missing(file, e);
    }
  }

  private static StreamMissingException missing(Path file, IOException e) {
    return new StreamMissingException(
        file + " cannot be read: " + e.getClass().getSimpleName() + " " + e.getMessage());
  }

  private static void requireUnchanged(Path file, FileInPlace indexed) throws IOException {
    BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
    String modified = Long.toString(now.lastModifiedTime().toMillis());
    if (now.size() != indexed.getBytes() || !modified.equals(indexed.getVersion())) {
      throw new StreamCorruptException(
          ("%s is not what it was when it was indexed: it had %d bytes, modified at %s ms, and has"
                  + " %d, modified at %s ms")
              .formatted(file, indexed.getBytes(), indexed.getVersion(), now.size(), modified));
    }
  }

  private static void requireEnd(Path file, long size, long end) {
    if (size < end) {
      throw new StreamCorruptException(
          file + " has " + size + " bytes: its records say that there are " + end);
    }
  }

  Path file() {
    return file;
  }

  /** Copies bytes of an item, from its first on. */
  void copy(long number, byte[] to, int at, int bytes) {
    ByteBuffer window = windows[(int) (number / perWindow)];
    window.get((int) (number % perWindow) * item, to, at, bytes);
  }

  /** The bytes of a part that is one item. */
  ByteBuffer bytes() {
    return windows[0].duplicate();
  }

  /** Fails if the file is gone and may not, or has been cut, or is another's and has changed. */
  void requireWhole() {
    if (mayGo && Files.notExists(file)) {
      return;
    }
    try {
      requireEnd(file, Files.size(file), end);
      if (indexed != null) {
        requireUnchanged(file, indexed);
      }
    } catch (IOException e) {
      throw missing(file, e);
    }
  }
}
