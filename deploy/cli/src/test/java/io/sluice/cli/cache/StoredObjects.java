package io.sluice.cli.cache;

import io.sluice.schema.segment.SegmentStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** Objects in a folder that is a store. */
record StoredObjects(Path folder) {
  SegmentStore store() {
    return SegmentStore.of("file://" + folder);
  }

  /** Puts an object of so many bytes, all with this value, and returns its name. */
  String put(int value, int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    String name = SegmentStore.rows("data", sha256(bytes));
    write(name, bytes);
    return name;
  }

  /** Writes bytes under a name, whatever it says of them. */
  void write(String name, byte[] bytes) {
    try {
      Path file = folder.resolve(name);
      Files.createDirectories(file.getParent());
      Files.write(file, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
