package io.sluice.serve.view;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Makes, reads and writes JSON. */
public final class Json {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  /** An object without fields. */
  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** An array without elements. */
  public static ArrayNode array() {
    return JsonNodeFactory.instance.arrayNode();
  }

  /** As text. */
  public static String write(JsonNode node) {
    return node.toString();
  }

  /**
   * The object that a text is.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static ObjectNode read(String text) {
    try {
      if (MAPPER.readTree(text) instanceof ObjectNode object) {
        return object;
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the body must be JSON: " + e.getOriginalMessage(), e);
    }
    throw new IllegalArgumentException("the body must be a JSON object");
  }

  /** Adds a number, or null for one that is none. */
  static void add(ArrayNode array, float value) {
    if (Float.isFinite(value)) {
      array.add(value);
    } else {
      array.addNull();
    }
  }
}
