package io.sluice.corpus.topic;

import io.sluice.control.line.RefusedException;
import io.sluice.control.line.Utf8;
import io.sluice.schema.BoundedDecoder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Reads some fields of one Avro record by the schema that it was written with, and passes over the
 * others, whatever both are: what takes {@value #DEEPEST} levels or many times more steps than it
 * has bytes is refused. Texts must be UTF-8, which Avro's own reader does not ask.
 *
 * <p>Texts come as {@code String}, whole numbers as {@code Long}, lists as {@code List}, maps as
 * {@code Map}, nulls as null; any other value as its {@link Schema.Type}.
 */
final class AvroFields {
  static final int DEEPEST = 100;
  private static final byte[] BOM = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
  private static final long STEPS_PER_BYTE = 64;

  private final BoundedDecoder in;
  private long stepsLeft;

  private AvroFields(BoundedDecoder in) {
    this.in = in;
    this.stepsLeft = STEPS_PER_BYTE * (in.remaining() + 16L);
  }

  /**
   * The fields that are wanted, of those that the record has.
   *
   * @param from where the record begins in the bytes, which end with it
   * @throws RefusedException if the bytes are not such a record
   */
  static Map<String, @Nullable Object> read(
      Schema schema, byte[] bytes, int from, Set<String> wanted) throws RefusedException {
    if (schema.getType() != Schema.Type.RECORD) {
      throw new RefusedException("its schema must be a record: found " + kind(schema.getType()));
    }
    BoundedDecoder in = new BoundedDecoder(bytes, from, bytes.length - from);
    AvroFields reading = new AvroFields(in);
    Map<String, @Nullable Object> found = new HashMap<>();
    try {
      for (Schema.Field field : schema.getFields()) {
        if (wanted.contains(field.name())) {
          found.put(field.name(), reading.value(field.schema(), 1));
        } else {
          reading.skip(field.schema(), 1);
        }
      }
      in.requireEnd();
      return found;
    } catch (IOException e) {
      throw new RefusedException("broken Avro: " + e.getMessage());
    }
  }

  /** What a value is, for messages. */
  static String kind(@Nullable Object value) {
    if (value == null) {
      return "null";
    }
    return value instanceof Schema.Type type
        ? type.getName()
        : value instanceof String
            ? "string"
            : value instanceof Long ? "long" : value instanceof Map ? "map" : "array";
  }

  private @Nullable Object value(Schema schema, int depth) throws IOException, RefusedException {
    step(depth);
    return switch (schema.getType()) {
      case NULL -> null;
      case STRING -> text();
      case INT -> (long) in.readInt();
      case LONG -> in.readLong();
      case UNION -> value(branch(schema), depth + 1);
      case ARRAY -> list(schema.getElementType(), depth + 1);
      case MAP -> map(schema.getValueType(), depth + 1);
      default -> {
        skip(schema, depth);
        yield schema.getType();
      }
    };
  }

  private String text() throws IOException, RefusedException {
    byte[] bytes = in.readBytes(null).array();
    String text = Utf8.require(bytes);
    // A byte order mark is a part of a value, as in Avro's own reader.
    boolean marked =
        bytes.length > 2 && bytes[0] == BOM[0] && bytes[1] == BOM[1] && bytes[2] == BOM[2];
    return marked ? "\uFEFF" + text : text;
  }

  private List<@Nullable Object> list(Schema items, int depth)
      throws IOException, RefusedException {
    List<@Nullable Object> list = new ArrayList<>();
    for (long count = in.readArrayStart(); count > 0; count = in.arrayNext()) {
      for (long i = 0; i < count; i++) {
        list.add(value(items, depth));
      }
    }
    return list;
  }

  private Map<String, @Nullable Object> map(Schema values, int depth)
      throws IOException, RefusedException {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    for (long count = in.readMapStart(); count > 0; count = in.mapNext()) {
      for (long i = 0; i < count; i++) {
        map.put(text(), value(values, depth));
      }
    }
    return map;
  }

  private void skip(Schema schema, int depth) throws IOException, RefusedException {
    step(depth);
    switch (schema.getType()) {
      case NULL -> in.readNull();
      case BOOLEAN -> in.readBoolean();
      case INT -> in.readInt();
      case LONG -> in.readLong();
      case FLOAT -> in.readFloat();
      case DOUBLE -> in.readDouble();
      case STRING -> in.skipString();
      case BYTES -> in.skipBytes();
      case FIXED -> in.skipFixed(schema.getFixedSize());
      case ENUM -> index("enum", schema.getEnumSymbols().size());
      case UNION -> skip(branch(schema), depth + 1);
      case RECORD -> {
        for (Schema.Field field : schema.getFields()) {
          skip(field.schema(), depth + 1);
        }
      }
      case ARRAY -> {
        for (long count = in.readArrayStart(); count > 0; count = in.arrayNext()) {
          for (long i = 0; i < count; i++) {
            skip(schema.getElementType(), depth + 1);
          }
        }
      }
      case MAP -> {
        for (long count = in.readMapStart(); count > 0; count = in.mapNext()) {
          for (long i = 0; i < count; i++) {
            in.skipString();
            skip(schema.getValueType(), depth + 1);
          }
        }
      }
    }
  }

  private Schema branch(Schema union) throws IOException, RefusedException {
    return union.getTypes().get(index("union", union.getTypes().size()));
  }

  private int index(String what, int size) throws IOException, RefusedException {
    int index = in.readInt();
    if (index < 0 || index >= size) {
      throw new RefusedException(
          "broken Avro: " + what + " index " + index + " of " + size + " is not there");
    }
    return index;
  }

  private void step(int depth) throws RefusedException {
    if (depth > DEEPEST) {
      throw new RefusedException("is nested more than " + DEEPEST + " levels deep");
    }
    if (--stepsLeft < 0) {
      throw new RefusedException("has many times more values than bytes");
    }
  }
}
