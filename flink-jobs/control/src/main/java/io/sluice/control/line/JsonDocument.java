package io.sluice.control.line;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.control.error.ParseReason;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A line of JSONL: an object with a text and perhaps an id, in the fields that are given.
 *
 * @param id the line's own id, a text or a whole number
 * @param text the prompt, if there is one, and the text
 * @param trained spans of it that count in the loss, as {@code Document} has them
 * @param properties the fields that were asked for, as far as they are there
 */
public record JsonDocument(
    Optional<String> id,
    String text,
    @Nullable List<Integer> trained,
    Map<String, String> properties) {
  /** Most bytes of a property. */
  private static final int PROPERTY_BYTES = 4096;

  private static final ObjectReader READER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build()
          .reader();

  /**
   * The object that a line is.
   *
   * @throws RefusedException if it is none
   */
  static JsonNode object(String line) throws RefusedException {
    JsonNode node;
    try {
      node = READER.readTree(line);
    } catch (JsonProcessingException e) {
      throw new RefusedException("not JSON: " + ParseReason.placed(e));
    }
    if (!node.isObject()) {
      throw new RefusedException("must be a JSON object: found " + kind(node));
    }
    return node;
  }

  /**
   * What an object says of its document.
   *
   * @param fields where text and id are
   * @param scoreField that must be there, with a number above 0
   * @throws RefusedException saying why it is no document
   */
  static JsonDocument of(JsonNode node, Fields fields, Optional<String> scoreField)
      throws RefusedException {
    String text = text(fields.text(), node.get(fields.text()));
    String prompt =
        fields.prompt().isEmpty()
            ? ""
            : text(fields.prompt().get(), node.get(fields.prompt().get()));
    Map<String, String> properties = properties(fields.properties(), node);
    if (scoreField.isPresent()) {
      properties.put(scoreField.get(), score(scoreField.get(), node.get(scoreField.get())));
    }
    return new JsonDocument(
        id(fields.id(), node.get(fields.id())),
        prompt + text,
        fields.masks() ? TrainedField.spans(fields, node, prompt, text) : null,
        properties);
  }

  static String text(String field, @Nullable JsonNode text) throws RefusedException {
    if (text == null || !text.isTextual()) {
      throw new RefusedException("'" + field + "' must be a string: found " + kind(text));
    }
    if (Utf8.hasLoneSurrogate(text.textValue())) {
      throw new RefusedException("'" + field + "' must be Unicode: found half of a surrogate pair");
    }
    return text.textValue();
  }

  /** Of the fields that are there and not null: texts as they are, numbers and truths as JSON. */
  private static Map<String, String> properties(List<String> fields, JsonNode node)
      throws RefusedException {
    Map<String, String> properties = new TreeMap<>();
    for (String field : fields) {
      JsonNode value = node.get(field);
      if (value == null || value.isNull()) {
        continue;
      }
      if (!value.isValueNode()) {
        throw new RefusedException(
            "'" + field + "' must be a text, a number, true or false: found " + kind(value));
      }
      String text = value.asText();
      if (Utf8.hasLoneSurrogate(text) || Utf8.length(text) > PROPERTY_BYTES) {
        throw noProperty(field);
      }
      properties.put(field, text);
    }
    return properties;
  }

  /**
   * The property that a document has of a column.
   *
   * @throws RefusedException if it cannot be one
   */
  public static String property(String column, byte[] value) throws RefusedException {
    if (value.length > PROPERTY_BYTES) {
      throw noProperty(column);
    }
    try {
      return Utf8.require(value);
    } catch (RefusedException e) {
      throw noProperty(column);
    }
  }

  private static RefusedException noProperty(String field) {
    return new RefusedException(
        "'" + field + "' must be Unicode of at most " + PROPERTY_BYTES + " bytes");
  }

  private static String score(String field, @Nullable JsonNode score) throws RefusedException {
    double value = score != null && score.isNumber() ? score.doubleValue() : Double.NaN;
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new RefusedException(
          "'"
              + field
              + "' must be a number above 0: found "
              + (Double.isNaN(value) ? kind(score) : value));
    }
    return Double.toString(value);
  }

  static Optional<String> id(String field, @Nullable JsonNode id) throws RefusedException {
    if (id == null || id.isNull()) {
      return Optional.empty();
    }
    if (id.isTextual() && id.asText().isEmpty()) {
      throw new RefusedException("'" + field + "' must not be empty");
    }
    boolean usable = id.isTextual() || id.isIntegralNumber();
    if (!usable || Utf8.hasLoneSurrogate(id.asText())) {
      throw new RefusedException(
          "'" + field + "' must be a text or a whole number: found " + kind(id));
    }
    return Optional.of(id.asText());
  }

  /** What a value is, for messages. */
  static String kind(@Nullable JsonNode node) {
    return node == null ? "nothing" : node.getNodeType().toString().toLowerCase(Locale.ROOT);
  }
}
