package io.sluice.corpus.topic;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.schema.Limits;
import java.io.IOException;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * What a schema registry says of an id.
 *
 * @param schema the schema; null if there is none that can be used
 * @param refusal why not; '' if there is one
 */
record RegistryAnswer(@Nullable Schema schema, String refusal) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** An answer that says nothing of the id. */
  static final class UselessException extends IOException {
    private static final long serialVersionUID = 1L;

    UselessException(String how) {
      super(how);
    }
  }

  /** There is no schema that can be used. */
  static RegistryAnswer refused(String why) {
    return new RegistryAnswer(null, why);
  }

  /**
   * What the body of an answer says.
   *
   * @throws UselessException if it is not what a registry answers
   */
  static RegistryAnswer known(byte[] body) throws UselessException {
    JsonNode said = json(body);
    JsonNode schema = said == null ? null : said.get("schema");
    if (said == null || schema == null || !schema.isTextual()) {
      throw new UselessException("its answer has no 'schema'");
    }
    JsonNode type = said.get("schemaType");
    if (type != null && !type.asText().equals("AVRO")) {
      return refused("must be of Avro: found " + shortened(type.asText()));
    }
    JsonNode references = said.get("references");
    if (references != null && !references.isEmpty()) {
      return refused("refers to other schemas, which are not read");
    }
    try {
      return new RegistryAnswer(new Schema.Parser().parse(schema.textValue()), "");
    } catch (RuntimeException | StackOverflowError e) {
      return refused("is no Avro schema: " + shortened(String.valueOf(e.getMessage())));
    }
  }

  private static @Nullable JsonNode json(byte[] body) throws UselessException {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw new UselessException("its answer is not JSON");
    } catch (IOException e) {
      throw new UselessException(e.toString());
    }
  }

  private static String shortened(String text) {
    return Limits.shown(text.lines().findFirst().orElse(""));
  }
}
