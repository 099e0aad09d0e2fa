package io.sluice.cli.flink;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.options.Printable;
import io.sluice.control.error.CheckFailedException;
import io.sluice.schema.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What Flink answered, or a part of it. Whoever reads a field gets it as it should be, or an error
 * that names the question, the field, and what was found.
 *
 * @param question the request, and the way to this part
 */
public record FlinkAnswer(String question, JsonNode body) {
  /** Most entries of a list or map that are read. */
  public static final int ENTRIES = 100_000;

  /** The part in a field. */
  public FlinkAnswer at(String field) {
    return new FlinkAnswer(question + ", " + field, found(field, JsonNode::isObject, "a map"));
  }

  /** The part in a field that need not be there. */
  public Optional<FlinkAnswer> perhaps(String field) {
    JsonNode node = body.path(field);
    return node.isMissingNode() || node.isNull() ? Optional.empty() : Optional.of(at(field));
  }

  /** A text. */
  public String text(String field) {
    return found(field, JsonNode::isTextual, "a text").textValue();
  }

  /** A text of a form. */
  public String text(String field, Pattern form) {
    String text = text(field);
    if (!form.matcher(text).matches()) {
      throw odd(field, "a text like " + form, body.path(field));
    }
    return text;
  }

  /** A whole number that is not negative. */
  public long number(String field) {
    return found(field, node -> node.isIntegralNumber() && node.longValue() >= 0, "a number")
        .longValue();
  }

  /** The parts of a list. */
  public List<FlinkAnswer> list(String field) {
    return parts(question + ", " + field, found(field, JsonNode::isArray, "a list"));
  }

  /** The parts of an answer that is a list. */
  public List<FlinkAnswer> list() {
    if (!body.isArray()) {
      throw odd("all of it", "a list", body);
    }
    return parts(question, body);
  }

  private static List<FlinkAnswer> parts(String question, JsonNode list) {
    List<FlinkAnswer> parts = new ArrayList<>();
    for (JsonNode part : list) {
      if (parts.size() == ENTRIES) {
        throw new CheckFailedException(
            "Flink's answer to " + question + " has more than " + ENTRIES + " entries");
      }
      parts.add(new FlinkAnswer(question + " [" + parts.size() + "]", part));
    }
    return parts;
  }

  /** The texts of a map; entries that are none are left out. */
  public Map<String, String> texts() {
    Map<String, String> texts = new TreeMap<>();
    body.properties().stream()
        .limit(ENTRIES)
        .filter(entry -> entry.getValue().isTextual())
        .forEach(entry -> texts.put(entry.getKey(), entry.getValue().textValue()));
    return texts;
  }

  private JsonNode found(String field, Predicate<JsonNode> form, String wanted) {
    JsonNode found = body.path(field);
    if (!form.test(found)) {
      throw odd("'" + field + "'", wanted, found);
    }
    return found;
  }

  private CheckFailedException odd(String what, String wanted, JsonNode found) {
    String shown = found.isMissingNode() ? "nothing" : found.toString();
    return new CheckFailedException(
        "Flink's answer to %s must have %s as %s: %s"
            .formatted(
                question, what, wanted, Printable.line(Limits.shortened(shown, Limits.TEXT))));
  }
}
