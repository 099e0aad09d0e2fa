package io.sluice.lab.chaos.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The wall clocks of processes, each of which can be set wrong. What tells the time in their place
 * is a library of some lines of C, which is compiled here and loaded before all others. Waits for a
 * moment of the wall clock still keep to the right one.
 */
public final class WallClocks {
  private static final String SOURCE = "wall-clock.c";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Path library;
  private final Path offsets;

  private WallClocks(Path library, Path offsets) {
    this.library = library;
    this.offsets = offsets;
  }

  /** Whether this machine has what it takes. */
  public static boolean arePossible() {
    try {
      Path directory = Files.createTempDirectory("sluice-clocks");
      Path library = directory.resolve("wall-clock.so");
      try {
        return compile(directory, library);
      } finally {
        Files.deleteIfExists(library);
        Files.deleteIfExists(directory.resolve(SOURCE));
        Files.delete(directory);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write temporary files", e);
    }
  }

  /** Those of processes that are started with {@link #environment}; empty without a compiler. */
  public static Optional<WallClocks> in(Path directory) {
    try {
      Path offsets = Files.createDirectories(directory.toAbsolutePath().resolve("ahead"));
      Path library = directory.toAbsolutePath().resolve("wall-clock.so");
      return compile(directory, library)
          ? Optional.of(new WallClocks(library, offsets))
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + directory, e);
    }
  }

  private static boolean compile(Path directory, Path library) throws IOException {
    Path source = directory.resolve(SOURCE);
    try (InputStream text = Objects.requireNonNull(WallClocks.class.getResourceAsStream(SOURCE))) {
      Files.copy(text, source, StandardCopyOption.REPLACE_EXISTING);
    }
    Process compiler;
    try {
      compiler =
          new ProcessBuilder(
                  "cc",
                  "-O2",
                  "-shared",
                  "-fPIC",
                  "-o",
                  library.toString(),
                  source.toString(),
                  "-ldl")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException noSuchProgram) {
      return false;
    }
    try {
      return compiler.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) && compiler.exitValue() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      compiler.destroyForcibly();
    }
  }

  /** What a process needs around it so that its clock can be set. */
  public Map<String, String> environment() {
    return Map.of("LD_PRELOAD", library.toString(), "SLUICE_CLOCKS", offsets.toString());
  }

  /**
   * Sets a process's clock ahead of the right time, or behind it; nothing happens if it is gone.
   */
  public void set(long pid, Duration ahead) {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    bytes.putLong(ahead.toSeconds()).flip();
    Path file = offsets.resolve(Long.toString(pid));
    if (!Files.exists(file)) {
      return;
    }
    try (FileChannel open = FileChannel.open(file, StandardOpenOption.WRITE)) {
      open.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot set the clock of process " + pid, e);
    }
  }
}
