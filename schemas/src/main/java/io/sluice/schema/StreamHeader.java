package io.sluice.schema;

import java.nio.ByteBuffer;

/**
 * Position of a sequence in a run's stream; the value of the Kafka header {@link #KEY}, so that a
 * client needs no other topic.
 *
 * @param timeline 0 until a rewind
 * @param batch global batch, from 1
 * @param firstIndex global index of the batch's first sequence
 * @param batchSize sequences in the batch
 * @param index global index of this sequence, in [firstIndex, firstIndex + batchSize)
 * @param weightsVersion version of the mixture that governs the batch
 * @param ordinal the block's position in the run's use of its domain, epochs counted through
 * @param chain {@link ChainHash} of the stream partition up to this sequence
 */
public record StreamHeader(
    int timeline,
    long batch,
    long firstIndex,
    int batchSize,
    long index,
    int weightsVersion,
    long ordinal,
    long chain) {
  /** Key of the Kafka header. */
  public static final String KEY = "sluice";

  private static final byte VERSION = 1;

  /** Bytes of an encoded header. */
  public static final int LENGTH = 53;

  /** Version byte, then every component, big-endian: 53 bytes. */
  public byte[] encode() {
    ByteBuffer out = ByteBuffer.allocate(LENGTH);
    encode(out, timeline, batch, firstIndex, batchSize, index, weightsVersion, ordinal, chain);
    return out.array();
  }

  /**
   * Writes what {@link #encode()} returns for a header of these components, without an object.
   *
   * @param out at least {@link #LENGTH} bytes, written from its start
   */
  public static void encode(
      ByteBuffer out,
      int timeline,
      long batch,
      long firstIndex,
      int batchSize,
      long index,
      int weightsVersion,
      long ordinal,
      long chain) {
    out.clear()
        .put(VERSION)
        .putInt(timeline)
        .putLong(batch)
        .putLong(firstIndex)
        .putInt(batchSize)
        .putLong(index)
        .putInt(weightsVersion)
        .putLong(ordinal)
        .putLong(chain);
  }

  /**
   * Reads what {@link #encode()} wrote.
   *
   * @throws WireFormatException if the length or the version is another
   */
  public static StreamHeader decode(byte[] bytes) {
    if (bytes.length != LENGTH || bytes[0] != VERSION) {
      throw new WireFormatException(
          "stream header must be "
              + LENGTH
              + " bytes of version "
              + VERSION
              + ": found "
              + bytes.length
              + (bytes.length > 0 ? " bytes of version " + bytes[0] : " bytes"));
    }
    ByteBuffer in = ByteBuffer.wrap(bytes, 1, LENGTH - 1);
    return new StreamHeader(
        in.getInt(),
        in.getLong(),
        in.getLong(),
        in.getInt(),
        in.getLong(),
        in.getInt(),
        in.getLong(),
        in.getLong());
  }
}
