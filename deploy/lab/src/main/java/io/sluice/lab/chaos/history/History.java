package io.sluice.lab.chaos.history;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * What a process does, a line of JSON each, as {@code deploy/checker/README.md} has them. A line is
 * there even if the process is killed right after; nothing is kept in memory.
 */
public final class History implements AutoCloseable {
  /** How the names of such files end. */
  public static final String SUFFIX = ".history.jsonl";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final FileChannel file;
  private final String process;
  private final InstantSource clock;

  private History(FileChannel file, String process, InstantSource clock) {
    this.file = file;
    this.process = process;
    this.clock = clock;
  }

  /**
   * Goes on with a file, or begins it. A line that a killed process has not finished is cut off.
   *
   * @param name of the process; each life of it has a name of its own in the file
   */
  public static History open(Path directory, String name, InstantSource clock) {
    Path path = directory.resolve(name + SUFFIX);
    try {
      Files.createDirectories(directory);
      FileChannel file = new RandomAccessFile(path.toFile(), "rw").getChannel();
      file.position(wholeLines(file));
      file.truncate(file.position());
      return new History(file, name + "#" + ProcessHandle.current().pid(), clock);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + path, e);
    }
  }

  private static long wholeLines(FileChannel file) throws IOException {
    ByteBuffer one = ByteBuffer.allocate(1);
    for (long end = file.size(); end > 0; end--) {
      file.read(one.clear(), end - 1);
      if (one.get(0) == '\n') {
        return end;
      }
    }
    return 0;
  }

  /**
   * Adds a line.
   *
   * @param values that the operation has, put into the line
   */
  public synchronized void add(Outcome outcome, String operation, Consumer<ObjectNode> values) {
    ObjectNode line =
        MAPPER
            .createObjectNode()
            .put("at", clock.millis())
            .put("process", process)
            .put("type", outcome.label())
            .put("op", operation);
    values.accept(line);
    ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
    try {
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the history of " + process, e);
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close the history of " + process, e);
    }
  }
}
