package io.sluice.schema;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * How large what comes from outside may be. Whoever takes a text in asks here, so that nothing that
 * is made of it outgrows a record; docs/protocol.md has the numbers for everybody else.
 */
public final class Limits {
  /**
   * Most bytes of a record of a topic without a limit of its own: Kafka's 1 MiB, less what
   * surrounds the value.
   */
  public static final int RECORD_BYTES = 1_000_000;

  /** Most characters of a reason, and of every other text that is for people. */
  public static final int TEXT = 1000;

  /** Most characters of a nonce: a command's id, an attempt, the holder of a rank. */
  public static final int NONCE = 128;

  /** Most characters of a run's id. */
  public static final int RUN_ID = 255;

  /** Most characters of a host's name. */
  public static final int HOST = 255;

  /** Most characters of Kafka's id of a topic, which has 22. */
  public static final int TOPIC_ID = 64;

  /** Most metrics that a process says it measures. */
  public static final int METRICS = 64;

  /** Most batches whose digests a report of progress says. */
  public static final int DIGESTS = 1024;

  /** Most bytes of a document's id in a corpus. */
  public static final int DOCUMENT_ID_BYTES = 4096;

  /** Most bytes of the id of a document that is ingested; earlier releases took longer ones. */
  public static final int INGESTED_ID_BYTES = 1024;

  /** Most bytes that the ids in a block take together. */
  public static final int BLOCK_IDS_BYTES = 8 << 20;

  /** Most bytes of a refused record that its dead letter carries. */
  public static final int PAYLOAD_BYTES = 64 << 10;

  /** Most characters of a refused value that a message shows. */
  private static final int SHOWN = 80;

  private Limits() {}

  /**
   * The text itself.
   *
   * @param key what it is called, for the message
   * @throws IllegalArgumentException naming the key, the range, and the value's length and
   *     beginning
   */
  public static String requireText(String key, String text, int least, int most) {
    if (text.length() < least || text.length() > most) {
      throw new IllegalArgumentException(
          key
              + " must have "
              + least
              + " to "
              + most
              + " characters: "
              + text.length()
              + (text.isEmpty() ? "" : ", '" + shown(text) + "'"));
    }
    return text;
  }

  /**
   * The id of a document of a corpus.
   *
   * @throws IllegalArgumentException naming the range, and the id's length and beginning
   */
  public static String requireDocumentId(String id) {
    return requireId(id, DOCUMENT_ID_BYTES);
  }

  /**
   * The id of a document that goes into a corpus.
   *
   * @throws IllegalArgumentException naming the range, and the id's length and beginning
   */
  public static String requireIngestedId(String id) {
    return requireId(id, INGESTED_ID_BYTES);
  }

  private static String requireId(String id, int most) {
    int bytes = id.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > most) {
      throw new IllegalArgumentException(
          "document id must have at most " + most + " bytes: " + bytes + ", '" + shown(id) + "'");
    }
    return id;
  }

  /**
   * The ids of a block, so that it fits its topic: many long ones are cut to an equal share of
   * {@link #BLOCK_IDS_BYTES}, each to the whole characters that fit in it.
   */
  public static List<String> blockIds(List<String> ids) {
    long most = ids.stream().mapToLong(id -> 3L * id.length()).sum();
    if (most <= BLOCK_IDS_BYTES) {
      return List.copyOf(ids);
    }
    int share = BLOCK_IDS_BYTES / ids.size();
    List<byte[]> texts = ids.stream().map(id -> id.getBytes(StandardCharsets.UTF_8)).toList();
    return texts.stream().mapToLong(text -> text.length).sum() <= BLOCK_IDS_BYTES
        ? List.copyOf(ids)
        : texts.stream().map(text -> beginning(text, share)).toList();
  }

  private static String beginning(byte[] text, int bytes) {
    int end = Math.min(bytes, text.length);
    while (end > 0 && end < text.length && (text[end] & 0xC0) == 0x80) {
      end--;
    }
    return new String(text, 0, end, StandardCharsets.UTF_8);
  }

  /**
   * The record's bytes.
   *
   * @param what the record is, for the message
   * @throws IllegalArgumentException naming the record, the limit and its size
   */
  public static byte[] requireRecord(String what, byte[] bytes) {
    if (bytes.length > RECORD_BYTES) {
      throw new IllegalArgumentException(
          what + " must have at most " + RECORD_BYTES + " bytes: " + bytes.length);
    }
    return bytes;
  }

  /** The text, or as much of its beginning as is shown of a value that is refused. */
  public static String shown(String text) {
    return shortened(text, SHOWN);
  }

  /** The text, or its beginning with an ellipsis: no more characters than given. */
  public static String shortened(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = most - 1;
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + '…';
  }
}
