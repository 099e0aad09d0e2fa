package io.sluice.models.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;

/** What {@code src/test/python/make_models.py} made, and what it says of texts. */
final class TinyModels {
  static final List<String> LABELS = List.of("law", "code", "water");

  /** Tokens of a text, and windows, that the expected numbers are of. */
  static final int TOKENS = 16;

  static final int WINDOWS = 3;

  /** What a TorchScript network takes unless it is said. */
  static final List<String> INPUTS = List.of("input_ids", "attention_mask");

  private TinyModels() {}

  static Path file(String name) {
    try {
      return Path.of(TinyModels.class.getResource("/models/" + name).toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  static JsonNode expected() {
    try {
      return new ObjectMapper().readTree(file("expected.json").toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static NeuralImport of(String network) {
    return new NeuralImport(file(network), file("tokenizer.json"), INPUTS, TOKENS);
  }

  static NeuralImport language(String network) {
    return new NeuralImport(file(network), file("plain.json"), INPUTS, TOKENS);
  }
}
