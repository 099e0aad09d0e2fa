package io.sluice.corpus.topic;

import io.sluice.control.line.Fields;
import io.sluice.control.line.LineDocuments;
import io.sluice.control.line.RefusedException;
import io.sluice.schema.Document;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Avro records as Confluent's serializers write them: a byte 0, four bytes with the id of the
 * writer's schema in a registry, and Avro's binary encoding.
 */
record ConfluentDocuments(Fields fields, SchemaRegistry registry) implements RecordDocuments {
  private static final int PREFIX = 1 + Integer.BYTES;

  @Override
  public Optional<Document> of(String origin, long offset, byte[] value) throws RefusedException {
    if (value.length < PREFIX || value[0] != 0) {
      throw new RefusedException(
          "must begin with a byte 0 and the four bytes of a schema's id: found "
              + value.length
              + " bytes"
              + (value.length == 0 ? "" : " that begin with " + (value[0] & 0xFF)));
    }
    Map<String, @Nullable Object> found =
        AvroFields.read(
            registry.schema(ByteBuffer.wrap(value, 1, Integer.BYTES).getInt()),
            value,
            PREFIX,
            Set.of(fields.text(), fields.id()));
    if (!(found.get(fields.text()) instanceof String text)) {
      throw refused(fields.text(), "a string", found);
    }
    String id = id(found);
    return LineDocuments.usable(
        new Document(
            id == null ? origin + ":" + (offset + 1) : id,
            text,
            origin,
            offset + 1,
            Map.of(),
            null));
  }

  private @Nullable String id(Map<String, @Nullable Object> found) throws RefusedException {
    Object id = found.get(fields.id());
    if (id == null) {
      return null;
    }
    if (id.equals("")) {
      throw new RefusedException("'" + fields.id() + "' must not be empty");
    }
    if (!(id instanceof Long || id instanceof String)) {
      throw refused(fields.id(), "a text or a whole number", found);
    }
    return id.toString();
  }

  private static RefusedException refused(
      String field, String wanted, Map<String, @Nullable Object> found) {
    return new RefusedException(
        "'"
            + field
            + "' must be "
            + wanted
            + ": found "
            + (found.containsKey(field) ? AvroFields.kind(found.get(field)) : "nothing"));
  }
}
