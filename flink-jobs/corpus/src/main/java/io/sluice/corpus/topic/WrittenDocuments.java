package io.sluice.corpus.topic;

import io.sluice.control.domain.TextSpans;
import io.sluice.control.line.LineDocuments;
import io.sluice.control.line.RefusedException;
import io.sluice.schema.Document;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.jspecify.annotations.Nullable;

/**
 * Documents as a corpus has them, such as those of another deployment: with their ids, properties
 * and spans, from where they are read now. An end marker is nothing.
 */
final class WrittenDocuments implements RecordDocuments {
  private static final Set<String> FIELDS = Set.of("id", "text", "properties", "trained");

  /** Marker and fingerprint of each schema that documents were written with. */
  private static final Map<ByteBuffer, Schema> WRITTEN = new HashMap<>();

  private static final int PREFIX = 10;

  static {
    for (Schema schema : WireCodec.schemas(Document.class)) {
      ByteBuffer prefix = ByteBuffer.allocate(PREFIX).put((byte) 0xC3).put((byte) 1);
      prefix.putLong(Long.reverseBytes(SchemaNormalization.parsingFingerprint64(schema)));
      WRITTEN.put(prefix.flip(), schema);
    }
  }

  @Override
  public Optional<Document> of(String origin, long offset, byte[] value) throws RefusedException {
    ByteBuffer prefix = ByteBuffer.wrap(value, 0, Math.min(PREFIX, value.length));
    Schema schema = WRITTEN.get(prefix);
    if (schema == null) {
      if (WireCodec.isOf(EndOfDomain.class, ByteBuffer.wrap(value))) {
        return Optional.empty();
      }
      throw new RefusedException("must be a Document in Avro's single-object encoding");
    }
    Map<String, @Nullable Object> fields = AvroFields.read(schema, value, PREFIX, FIELDS);
    String text = String.valueOf(fields.get("text"));
    List<Integer> trained = spans(fields.get("trained"));
    try {
      TextSpans.bounds(trained, text);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(String.valueOf(e.getMessage()));
    }
    return LineDocuments.usable(
        new Document(
            String.valueOf(fields.get("id")),
            text,
            origin,
            offset + 1,
            properties(fields.get("properties")),
            trained));
  }

  private static Map<String, String> properties(@Nullable Object said) {
    Map<String, String> properties = new TreeMap<>();
    if (said instanceof Map<?, ?> map) {
      map.forEach((key, value) -> properties.put(String.valueOf(key), String.valueOf(value)));
    }
    return properties;
  }

  private static @Nullable List<Integer> spans(@Nullable Object said) {
    return said instanceof List<?> list
        ? list.stream().map(bound -> Math.toIntExact((Long) bound)).toList()
        : null;
  }
}
