package io.sluice.jobs.prepare.tokenizer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.control.error.ParseReason;
import io.sluice.control.topics.TokenizerFiles;
import io.sluice.jobs.prepare.tokenizer.cut.TextCuts;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * A {@code tokenizer.json}, changed so that no text can become a control token.
 *
 * <p>The library always looks for added tokens in the text. Taking the special ones out would
 * renumber those after them, so they stay, under names that start with a character that the encoder
 * never lets through. Truncation, padding and templates are dropped, and so is the drawing of
 * merges by lot, which would give a text other ids each time.
 *
 * @param json the changed file
 * @param digest SHA-256 of the original file
 * @param specials ids of its control tokens
 * @param cuts where it lets a text be cut
 */
record TokenizerFile(
    String json, String digest, Vocabulary vocabulary, Set<Integer> specials, TextCuts cuts) {
  TokenizerFile {
    specials = Set.copyOf(specials);
  }

  /**
   * Changes the file.
   *
   * @param name what the file is called in messages
   * @throws IllegalArgumentException if it is not a usable {@code tokenizer.json}
   */
  static TokenizerFile of(String name, byte[] bytes, TokenizerChoice choice) {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode root = parse(mapper, name, bytes);
    ControlTokens control = ControlTokens.of(root);
    Vocabulary vocabulary = vocabulary(name, root, control, choice);
    HiddenTokens.hide(root, control.ids());
    for (String setting : List.of("truncation", "padding", "post_processor")) {
      root.putNull(setting);
    }
    if (root.path("model").hasNonNull("dropout")) {
      ((ObjectNode) root.path("model")).putNull("dropout");
    }
    try {
      return new TokenizerFile(
          mapper.writeValueAsString(root),
          TokenizerFiles.sha256(bytes),
          vocabulary,
          Set.copyOf(control.ids().values()),
          TextCuts.of(root));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ObjectNode parse(ObjectMapper mapper, String name, byte[] bytes) {
    try {
      JsonNode root = mapper.readTree(bytes);
      if (root instanceof ObjectNode object && object.path("model").isObject()) {
        return object;
      }
      throw refused(name, "it has no object 'model'");
    } catch (JsonProcessingException e) {
      throw refused(name, "it is not JSON: " + ParseReason.placed(e));
    } catch (IOException e) {
      throw refused(name, "it cannot be read: " + e.getMessage());
    }
  }

  private static Vocabulary vocabulary(
      String name, ObjectNode root, ControlTokens control, TokenizerChoice choice) {
    JsonNode vocab = root.path("model").path("vocab");
    int last = vocab.isArray() ? vocab.size() - 1 : -1;
    if (vocab.isObject()) {
      for (JsonNode id : vocab) {
        last = Math.max(last, id.asInt());
      }
    }
    for (JsonNode token : root.path("added_tokens")) {
      last = Math.max(last, token.path("id").asInt());
    }
    try {
      return control.vocabulary(last + 1, choice);
    } catch (IllegalArgumentException e) {
      throw refused(name, String.valueOf(e.getMessage()));
    }
  }

  private static IllegalArgumentException refused(String name, String why) {
    return new IllegalArgumentException("tokenizer '" + name + "' cannot be used: " + why);
  }
}
