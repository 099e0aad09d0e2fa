package io.sluice.service.cache;

import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.schema.segment.CacheFolder.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;

/** Brings an object from its store into the cache: tries until it is there, or nobody asks. */
record ObjectFetch(
    ObjectCache cache, CacheDirectory directory, ObjectSource source, CachedObject object)
    implements Runnable {
  private static final long SHORTEST_MILLIS = 100;
  private static final long LONGEST_MILLIS = 5_000;
  private static final int CHUNK = 1 << 18;

  @Override
  public void run() {
    long pause = SHORTEST_MILLIS;
    while (cache.wants(object) && !tried()) {
      try {
        TimeUnit.MILLISECONDS.sleep(pause);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // the cache is closed
        return;
      }
      pause = Math.min(2 * pause, LONGEST_MILLIS);
    }
  }

  /** Whether no further try is needed. */
  private boolean tried() {
    try {
      if (source.read(object.name(), this::take)) {
        cache.there(object);
      } else {
        cache.refused(object, Answer.MISSING, "the store has no such object");
      }
      return true;
    } catch (NoRoomException e) {
      if (e.passes()) {
        cache.failed(object, String.valueOf(e.getMessage()));
        return false;
      }
      cache.refused(object, Answer.FULL, String.valueOf(e.getMessage()));
      return true;
    } catch (OtherBytesException e) {
      cache.refused(object, Answer.CORRUPT, String.valueOf(e.getMessage()));
      return true;
    } catch (BadInputException | UnreachableException e) {
      cache.failed(object, String.valueOf(e.getMessage()));
      return false;
    } catch (IOException | RuntimeException e) {
      cache.failed(object, e.getClass().getSimpleName() + ": " + e.getMessage());
      return false;
    }
  }

  private void take(long length, InputStream bytes) throws IOException {
    cache.reserve(object, length);
    Path begun = directory.begun(object.place());
    try {
      String found = copied(length, bytes, begun);
      if (!object.name().contains("/" + found + ".")) {
        throw new OtherBytesException("its bytes have the SHA-256 " + found);
      }
      try {
        directory.name(begun, object.place());
      } catch (IOException e) {
        throw notWritten(begun, e);
      }
    } finally {
      Files.deleteIfExists(begun);
    }
  }

  private String copied(long length, InputStream bytes, Path begun) throws IOException {
    MessageDigest sha256 = sha256();
    byte[] chunk = new byte[CHUNK];
    long arrived = 0;
    try (FileChannel file = created(begun)) {
      int read = bytes.read(chunk);
      while (read >= 0 && arrived <= length) {
        sha256.update(chunk, 0, read);
        write(file, ByteBuffer.wrap(chunk, 0, read), begun);
        arrived += read;
        cache.came(object, arrived);
        read = bytes.read(chunk);
      }
      if (arrived != length) {
        throw new IOException("ended after " + arrived + " of " + length + " bytes");
      }
      file.force(true);
    }
    return HexFormat.of().formatHex(sha256.digest());
  }

  private static FileChannel created(Path file) {
    try {
      return FileChannel.open(
          file,
          StandardOpenOption.CREATE,
          StandardOpenOption.TRUNCATE_EXISTING,
          StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw notWritten(file, e);
    }
  }

  private static void write(FileChannel file, ByteBuffer bytes, Path path) {
    try {
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
    } catch (IOException e) {
      throw notWritten(path, e);
    }
  }

  private static NoRoomException notWritten(Path file, IOException e) {
    return NoRoomException.lasting("cannot write " + file + ": " + e.getMessage());
  }

  /** Digests of what objects are named by. */
  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }
}
