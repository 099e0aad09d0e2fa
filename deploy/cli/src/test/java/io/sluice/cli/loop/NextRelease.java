package io.sluice.cli.loop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schema.WireCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * Records as a release to come may write them: in schemas that have an optional field more in every
 * record, which is how schemas have changed so far.
 */
final class NextRelease {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ADDED = "later";

  /** Marker and fingerprint, before a record's body. */
  private static final int PREFIX = 10;

  private NextRelease() {}

  /** A record of the wire, in the next schema of its type. */
  static byte[] encode(SpecificRecordBase message) throws IOException {
    Schema next = schema(message.getSchema());
    byte[] now = WireCodec.encode(message);
    GenericRecord record =
        new GenericDatumReader<GenericRecord>(message.getSchema(), next)
            .read(null, DecoderFactory.get().binaryDecoder(now, PREFIX, now.length - PREFIX, null));
    record.put(ADDED, "what this release does not know");
    ByteBuffer bytes =
        new BinaryMessageEncoder<GenericRecord>(GenericData.get(), next).encode(record);
    byte[] value = new byte[bytes.remaining()];
    bytes.get(value);
    return value;
  }

  private static Schema schema(Schema now) throws IOException {
    JsonNode tree = JSON.readTree(now.toString());
    extend(tree);
    return new Schema.Parser().parse(tree.toString());
  }

  private static void extend(JsonNode tree) {
    tree.forEach(NextRelease::extend);
    if (tree.path("type").asText().equals("record")
        && tree.get("fields") instanceof ArrayNode all) {
      ObjectNode added = all.addObject();
      added.put("name", ADDED);
      added.putArray("type").add("null").add("string");
      added.putNull("default");
    }
  }
}
