package io.sluice.refine.synthesis.qa;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds questions and answers in what a model wrote, in one of three forms: sections {@code
 * [Problem]} and {@code [Solution]}, lines that begin with {@code Question:} and {@code Answer:},
 * or JSON, a map with {@code question} and {@code answer} or an array of those. Where sections or
 * lines are, a few words may stand before the first, as models put them there. Models write problem
 * for question and solution for answer in every form, and labels in bold or as headings.
 */
final class PairReader {
  private static final int PREAMBLE = 400;
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();
  private static final Pattern FENCED =
      Pattern.compile("```(?:json)?[ \\t]*\\n(.*)\\n```", Pattern.DOTALL);
  private static final List<Labels> LABELS =
      List.of(
          new Labels(
              "\\[(?:problem|question)\\][*_]{0,2}:?", "\\[(?:solution|answer)\\][*_]{0,2}:?"),
          new Labels(
              "(?:problem|question|q)[*_]{0,2}:[*_]{0,2}",
              "(?:solution|answer|a)[*_]{0,2}:[*_]{0,2}"));

  /** How questions and answers begin. */
  private record Labels(Pattern question, Pattern answer) {
    Labels(String question, String answer) {
      this(line(question), line(answer));
    }

    private static Pattern line(String label) {
      return Pattern.compile(
          "^[ \\t]{0,4}#{0,6}[ \\t]?[*_]{0,2}" + label,
          Pattern.CASE_INSENSITIVE | Pattern.MULTILINE);
    }
  }

  private PairReader() {}

  /** The pairs, in their order; none if the text is in no known form. */
  static List<QaPair> read(String text) {
    String stripped = text.strip();
    Matcher fenced = FENCED.matcher(stripped);
    String json = fenced.matches() ? fenced.group(1).strip() : stripped;
    if (json.startsWith("{") || json.startsWith("[{") || json.startsWith("[\n")) {
      return ofJson(json);
    }
    for (Labels labels : LABELS) {
      List<QaPair> pairs = labelled(stripped, labels);
      if (!pairs.isEmpty()) {
        return pairs;
      }
    }
    return json.startsWith("[") ? ofJson(json) : List.of();
  }

  /** Between a question and the next, the first answer's label counts alone. */
  private static List<QaPair> labelled(String text, Labels labels) {
    List<QaPair> pairs = new ArrayList<>();
    Matcher question = labels.question.matcher(text);
    boolean more = question.find();
    if (!more || question.start() > PREAMBLE) {
      return List.of();
    }
    while (more) {
      int start = question.end();
      more = question.find();
      String both = text.substring(start, more ? question.start() : text.length());
      Matcher answer = labels.answer.matcher(both);
      if (!answer.find()) {
        return List.of();
      }
      pairs.add(new QaPair(both.substring(0, answer.start()), both.substring(answer.end())));
    }
    return pairs;
  }

  private static List<QaPair> ofJson(String json) {
    JsonNode root;
    try {
      root = JSON.readTree(json);
    } catch (JsonProcessingException e) {
      return List.of();
    }
    List<QaPair> pairs = new ArrayList<>();
    for (JsonNode each : root.isArray() ? root : List.of(root)) {
      JsonNode question = each.has("question") ? each.get("question") : each.path("problem");
      JsonNode answer = each.has("answer") ? each.get("answer") : each.path("solution");
      if (!question.isTextual() || !answer.isTextual()) {
        return List.of();
      }
      pairs.add(new QaPair(question.textValue(), answer.textValue()));
    }
    return pairs;
  }
}
