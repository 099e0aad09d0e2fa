package io.sluice.jobs.prepare.tokenizer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** Gives control tokens names that no text can have. */
final class HiddenTokens {
  /** Starts every control token's new name: a non-character, not meant for interchange. */
  static final char RESERVED = '\uFDD0';

  private HiddenTokens() {}

  static void hide(ObjectNode root, Map<String, Integer> specials) {
    for (JsonNode token : root.path("added_tokens")) {
      if (token instanceof ObjectNode added && added.path("special").asBoolean()) {
        added.put("content", hidden(added.path("id").asInt()));
      }
    }
    ObjectNode model = (ObjectNode) root.path("model");
    Integer unknown = specials.get(model.path("unk_token").asText());
    if (unknown != null) {
      model.put("unk_token", hidden(unknown));
    }
    JsonNode vocab = model.path("vocab");
    specials.forEach((name, id) -> hideIn(vocab, name, id));
  }

  private static void hideIn(JsonNode vocab, String name, int id) {
    if (vocab instanceof ObjectNode named && named.has(name)) {
      named.set(hidden(id), named.remove(name));
    } else if (vocab instanceof ArrayNode scored
        && scored.path(id) instanceof ArrayNode piece
        && piece.path(0).asText().equals(name)) {
      piece.set(0, hidden(id));
    }
  }

  private static String hidden(int id) {
    return RESERVED + "special-" + id;
  }
}
