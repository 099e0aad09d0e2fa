package io.sluice.schema;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/**
 * Which block a {@link TokenBlock} is, read from its bytes without making an object of the rest. A
 * start of a job without state reads the ends of all live streams for nothing but this.
 *
 * @param fingerprint of the dataset that packed it
 * @param ordinal its position in the domain's lane
 */
public record BlockPlace(long fingerprint, String domain, int lane, long ordinal) {
  /** Schemas of blocks, by the fingerprint that bytes name. */
  private static final Map<Long, Schema> WRITTEN = new HashMap<>();

  static {
    for (Schema schema : WireCodec.schemas(TokenBlock.class)) {
      WRITTEN.put(SchemaNormalization.parsingFingerprint64(schema), schema);
    }
  }

  /**
   * The place of the block that the bytes hold.
   *
   * @throws WireFormatException if they are not a block that {@link WireCodec} decodes
   */
  public static BlockPlace of(byte[] bytes) {
    ByteBuffer whole = ByteBuffer.wrap(bytes);
    Schema schema = WirePrefix.is(whole) ? WRITTEN.get(WirePrefix.fingerprint(whole)) : null;
    if (schema == null) {
      throw new WireFormatException("expected TokenBlock, found something else");
    }
    BoundedDecoder body =
        new BoundedDecoder(bytes, WirePrefix.LENGTH, bytes.length - WirePrefix.LENGTH);
    try {
      BlockPlace place = read(schema, body);
      body.requireEnd();
      return place;
    } catch (IOException | IndexOutOfBoundsException e) {
      throw new WireFormatException(
          "truncated or corrupt record: TokenBlock: " + e.getMessage(), e);
    }
  }

  private static BlockPlace read(Schema schema, BoundedDecoder body) throws IOException {
    long fingerprint = 0;
    String domain = "";
    int lane = 0;
    long ordinal = 0;
    for (Schema.Field field : schema.getFields()) {
      switch (field.name()) {
        case "fingerprint" -> fingerprint = body.readLong();
        case "domain" -> domain = body.readString();
        case "lane" -> lane = body.readInt();
        case "ordinal" -> ordinal = body.readLong();
        default -> pass(field.schema(), body);
      }
    }
    return new BlockPlace(fingerprint, domain, lane, ordinal);
  }

  /** Passes over a value; all of it is checked as if it were read. */
  private static void pass(Schema schema, BoundedDecoder body) throws IOException {
    switch (schema.getType()) {
      case NULL -> body.readNull();
      case INT -> body.readInt();
      case LONG -> body.readLong();
      case STRING -> body.skipString();
      case BYTES -> body.skipBytes();
      case UNION -> pass(schema.getTypes().get(body.readIndex()), body);
      case ARRAY -> {
        Schema item = schema.getElementType();
        // Blocks of items that give their size are passed item by item, too, as they are read.
        for (long left = body.readArrayStart(); left > 0; left = body.arrayNext()) {
          for (long i = 0; i < left; i++) {
            pass(item, body);
          }
        }
      }
      default -> throw new IllegalStateException("no block has a " + schema.getType());
    }
  }
}
