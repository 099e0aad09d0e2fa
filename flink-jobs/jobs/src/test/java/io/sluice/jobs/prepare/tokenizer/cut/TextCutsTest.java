package io.sluice.jobs.prepare.tokenizer.cut;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextCutsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final TextCuts PLACES = new TextCuts(TextCuts.WHOLE, true, false);
  private static final TextCuts WITHOUT_SPACE = new TextCuts(TextCuts.WHOLE, true, true);
  private static final TextCuts NOWHERE = new TextCuts(TextCuts.WHOLE, false, false);

  @ParameterizedTest
  @CsvSource({
    "byte-level, false",
    "byte-level-nfc, false",
    "byte-level-spaces, false",
    "byte-level-prefix, false",
    "metaspace, false",
    "metaspace-first, false",
    "prepend, true",
    "unigram, false",
    "unigram-words, false",
    "word-piece, false"
  })
  void filesOfEveryKindHavePlaces(String kind, boolean withoutSpace) throws Exception {
    assertThat(TextCuts.of(file(kind))).isEqualTo(new TextCuts(TextCuts.WHOLE, true, withoutSpace));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'type': 'Strip', 'strip_left': true, 'strip_right': true}",
        "{'type': 'Replace', 'pattern': {'String': 'a'}, 'content': ' '}",
        "{'type': 'Replace', 'pattern': {'String': ' '}, 'content': 'a'}",
        "{'type': 'Replace', 'pattern': {'Regex': '[a-z] '}, 'content': ''}",
        "{'type': 'Prepend', 'prepend': 'x'}",
        "{'type': 'OfTomorrow'}",
        "{'type': 'Sequence', 'normalizers': [{'type': 'OfTomorrow'}, {'type': 'NFC'}]}"
      })
  void normalizersThatMayActOverAPlaceLeaveNone(String normalizer) throws Exception {
    assertThat(with("byte-level", "normalizer", normalizer)).isEqualTo(NOWHERE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "{'type': 'ByteLevel', 'use_regex': false}",
        "{'type': 'Digits'}",
        "{'type': 'OfTomorrow'}",
        "{'type': 'Punctuation', 'behavior': 'MergedWithNext'}",
        "{'type': 'Split', 'pattern': {'String': ' '}, 'behavior': 'MergedWithPrevious'}",
        "{'type': 'Split', 'pattern': {'Regex': '.+'}, 'behavior': 'Isolated'}",
        "{'type': 'Split', 'pattern': {'Regex': '\\\\w+|\\\\s+'}, 'behavior': 'MergedWithNext'}"
      })
  void preTokenizersThatMayJoinOverAPlaceLeaveNone(String preTokenizer) throws Exception {
    assertThat(with("byte-level", "pre_tokenizer", preTokenizer)).isEqualTo(NOWHERE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'type': 'WhitespaceSplit'}",
        "{'type': 'Split', 'pattern': {'String': ' '}, 'behavior': 'Isolated'}",
        "{'type': 'Split', 'pattern': {'Regex': '\\\\w+|\\\\s+'}, 'behavior': 'Isolated'}",
        "{'type': 'Sequence', 'pretokenizers': [{'type': 'Digits'}, {'type': 'Whitespace'},"
            + " {'type': 'OfTomorrow'}]}"
      })
  void preTokenizersThatSplitAtAPlaceLeaveIt(String preTokenizer) throws Exception {
    assertThat(with("byte-level", "pre_tokenizer", preTokenizer)).isEqualTo(PLACES);
  }

  @ParameterizedTest
  @CsvSource({"x y, false", "x, true"})
  void ordinaryAddedTokensThatReachOverAPlaceLeaveNone(String content, boolean strips)
      throws Exception {
    String added =
        "[{'id': 9, 'content': '%s', 'rstrip': %s, 'special': %%s}]".formatted(content, strips);
    assertThat(with("byte-level", "added_tokens", added.formatted(false))).isEqualTo(NOWHERE);
    assertThat(with("byte-level", "added_tokens", added.formatted(true))).isEqualTo(PLACES);
  }

  @Test
  void behindAPrependNoAddedTokenMayBeginAText() throws Exception {
    assertThat(with("prepend", "added_tokens", "[{'id': 9, 'content': 'x'}]")).isEqualTo(NOWHERE);
    assertThat(with("prepend", "added_tokens", "[{'id': 9, 'content': '\u4E00'}]"))
        .isEqualTo(WITHOUT_SPACE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'type': 'BPE', 'vocab': {'\u2581': 0, 'a\u2581': 1}}",
        "{'type': 'BPE', 'vocab': {'a': 0}}",
        "{'type': 'BPE', 'vocab': {'\u2581': 0}, 'ignore_merges': true}",
        "{'type': 'BPE', 'vocab': {'\u2581': 0}, 'end_of_word_suffix': '</w>'}",
        "{'type': 'Unigram', 'vocab': [['\u2581', 0]]}",
        "{'type': 'OfTomorrow'}"
      })
  void modelsThatMayJoinOverAPlaceLeaveNoneWhereNothingSplits(String model) throws Exception {
    assertThat(with("prepend", "model", model)).isEqualTo(NOWHERE);
  }

  @Test
  void placesThatTheTokenizerItselfDisprovesAreNone() {
    assertThat(PLACES.tried(text -> text.chars().asLongStream().toArray())).isEqualTo(PLACES);
    assertThat(PLACES.tried(text -> new long[] {text.length()})).isEqualTo(NOWHERE);
    assertThat(WITHOUT_SPACE.tried(text -> (" " + text).chars().asLongStream().toArray()))
        .isEqualTo(WITHOUT_SPACE);
    assertThat(WITHOUT_SPACE.tried(text -> text.chars().asLongStream().toArray()))
        .isEqualTo(NOWHERE);
  }

  @Test
  void partsMakeTheWholeText() {
    String text = "one, two\n\u0434\u0432\u0430 \u0442\u0440\u0438  ".repeat(20_000);

    assertThat(String.join("", parts(PLACES, text))).isEqualTo(text);
    assertThat(String.join(" ", parts(WITHOUT_SPACE, text))).isEqualTo(text);
    assertThat(parts(PLACES, text)).hasSizeGreaterThan(3).allMatch(part -> part.length() <= 65_536);
    assertThat(parts(NOWHERE, text)).containsExactly(text);
  }

  @Test
  void aTextWithoutAPlaceIsWholeUpToTheLongest() {
    String text = "\u4E00".repeat(TextCuts.WHOLE);

    assertThat(parts(PLACES, text)).containsExactly(text);
    assertThat(parts(PLACES, text + " " + text)).hasSize(3);
    assertThat(parts(TextCuts.VERSION_1, text)).hasSize(4);
  }

  private static List<String> parts(TextCuts cuts, String text) {
    List<String> parts = new ArrayList<>();
    for (int from = 0; from < text.length(); ) {
      int end = cuts.end(text, from);
      parts.add(text.substring(from, end));
      from = cuts.next(text, end);
    }
    return parts;
  }

  private static TextCuts with(String kind, String key, String value) throws Exception {
    ObjectNode root = (ObjectNode) file(kind);
    root.set(key, json(value));
    return TextCuts.of(root);
  }

  private static JsonNode json(String value) throws JsonProcessingException {
    return JSON.readTree(value.replace('\'', '"'));
  }

  private static JsonNode file(String kind) throws Exception {
    return JSON.readTree(Path.of("src/test/resources/tokenizers/small", kind + ".json").toFile());
  }
}
