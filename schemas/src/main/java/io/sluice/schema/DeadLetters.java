package io.sluice.schema;

import java.nio.ByteBuffer;

/** Dead letters that fit their topic, whatever they are of. */
public final class DeadLetters {
  private DeadLetters() {}

  /**
   * A dead letter with as much of the reason and of the record as there is room for.
   *
   * @param component who refuses: 'ingest', 'prepare', 'mix', 'reclaim'
   * @param origin file or topic
   * @param partition of the topic; −1 for a file or a whole topic
   * @param position line of the file, or offset in the partition; 0 for a whole file or topic
   * @param refused the record
   */
  public static DeadLetter of(
      String component,
      String origin,
      int partition,
      long position,
      String reason,
      byte[] refused,
      long timeMillis) {
    return new DeadLetter(
        component,
        Limits.shortened(origin, Limits.DOCUMENT_ID_BYTES),
        partition,
        position,
        Limits.shortened(reason, Limits.TEXT),
        ByteBuffer.wrap(refused, 0, Math.min(refused.length, Limits.PAYLOAD_BYTES)),
        timeMillis,
        null);
  }
}
