package io.sluice.control.line;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.control.domain.TextSpans;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The field of a line of JSONL that says which spans of its text count in the loss. */
final class TrainedField {
  private TrainedField() {}

  /**
   * The spans of prompt and text together. Without such a field, or without a value in it, the
   * whole text counts.
   *
   * @throws RefusedException unless they are a list of [start, end] in the text
   */
  static List<Integer> spans(Fields fields, JsonNode line, String prompt, String text)
      throws RefusedException {
    int before = prompt.codePointCount(0, prompt.length());
    String name = fields.trained().orElse("");
    JsonNode found = fields.trained().isEmpty() ? null : line.get(name);
    if (found == null || found.isNull()) {
      int end = before + text.codePointCount(0, text.length());
      return end == before ? List.of() : List.of(before, end);
    }
    List<Integer> spans = new ArrayList<>();
    for (JsonNode span : list(name, found)) {
      if (!span.isArray() || span.size() != 2) {
        throw refused(name, span);
      }
      spans.add(bound(name, span.get(0)));
      spans.add(bound(name, span.get(1)));
    }
    try {
      TextSpans.bounds(spans, text);
    } catch (IllegalArgumentException e) {
      throw new RefusedException("'" + name + "': " + e.getMessage());
    }
    return spans.stream().map(bound -> before + bound).toList();
  }

  private static Iterable<JsonNode> list(String name, JsonNode found) throws RefusedException {
    if (!found.isArray()) {
      throw refused(name, found);
    }
    return found;
  }

  private static int bound(String name, @Nullable JsonNode bound) throws RefusedException {
    if (bound == null || !bound.isInt()) {
      throw refused(name, bound);
    }
    return bound.intValue();
  }

  private static RefusedException refused(String name, @Nullable JsonNode found) {
    return new RefusedException(
        "'"
            + name
            + "' must be a list of [start, end] in characters: found "
            + JsonDocument.kind(found));
  }
}
