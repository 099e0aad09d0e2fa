package io.sluice.jobs.prepare.tokenizer;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The control tokens of a {@code tokenizer.json}, and which of them its post-processor puts around
 * a text.
 *
 * @param ids by name, in the file's order
 * @param before those before a text
 * @param after those after it
 */
record ControlTokens(Map<String, Integer> ids, List<String> before, List<String> after) {
  private static final List<String> END_OF_DOCUMENT =
      List.of(
          "<|endoftext|>",
          "<|end_of_text|>",
          "</s>",
          "<eos>",
          "<|eos|>",
          "[EOS]",
          "<\uFF5Cend\u2581of\u2581sentence\uFF5C>",
          "[SEP]");
  private static final List<String> PADDING =
      List.of(
          "<pad>", "[PAD]", "<|pad|>", "<|padding|>", "<|finetune_right_pad_id|>", "<|PAD_TOKEN|>");

  static ControlTokens of(JsonNode root) {
    Map<String, Integer> ids = new LinkedHashMap<>();
    for (JsonNode token : root.path("added_tokens")) {
      if (token.path("special").asBoolean()) {
        ids.put(token.path("content").asText(), token.path("id").asInt());
      }
    }
    ControlTokens found = new ControlTokens(ids, new ArrayList<>(), new ArrayList<>());
    found.addPlaced(root.path("post_processor"));
    return found;
  }

  private void addPlaced(JsonNode processor) {
    switch (processor.path("type").asText()) {
      case "Sequence" -> processor.path("processors").forEach(this::addPlaced);
      case "BertProcessing", "RobertaProcessing" -> {
        before.add(processor.path("cls").path(0).asText());
        after.add(processor.path("sep").path(0).asText());
      }
      case "TemplateProcessing" -> {
        List<String> side = before;
        for (JsonNode part : processor.path("single")) {
          if (part.has("Sequence")) {
            side = after;
          } else {
            side.add(part.path("SpecialToken").path("id").asText());
          }
        }
      }
      default -> {} // It puts nothing there.
    }
  }

  /**
   * The vocabulary with the tokens that a dataset wants. By default version 1 has none before a
   * document and looks for the end's name; the next has those that the post-processor puts there,
   * if that is one.
   *
   * @param size every id is below this
   * @throws IllegalArgumentException if the file has no such token
   */
  Vocabulary vocabulary(int size, TokenizerChoice choice) {
    boolean placed = choice.version() > 1;
    Integer begin =
        choice.bos().equals(TokenizerChoice.NONE)
            ? null
            : chosen("bos", choice.bos(), placed ? only(before) : null);
    Integer byName = firstOf(END_OF_DOCUMENT);
    Integer placedEnd = placed ? only(after) : null;
    Integer end = chosen("eos", choice.eos(), placedEnd == null ? byName : placedEnd);
    if (end == null) {
      throw new IllegalArgumentException(
          "it needs a special token for the end of a document, named by 'eos' or one of "
              + END_OF_DOCUMENT
              + "; its special tokens are "
              + ids.keySet());
    }
    Integer padding = firstOf(PADDING);
    return new Vocabulary(
        size, begin == null ? Vocabulary.NONE : begin, end, padding == null ? end : padding);
  }

  private @Nullable Integer chosen(String key, String name, @Nullable Integer byDefault) {
    if (name.isEmpty()) {
      return byDefault;
    }
    Integer id = ids.get(name);
    if (id == null) {
      throw new IllegalArgumentException(
          key + " must be one of its special tokens " + ids.keySet() + ": found '" + name + "'");
    }
    return id;
  }

  private @Nullable Integer only(List<String> names) {
    return names.size() == 1 ? ids.get(names.get(0)) : null;
  }

  private @Nullable Integer firstOf(List<String> names) {
    return names.stream().filter(ids::containsKey).findFirst().map(ids::get).orElse(null);
  }
}
