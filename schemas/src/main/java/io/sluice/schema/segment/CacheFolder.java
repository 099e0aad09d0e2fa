package io.sluice.schema.segment;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The folder of a node in which objects of stores are kept for the trainers there, and the words in
 * which they are asked for over its socket: lines of UTF-8, an answer for each.
 */
public record CacheFolder(Path folder) {
  /** How both sides of a connection begin. */
  public static final String GREETING = "sluice-cache 1";

  /** Bytes of the longest line, with its end. */
  public static final int LONGEST_LINE = 4096;

  /** Bytes of the longest path of a socket, on every system. */
  public static final int LONGEST_SOCKET = 103;

  /** The folder with the objects, below it. */
  public static final String OBJECTS = "objects";

  /** What an answer begins with, and a space where text follows. */
  public enum Answer {
    /** It is so, or here it is. */
    OK,
    /** It is under way: ask again. */
    WAIT,
    /** The store has no such object. */
    MISSING,
    /** There is no room for it. */
    FULL,
    /** Its bytes are not those that its name says. */
    CORRUPT,
    /** It was not understood, or is not served. */
    ERROR;

    /** The line of an answer. */
    public String line(String text) {
      String word = name().toLowerCase(Locale.ROOT);
      return text.isEmpty() ? word : word + " " + text;
    }
  }

  /** Where it is asked. */
  public Path socket() {
    return folder.resolve("socket");
  }

  /** The path of an object, below the folder. */
  public static String place(SegmentStore store, String object) {
    return OBJECTS + "/" + id(store) + "/" + object;
  }

  private static String id(SegmentStore store) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      byte[] digest = sha256.digest(store.uri().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }

  /** A store's URI in a line: spaces, control characters and % are escaped, as in URIs. */
  public static String word(SegmentStore store) {
    StringBuilder word = new StringBuilder();
    store.uri().codePoints().forEach(each -> append(word, each));
    return word.toString();
  }

  private static void append(StringBuilder word, int character) {
    if (character > ' ' && character != '%' && !Character.isISOControl(character)) {
      word.appendCodePoint(character);
      return;
    }
    for (byte each : Character.toString(character).getBytes(StandardCharsets.UTF_8)) {
      word.append(String.format("%%%02X", each & 0xff));
    }
  }
}
