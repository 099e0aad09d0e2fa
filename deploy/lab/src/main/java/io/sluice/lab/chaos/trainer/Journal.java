package io.sluice.lab.chaos.trainer;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a trainer writes down, a line each, so that its life can be judged when it is over. A line
 * that a killed trainer has not finished is no line.
 */
public record Journal(Path file) {
  private static final int TAIL = 1 << 12;

  /** One line. */
  public sealed interface Line {}

  /** The trainer begins, or begins again, and goes on after the batch. */
  public record Begun(long batch) implements Line {}

  /**
   * A batch was accepted.
   *
   * @param digest of its sequences, as {@link SequenceDigest} makes it
   * @param rows digest of its rows, as the reader said it: see {@link
   *     io.sluice.schema.segment.BatchDigest}
   * @param atMillis when
   * @param waitedMillis how long the trainer had waited for it
   */
  public record Accepted(
      long batch,
      long firstIndex,
      int sequences,
      int version,
      String digest,
      long rows,
      long atMillis,
      long waitedMillis)
      implements Line {}

  /** The feedback up to the batch is acknowledged: the trainer could go on from here. */
  record Saved(long batch) implements Line {}

  /** The reader refused to give a batch, and said why. */
  public record Refused(long batch, String why) implements Line {}

  /** Adds a line; it is there even if this process is killed right after. */
  public synchronized void add(Line line) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.writeString(
          file,
          encode(line) + "\n",
          StandardCharsets.US_ASCII,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }

  /** Makes what follows begin on a line of its own, whatever a killed trainer left. */
  void mend() {
    try {
      String text = Files.exists(file) ? Files.readString(file) : "";
      if (!text.isEmpty() && !text.endsWith("\n")) {
        Files.writeString(file, text.substring(0, text.lastIndexOf('\n') + 1));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot mend " + file, e);
    }
  }

  /** Every whole line; none if there is no file. */
  public List<Line> read() {
    try {
      List<Line> lines = new ArrayList<>();
      String text = Files.exists(file) ? Files.readString(file) : "";
      for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
        lines.add(decode(line));
      }
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  /** What the reader refused, in order. */
  public List<Refused> refused() {
    return read().stream().filter(Refused.class::isInstance).map(Refused.class::cast).toList();
  }

  /** The last batch that was accepted, near the end of the file; 0 if there is none. */
  public long lastAccepted() {
    return lastAcceptance().map(Accepted::batch).orElse(0L);
  }

  /** When that was, in milliseconds since 1970; 0 if there is none. */
  public long lastAcceptedMillis() {
    return lastAcceptance().map(Accepted::atMillis).orElse(0L);
  }

  private Optional<Accepted> lastAcceptance() {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
      long from = Math.max(0, open.length() - TAIL);
      byte[] bytes = new byte[(int) (open.length() - from)];
      open.seek(from);
      open.readFully(bytes);
      String text = new String(bytes, StandardCharsets.US_ASCII);
      int first = from == 0 ? 0 : text.indexOf('\n') + 1;
      int end = Math.max(first, text.lastIndexOf('\n') + 1);
      return text.substring(first, end)
          .lines()
          .map(Journal::decode)
          .filter(Accepted.class::isInstance)
          .map(Accepted.class::cast)
          .reduce((earlier, later) -> later);
    } catch (FileNotFoundException none) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  private static String encode(Line line) {
    if (line instanceof Accepted a) {
      return String.join(
          " ",
          "accepted",
          Long.toString(a.batch),
          Long.toString(a.firstIndex),
          Integer.toString(a.sequences),
          Integer.toString(a.version),
          a.digest,
          Long.toHexString(a.rows),
          Long.toString(a.atMillis),
          Long.toString(a.waitedMillis));
    }
    if (line instanceof Refused refused) {
      return "refused " + refused.batch + " " + refused.why.replaceAll("\\R", " ");
    }
    return line instanceof Begun begun ? "begun " + begun.batch : "saved " + ((Saved) line).batch;
  }

  private static Line decode(String line) {
    String[] words = line.split(" ", -1);
    long batch = Long.parseLong(words[1]);
    return switch (words[0]) {
      case "begun" -> new Begun(batch);
      case "saved" -> new Saved(batch);
      case "refused" -> new Refused(batch, line.split(" ", 3)[2]);
      default ->
          new Accepted(
              batch,
              Long.parseLong(words[2]),
              Integer.parseInt(words[3]),
              Integer.parseInt(words[4]),
              words[5],
              Long.parseUnsignedLong(words[6], 16),
              Long.parseLong(words[7]),
              Long.parseLong(words[8]));
    };
  }
}
