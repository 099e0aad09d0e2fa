package io.sluice.lab.chaos.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/** A file that is not what it was until this is closed. */
public final class SpoiltFile implements AutoCloseable {
  private final Path file;
  private final byte[] content;
  private final boolean replaced;

  private SpoiltFile(Path file, byte[] content, boolean replaced) {
    this.file = file;
    this.content = content;
    this.replaced = replaced;
  }

  /** Cuts a file where it is, to less than half of it: whoever has it open has it cut. */
  public static SpoiltFile cut(Path file, Random random) {
    try {
      byte[] content = Files.readAllBytes(file);
      try (FileChannel open = FileChannel.open(file, StandardOpenOption.WRITE)) {
        open.truncate(random.nextInt(content.length / 2));
      }
      return new SpoiltFile(file, content, false);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot cut " + file, e);
    }
  }

  /** Gives the name to a file of the same size, no byte of which is the same. */
  public static SpoiltFile replace(Path file) {
    try {
      byte[] content = Files.readAllBytes(file);
      byte[] other = new byte[content.length];
      for (int i = 0; i < other.length; i++) {
        other[i] = (byte) ~content[i];
      }
      rename(file, other);
      return new SpoiltFile(file, content, true);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot replace " + file, e);
    }
  }

  private static void rename(Path file, byte[] content) throws IOException {
    Path next = Files.write(file.resolveSibling(file.getFileName() + ".next"), content);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Makes it what it was, in the same way. */
  @Override
  public void close() {
    try {
      if (replaced) {
        rename(file, content);
      } else {
        Files.write(file, content, StandardOpenOption.WRITE);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot restore " + file, e);
    }
  }
}
