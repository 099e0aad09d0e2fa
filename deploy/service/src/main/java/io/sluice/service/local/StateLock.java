package io.sluice.service.local;

import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** The right to use a directory, held by one process at a time. */
public final class StateLock implements AutoCloseable {
  private final FileChannel channel;

  private StateLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Takes a service's state directory, as {@link #take(Path, String, String)} does. */
  public static StateLock take(Path directory) {
    return take(directory, "state directory", "service");
  }

  /**
   * Takes the directory, which is made when missing.
   *
   * @param what it is
   * @param user who uses it
   * @throws BadInputException if another one has it, or it cannot be written
   */
  public static StateLock take(Path directory, String what, String user) {
    try {
      Files.createDirectories(directory);
      FileChannel channel =
          FileChannel.open(
              directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (tryLock(channel) == null) {
        channel.close();
        throw new BadInputException(
            what + " must be used by one " + user + " at a time; one uses it now: " + directory);
      }
      return new StateLock(channel);
    } catch (IOException e) {
      throw new BadInputException(
          what + " must be one that can be made and written: " + directory + ": " + e, e);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot let go of a directory", e);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException heldByThisProcess) {
      return null;
    }
  }
}
