package io.sluice.jobs.prepare.tokenizer.cut;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;

/**
 * What a file's normalizer makes of a single space between two plain characters.
 *
 * @param proven whether these stay plain, and the place before the space stays one
 * @param space the sign that the space becomes
 * @param prepended whether that sign is put before every text
 */
record NormalizedSpace(boolean proven, char space, boolean prepended) {
  private static final NormalizedSpace UNKNOWN = new NormalizedSpace(false, ' ', false);
  private static final NormalizedSpace UNCHANGED = new NormalizedSpace(true, ' ', false);
  private static final Set<String> HARMLESS =
      Set.of(
          "NFC",
          "NFD",
          "NFKC",
          "NFKD",
          "Lowercase",
          "StripAccents",
          "Nmt",
          "BertNormalizer",
          "Precompiled");

  static NormalizedSpace of(JsonNode normalizer) {
    NormalizedSpace result = UNCHANGED;
    String prepended = "";
    for (JsonNode step : steps(normalizer, "normalizers")) {
      switch (step.path("type").asText()) {
        case "Prepend" -> {
          if (!prepended.isEmpty()) {
            return UNKNOWN;
          }
          prepended = step.path("prepend").asText();
        }
        case "Replace" -> result = result.replaced(step.path("pattern"), step.path("content"));
        case "Strip" -> result = step.path("strip_left").asBoolean(true) ? UNKNOWN : result;
        default -> result = HARMLESS.contains(step.path("type").asText()) ? result : UNKNOWN;
      }
      if (!result.proven) {
        return UNKNOWN;
      }
    }
    if (prepended.isEmpty()) {
      return result;
    }
    return prepended.equals(String.valueOf(result.space))
        ? new NormalizedSpace(true, result.space, true)
        : UNKNOWN;
  }

  /** The steps of a sequence, or the only one; none where there is nothing. */
  static Iterable<JsonNode> steps(JsonNode step, String ofSequence) {
    if (step.path("type").asText().equals("Sequence")) {
      return step.path(ofSequence);
    }
    return step.isObject() ? List.of(step) : List.of();
  }

  private NormalizedSpace replaced(JsonNode pattern, JsonNode by) {
    String found = pattern.path("String").asText();
    if (found.equals(" ") && space == ' ') {
      String sign = by.asText();
      return sign.length() == 1 && !PlainCharacters.is(sign.charAt(0))
          ? new NormalizedSpace(true, sign.charAt(0), prepended)
          : UNKNOWN;
    }
    boolean apart = !found.isEmpty() && found.chars().noneMatch(this::isOfPlace);
    return apart || pattern.path("Regex").asText().equals(" {2,}") ? this : UNKNOWN;
  }

  private boolean isOfPlace(int c) {
    return c == ' ' || c == space || PlainCharacters.is((char) c);
  }
}
