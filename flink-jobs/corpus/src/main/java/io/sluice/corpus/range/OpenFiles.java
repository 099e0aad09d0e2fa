package io.sluice.corpus.range;

import io.sluice.corpus.record.RecordCursor;
import io.sluice.corpus.record.RecordReading;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * Files that can only be read from their beginnings on, each by one at a time, in the order in
 * which turns were given, and kept open for the next one. So several threads read one file as a
 * single one would, and whoever waits for a turn waits for work that came before its own.
 */
final class OpenFiles implements Closeable {
  /** How a file is read is part of where its cursor is. */
  private record Key(String location, RecordReading reading) {}

  private final int mostIdle;
  private final Map<Key, OpenFile> files = new HashMap<>();

  /** Those that nobody waits for, the one that was read longest ago first. */
  private final Map<Key, OpenFile> idle = new LinkedHashMap<>();

  private boolean closed;

  /**
   * @param mostIdle files that are kept open although nobody waits for them
   */
  OpenFiles(int mostIdle) {
    this.mostIdle = mostIdle;
  }

  private static final class OpenFile {
    private final Key key;
    private long given;
    private long done;
    private @Nullable RecordCursor cursor;

    OpenFile(Key key) {
      this.key = key;
    }
  }

  /** The next turn of a file; it must be taken, or nobody behind it is ever served. */
  synchronized Turn turn(FileRange range) {
    Key key = new Key(range.location(), range.reading());
    OpenFile file = files.computeIfAbsent(key, OpenFile::new);
    idle.remove(key);
    return new Turn(file, file.given++);
  }

  /** Closes the files that nobody reads; the others are closed by those who do. */
  @Override
  public synchronized void close() throws IOException {
    closed = true;
    for (OpenFile file : files.values()) {
      if (file.cursor != null) {
        file.cursor.close();
      }
    }
    files.clear();
    idle.clear();
  }

  /** One turn at a file. */
  final class Turn implements ForkJoinPool.ManagedBlocker {
    private final OpenFile file;
    private final long number;

    private Turn(OpenFile file, long number) {
      this.file = file;
      this.number = number;
    }

    /**
     * Waits for the turn.
     *
     * @return a cursor that was left where it was; null if there is none
     */
    @Nullable RecordCursor take() throws InterruptedException {
      // A pool whose threads may fork work has another one work meanwhile.
      ForkJoinPool.managedBlock(this);
      synchronized (OpenFiles.this) {
        RecordCursor cursor = file.cursor;
        file.cursor = null;
        return cursor;
      }
    }

    @Override
    public boolean block() throws InterruptedException {
      synchronized (OpenFiles.this) {
        while (file.done < number) {
          OpenFiles.this.wait();
        }
        return true;
      }
    }

    @Override
    public boolean isReleasable() {
      synchronized (OpenFiles.this) {
        return file.done >= number;
      }
    }

    /**
     * Ends the turn.
     *
     * @param cursor to be left; null for none
     */
    void end(@Nullable RecordCursor cursor) throws IOException {
      RecordCursor unwanted = null;
      synchronized (OpenFiles.this) {
        file.done++;
        file.cursor = cursor;
        if (closed) {
          unwanted = cursor;
          file.cursor = null;
        } else if (file.done == file.given) {
          unwanted = rest();
        }
        OpenFiles.this.notifyAll();
      }
      if (unwanted != null) {
        unwanted.close();
      }
    }

    /** Nobody waits for the file: it stays open, and another one may not. */
    private @Nullable RecordCursor rest() {
      if (file.cursor == null) {
        files.remove(file.key);
        return null;
      }
      idle.put(file.key, file);
      if (idle.size() <= mostIdle) {
        return null;
      }
      OpenFile oldest = idle.values().iterator().next();
      idle.remove(oldest.key);
      files.remove(oldest.key);
      return oldest.cursor;
    }
  }
}
