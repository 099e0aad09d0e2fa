package io.sluice.refine.synthesis.store;

import io.sluice.control.error.BadInputException;
import io.sluice.refine.synthesis.AnswerStore;
import io.sluice.refine.synthesis.Reply;
import io.sluice.refine.synthesis.RequestKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Replies in a file that is only ever added to, a line each. A line is the checksum of the rest
 * (CRC-32C, 8 hexadecimal digits), a space, and a map in JSON; the first says what the file is.
 * Reservations and replies are on disk before whoever wrote them goes on. The end of a line that
 * was being written when the process or the machine died is cut off on opening; a line that is not
 * as it was written, with others behind it, is an error. One process has the file at a time.
 *
 * <p>Where replies are is remembered, about 250 bytes for each; they are read when asked for.
 */
public final class AnswerFile implements AnswerStore {
  private final Path file;
  private final FileChannel channel;
  private final Map<RequestKey, Place> replies = new HashMap<>();
  private final Ledger ledger = new Ledger();
  private final Object disk = new Object();
  private long end;
  private long safe;

  /** Where a line is, without its line feed. */
  private record Place(long start, int length) {}

  private AnswerFile(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Opens a file, which is made if there is none.
   *
   * @throws BadInputException if it is something else, damaged, in use, or cannot be written
   */
  public static AnswerFile open(Path file) {
    try {
      AnswerFile answers =
          new AnswerFile(
              file,
              FileChannel.open(
                  file,
                  StandardOpenOption.CREATE,
                  StandardOpenOption.READ,
                  StandardOpenOption.WRITE));
      answers.claim();
      return answers;
    } catch (IOException e) {
      throw new BadInputException("--answers cannot be used: " + file + ": " + e, e);
    }
  }

  @Override
  public Optional<Reply.Settled> get(RequestKey key) {
    Place place;
    synchronized (this) {
      place = replies.get(key);
    }
    return Optional.ofNullable(place).map(this::reply);
  }

  @Override
  public synchronized boolean has(RequestKey key) {
    return replies.containsKey(key);
  }

  @Override
  public void reserve(RequestKey key, long tokens) {
    force(append(new AnswerLine.Reserved(key, tokens)));
  }

  /** Not waited for: if it is lost, the reservation counts. */
  @Override
  public void settle(RequestKey key, long tokens) {
    append(new AnswerLine.Settled(key, tokens));
  }

  @Override
  public void put(RequestKey key, Reply.Settled reply, long tokens) {
    force(append(new AnswerLine.Replied(key, reply, tokens)));
  }

  @Override
  public synchronized long spent() {
    return ledger.spent();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private void claim() throws IOException {
    boolean mine = false;
    try {
      if (channel.tryLock() == null) {
        throw inUse();
      }
      load();
      mine = true;
    } catch (OverlappingFileLockException e) {
      throw inUse();
    } finally {
      if (!mine) {
        channel.close();
      }
    }
  }

  private synchronized void load() throws IOException {
    LineScan scan = new LineScan(channel);
    byte[] head = AnswerLine.head();
    byte[] first = scan.next();
    if (first == null ? !isBegun(head) : !AnswerLine.isHead(first)) {
      throw new BadInputException("--answers must be a file of answers of this version: " + file);
    }
    end = first == null ? 0 : head.length;
    for (byte[] line = scan.next(); first != null && line != null; line = scan.next()) {
      AnswerLine read = AnswerLine.decode(line);
      if (read == null && scan.atEnd()) {
        break;
      }
      if (read == null) {
        throw damaged(scan.start());
      }
      note(read, new Place(scan.start(), line.length));
      end = scan.start() + line.length + 1;
    }
    channel.truncate(end);
    if (first == null) {
      write(head);
    }
    channel.force(true);
    safe = end;
  }

  /** Whether the file is empty, or its writer died within the first line. */
  private boolean isBegun(byte[] head) throws IOException {
    ByteBuffer found = ByteBuffer.allocate(head.length);
    int length = Math.max(0, channel.read(found, 0));
    return length == channel.size() && Arrays.equals(head, 0, length, found.array(), 0, length);
  }

  private void note(AnswerLine line, Place place) {
    ledger.note(line);
    if (line instanceof AnswerLine.Replied) {
      replies.put(line.key(), place);
    }
  }

  /** Returns the end of the file with the line. */
  private synchronized long append(AnswerLine line) {
    byte[] bytes = AnswerLine.encode(line);
    Place place = new Place(end, bytes.length - 1);
    try {
      write(bytes);
    } catch (IOException e) {
      throw failed(e);
    }
    note(line, place);
    return end;
  }

  /** What a write that fails has written is written over by the next one. */
  private synchronized void write(byte[] bytes) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(bytes);
    while (left.hasRemaining()) {
      channel.write(left, end + left.position());
    }
    end += bytes.length;
  }

  /** Waits until the file is on disk up to a place; one thread does it for all that came before. */
  private void force(long upTo) {
    synchronized (disk) {
      if (safe >= upTo) {
        return;
      }
      long written;
      synchronized (this) {
        written = end;
      }
      try {
        channel.force(false);
      } catch (IOException e) {
        throw failed(e);
      }
      safe = written;
    }
  }

  private Reply.Settled reply(Place place) {
    ByteBuffer line = ByteBuffer.allocate(place.length);
    try {
      while (line.hasRemaining() && channel.read(line, place.start + line.position()) >= 0) {
        // A read may give less than there is.
      }
    } catch (IOException e) {
      throw failed(e);
    }
    if (AnswerLine.decode(line.array()) instanceof AnswerLine.Replied replied) {
      return replied.reply();
    }
    throw damaged(place.start);
  }

  private BadInputException inUse() {
    return new BadInputException("--answers is in use by another process: " + file);
  }

  private BadInputException damaged(long at) {
    return new BadInputException(
        "--answers is damaged: the line at byte " + at + " of " + file + " is not as written");
  }

  private BadInputException failed(IOException e) {
    return new BadInputException("--answers cannot be read or written: " + file + ": " + e, e);
  }
}
