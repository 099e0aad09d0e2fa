package io.sluice.schema;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.Nullable;

/**
 * Avro single-object encoding of every record on the wire: the bytes C3 01, the schema's 64-bit
 * fingerprint (CRC-64-AVRO, little-endian), the binary body, and nothing after it. The fingerprint
 * names the type, so topics may carry several. Whatever the bytes are, decoding takes memory in
 * proportion to how many they are. Thread-safe.
 */
public final class WireCodec {
  private static final List<Schema> TYPES =
      List.of(
          Document.getClassSchema(),
          EndOfDomain.getClassSchema(),
          TokenBlock.getClassSchema(),
          BlockLineage.getClassSchema(),
          Supply.getClassSchema(),
          Segment.getClassSchema(),
          ShuffleRelease.getClassSchema(),
          RangeVerdict.getClassSchema(),
          DocumentsForgotten.getClassSchema(),
          DocumentSet.getClassSchema(),
          DatasetSpec.getClassSchema(),
          RunCommand.getClassSchema(),
          ControlRecord.getClassSchema(),
          TrainerFeedback.getClassSchema(),
          TrainerProgress.getClassSchema(),
          TrainerAttached.getClassSchema(),
          RunStatus.getClassSchema(),
          EmissionWait.getClassSchema(),
          SealingWait.getClassSchema(),
          WholeStream.getClassSchema(),
          TokenDocument.getClassSchema(),
          TokenizerPart.getClassSchema(),
          DocumentRange.getClassSchema(),
          PurgedDocument.getClassSchema(),
          Purge.getClassSchema(),
          PreparingStopped.getClassSchema(),
          IngestedFile.getClassSchema(),
          IngestProgress.getClassSchema(),
          DeadLetter.getClassSchema(),
          LetterRetry.getClassSchema(),
          RefineSpec.getClassSchema(),
          RefineRound.getClassSchema(),
          RefineProgress.getClassSchema(),
          DroppedDocument.getClassSchema(),
          BordersMoved.getClassSchema(),
          RunBundle.getClassSchema(),
          BundledBatch.getClassSchema());

  /** Of each type's current schema, by its name; of others, by themselves. */
  private static final Map<Object, BinaryMessageEncoder<SpecificRecordBase>> ENCODERS =
      new HashMap<>();

  /** Readers by the fingerprint of the schema that the bytes were written with. */
  private static final Map<Long, SpecificDatumReader<SpecificRecordBase>> READERS = new HashMap<>();

  static {
    for (Schema type : TYPES) {
      ENCODERS.put(type.getFullName(), new BinaryMessageEncoder<>(SpecificData.get(), type));
      read(type, type);
      for (Schema written : EarlierSchemas.of(type.getName())) {
        ENCODERS.put(written, new BinaryMessageEncoder<>(SpecificData.get(), written));
        read(written, type);
      }
    }
  }

  /** Bytes of one schema are read as another: a type's earlier versions as its current one. */
  private static void read(Schema written, Schema current) {
    READERS.put(
        SchemaNormalization.parsingFingerprint64(written),
        new SpecificDatumReader<>(written, current, SpecificData.get()));
  }

  private WireCodec() {}

  /** Every schema that records of a wire type are read from, the current one first. */
  public static List<Schema> schemas(Class<? extends SpecificRecordBase> type) {
    Schema current = SpecificData.get().getSchema(type);
    return Stream.concat(Stream.of(current), EarlierSchemas.of(current.getName()).stream())
        .toList();
  }

  /**
   * The record's single-object encoding.
   *
   * @throws IllegalArgumentException if the type is not one that goes on the wire
   */
  public static byte[] encode(SpecificRecordBase message) {
    return encode(message, message.getSchema().getFullName());
  }

  /**
   * The encoding of a record for readers that know nothing newer than an earlier schema.
   *
   * @param written one of the earlier {@link #schemas} of the record's type, which has all that the
   *     record holds, in the same order
   */
  public static byte[] encodeAs(Schema written, SpecificRecordBase message) {
    return encode(message, written);
  }

  private static byte[] encode(SpecificRecordBase message, Object key) {
    BinaryMessageEncoder<SpecificRecordBase> encoder = ENCODERS.get(key);
    if (encoder == null) {
      throw new IllegalArgumentException(
          message.getSchema().getFullName() + " is not a wire record");
    }
    try {
      ByteBuffer buffer = encoder.encode(message);
      byte[] bytes = new byte[buffer.remaining()];
      buffer.get(bytes);
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Whether bytes begin as a record of a wire type does, whichever of its schemas they were written
   * with; what follows the fingerprint is not looked at.
   */
  public static boolean isOf(Class<? extends SpecificRecordBase> type, ByteBuffer bytes) {
    SpecificDatumReader<SpecificRecordBase> reader =
        WirePrefix.is(bytes) ? READERS.get(WirePrefix.fingerprint(bytes)) : null;
    return reader != null && reader.getExpected().getFullName().equals(type.getName());
  }

  /**
   * The record that the bytes hold, whatever wire type it is.
   *
   * @throws WireFormatException if the bytes are not the encoding of a known wire record
   */
  public static SpecificRecordBase decode(byte @Nullable [] bytes) {
    if (bytes == null) {
      throw new WireFormatException("a record without a value");
    }
    ByteBuffer whole = ByteBuffer.wrap(bytes);
    if (!WirePrefix.is(whole)) {
      throw new WireFormatException(
          "not Avro single-object encoding: "
              + bytes.length
              + " bytes that do not start with C3 01 and a schema fingerprint");
    }
    long fingerprint = WirePrefix.fingerprint(whole);
    SpecificDatumReader<SpecificRecordBase> reader = READERS.get(fingerprint);
    if (reader == null) {
      throw new WireFormatException(
          "unknown schema fingerprint " + Long.toHexString(fingerprint) + ": a newer writer?");
    }
    BoundedDecoder body =
        new BoundedDecoder(bytes, WirePrefix.LENGTH, bytes.length - WirePrefix.LENGTH);
    try {
      SpecificRecordBase message = reader.read(null, body);
      body.requireEnd();
      return message;
    } catch (IOException | RuntimeException e) {
      // Avro meets bad indices with whatever its tables throw.
      throw new WireFormatException(
          "truncated or corrupt record: " + reader.getExpected().getName() + ": " + e.getMessage(),
          e);
    }
  }

  /**
   * The record of the given type that the bytes hold.
   *
   * @throws WireFormatException if they hold anything else
   */
  public static <T extends SpecificRecordBase> T decode(Class<T> type, byte @Nullable [] bytes) {
    SpecificRecordBase message = decode(bytes);
    if (!type.isInstance(message)) {
      throw new WireFormatException(
          "expected " + type.getSimpleName() + ", found " + message.getSchema().getName());
    }
    return type.cast(message);
  }
}
