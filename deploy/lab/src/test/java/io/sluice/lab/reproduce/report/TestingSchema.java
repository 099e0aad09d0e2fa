package io.sluice.lab.reproduce.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The part of JSON Schema that the report's schema uses; a word that it does not know fails. */
final class TestingSchema {
  private static final Set<String> KNOWN =
      Set.of(
          "$ref",
          "$defs",
          "$schema",
          "title",
          "description",
          "type",
          "const",
          "enum",
          "required",
          "properties",
          "additionalProperties",
          "items",
          "pattern",
          "minimum",
          "maximum",
          "exclusiveMinimum");

  private final JsonNode root;
  private final List<String> wrong = new ArrayList<>();

  private TestingSchema(JsonNode root) {
    this.root = root;
  }

  static JsonNode read(String resource) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(TestingSchema.class.getResourceAsStream(resource))) {
      return new ObjectMapper().readTree(in);
    }
  }

  /** What is wrong with a document, a line each. */
  static List<String> wrong(JsonNode schema, JsonNode document) {
    TestingSchema check = new TestingSchema(schema);
    check.check(schema, document, "$");
    return check.wrong;
  }

  private void check(JsonNode schema, JsonNode value, String path) {
    schema.fieldNames().forEachRemaining(word -> require(KNOWN.contains(word), path, word));
    if (schema.has("$ref")) {
      check(root.at(schema.get("$ref").asText().substring(1)), value, path);
      return;
    }
    require(!schema.has("type") || isOf(schema.get("type").asText(), value), path, "type");
    require(!schema.has("const") || schema.get("const").equals(value), path, "const");
    if (schema.has("enum")) {
      Set<String> allowed = new TreeSet<>();
      schema.get("enum").forEach(each -> allowed.add(each.asText()));
      require(allowed.contains(value.asText()), path, "enum");
    }
    require(
        !schema.has("pattern")
            || Pattern.compile(schema.get("pattern").asText()).matcher(value.asText()).find(),
        path,
        "pattern");
    require(
        !schema.has("minimum") || value.asDouble() >= schema.get("minimum").asDouble(),
        path,
        "minimum");
    require(
        !schema.has("maximum") || value.asDouble() <= schema.get("maximum").asDouble(),
        path,
        "maximum");
    require(
        !schema.has("exclusiveMinimum")
            || value.asDouble() > schema.get("exclusiveMinimum").asDouble(),
        path,
        "exclusiveMinimum");
    schema.path("required").forEach(key -> require(value.has(key.asText()), path, key.asText()));
    if (value.isObject()) {
      value.fieldNames().forEachRemaining(key -> member(schema, value, key, path + "." + key));
    }
    if (value.isArray() && schema.has("items")) {
      for (int i = 0; i < value.size(); i++) {
        check(schema.get("items"), value.get(i), path + "[" + i + "]");
      }
    }
  }

  private void member(JsonNode schema, JsonNode value, String key, String path) {
    JsonNode own = schema.path("properties").path(key);
    JsonNode others = schema.path("additionalProperties");
    if (!own.isMissingNode()) {
      check(own, value.get(key), path);
    } else if (others.isObject()) {
      check(others, value.get(key), path);
    } else {
      require(!others.isBoolean() || others.asBoolean(), path, "additionalProperties");
    }
  }

  private static boolean isOf(String type, JsonNode value) {
    return switch (type) {
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "string" -> value.isTextual();
      case "number" -> value.isNumber();
      case "integer" -> value.isIntegralNumber();
      default -> false;
    };
  }

  private void require(boolean holds, String path, String word) {
    if (!holds) {
      wrong.add(path + ": " + word);
    }
  }
}
