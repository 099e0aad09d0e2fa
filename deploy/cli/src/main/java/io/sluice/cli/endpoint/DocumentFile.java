package io.sluice.cli.endpoint;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.control.error.BadInputException;
import io.sluice.refine.synthesis.Outcome;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Documents as lines of JSON: id, text, and a field for each property. They are in the file at once
 * when they are placed there, and until then in one beside it.
 */
public final class DocumentFile implements Output {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int BUFFER = 1 << 16;

  private final Path file;
  private final Path unfinished;
  private final FileChannel channel;
  private final OutputStream out;

  private DocumentFile(Path file, Path unfinished, FileChannel channel) {
    this.file = file;
    this.unfinished = unfinished;
    this.channel = channel;
    this.out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER);
  }

  /**
   * Opens a file, of which what was there stays until something is placed there.
   *
   * @throws BadInputException if it cannot be written
   */
  public static DocumentFile open(Path file) {
    Path unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
    try {
      FileChannel channel =
          FileChannel.open(
              unfinished,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE);
      return new DocumentFile(file, unfinished, channel);
    } catch (IOException e) {
      throw failed(unfinished, e);
    }
  }

  @Override
  public void take(Outcome outcome) {
    if (outcome instanceof Outcome.Made made) {
      add(made);
    }
  }

  private void add(Outcome.Made document) {
    ObjectNode line = JSON.createObjectNode().put("id", document.id()).put("text", document.text());
    document.properties().forEach(line::put);
    try {
      out.write(JSON.writeValueAsBytes(line));
      out.write('\n');
    } catch (IOException e) {
      throw failed(unfinished, e);
    }
  }

  @Override
  public void place() {
    try {
      out.flush();
      channel.force(true);
      Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  private static BadInputException failed(Path file, IOException e) {
    return new BadInputException("--out cannot be written: " + file + ": " + e, e);
  }
}
