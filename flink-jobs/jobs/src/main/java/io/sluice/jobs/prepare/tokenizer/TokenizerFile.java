package io.sluice.jobs.prepare.tokenizer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.jobs.prepare.tokenizer.cut.TextCuts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
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
   * Reads and changes the file.
   *
   * @throws IllegalArgumentException if it cannot be read or is not a usable {@code tokenizer.json}
   */
  static TokenizerFile read(Path path, TokenizerChoice choice) {
    byte[] bytes = readBytes(path);
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode root = parse(mapper, path, bytes);
    ControlTokens control = ControlTokens.of(root);
    Vocabulary vocabulary = vocabulary(path, root, control, choice);
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
          sha256(bytes),
          vocabulary,
          Set.copyOf(control.ids().values()),
          TextCuts.of(root));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] readBytes(Path path) {
    try {
      return Files.readAllBytes(path);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "tokenizer must be a readable tokenizer.json: 'file:" + path + "' (" + e + ")", e);
    }
  }

  private static ObjectNode parse(ObjectMapper mapper, Path path, byte[] bytes) {
    try {
      JsonNode root = mapper.readTree(bytes);
      if (root instanceof ObjectNode object && object.path("model").isObject()) {
        return object;
      }
      throw refused(path, "it has no object 'model'");
    } catch (IOException e) {
      throw refused(path, "it is not JSON: " + e.getMessage());
    }
  }

  private static Vocabulary vocabulary(
      Path path, ObjectNode root, ControlTokens control, TokenizerChoice choice) {
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
      throw refused(path, String.valueOf(e.getMessage()));
    }
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static IllegalArgumentException refused(Path path, String why) {
    return new IllegalArgumentException("tokenizer 'file:" + path + "' cannot be used: " + why);
  }
}
