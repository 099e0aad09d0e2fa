package io.sluice.models.tokenizer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.refine.model.ModelDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;

/**
 * The tokenizer that a model was made with, {@value #FILE} of its directory, with the special
 * tokens of its template, such as {@code [CLS]}. The file's own padding, truncation and drawing of
 * merges by lot do not count. Safe for use by many threads; its memory outside the heap is given
 * back when nobody has it any more.
 *
 * <p>Of a text it looks at the first {@value #CHARACTERS} chars for each token that is asked for: a
 * longer text must not cost more.
 */
public final class TextTokenizer {
  /** The name of the file. */
  public static final String FILE = "tokenizer.json";

  static final int CHARACTERS = 32;

  private static final Cleaner CLEANER = Cleaner.create();
  private static final JsonMapper JSON = new JsonMapper();

  private final HuggingFaceLibrary library;
  private final int most;

  private TextTokenizer(HuggingFaceLibrary library, int most) {
    this.library = library;
    this.most = most;
    CLEANER.register(this, library::close);
  }

  /**
   * A tokenizer that leaves the template's last tokens, such as {@code [SEP]}, at the end of a text
   * that is cut.
   *
   * @param most tokens of a text, with those of the template
   * @throws io.sluice.control.error.BadInputException if the file cannot be used
   */
  public static TextTokenizer cutting(ModelDirectory model, int most) {
    return of(model, most, true);
  }

  /** A tokenizer that gives the first tokens of a longer text; see {@link #cutting}. */
  public static TextTokenizer first(ModelDirectory model, int most) {
    return of(model, most, false);
  }

  /** Tokens of a text, as many as were asked for at most. */
  public Tokens encode(String text) {
    int end = (int) Math.min(text.length(), (long) most * CHARACTERS);
    if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
      end--;
    }
    try {
      Tokens tokens = library.tokens(text.substring(0, end));
      return tokens.size() <= most ? tokens : tokens.part(0, most);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private static TextTokenizer of(ModelDirectory model, int most, boolean cut) {
    try {
      if (!(JSON.readTree(model.file(FILE, -1)) instanceof ObjectNode root)) {
        throw model.refused(FILE + " must be a map");
      }
      root.putNull("padding").putNull("truncation");
      if (cut) {
        root.putObject("truncation")
            .put("direction", "Right")
            .put("max_length", most)
            .put("strategy", "LongestFirst")
            .put("stride", 0);
      }
      JsonNode merges = root.path("model");
      if (merges.hasNonNull("dropout")) {
        ((ObjectNode) merges).putNull("dropout");
      }
      return new TextTokenizer(library(model, JSON.writeValueAsString(root)), most);
    } catch (JsonProcessingException e) {
      throw model.refused(FILE + " must be JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static HuggingFaceLibrary library(ModelDirectory model, String json) {
    try {
      return new HuggingFaceLibrary(json);
    } catch (RuntimeException e) {
      throw model.refused(FILE + " cannot be used: " + e.getMessage());
    }
  }
}
