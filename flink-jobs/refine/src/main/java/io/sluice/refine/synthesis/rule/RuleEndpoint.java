package io.sluice.refine.synthesis.rule;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.control.line.Utf8;
import io.sluice.refine.synthesis.Endpoint;
import io.sluice.refine.synthesis.Reply;
import io.sluice.refine.synthesis.Request;
import io.sluice.refine.synthesis.qa.QaPair;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * An endpoint without a model, to try out with what comes before and after one: it makes questions
 * of what documentation says, by rule, and answers with its own words. Documents that are neither
 * Python or Java with comments, nor manuals, nor Markdown are refused.
 */
public final class RuleEndpoint implements Endpoint {
  /** What the documents say that made them. */
  public static final String MODEL = "rule";

  private static final int MOST_PAIRS = 8;
  private static final int LONGEST_QUESTION = 4000;
  private static final int SHORTEST_ANSWER = 8;
  private static final long BYTES_PER_TOKEN = 3;
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final List<Rule> RULES =
      List.of(new PythonRule(), new JavaRule(), new ManualRule(), new HeadingRule());

  private final UnaryOperator<String> documentOf;

  /**
   * An endpoint.
   *
   * @param documentOf finds the document in a prompt
   */
  public RuleEndpoint(UnaryOperator<String> documentOf) {
    this.documentOf = documentOf;
  }

  @Override
  public Reply ask(Request request) {
    List<QaPair> pairs = pairs(documentOf.apply(request.prompt()));
    long room = request.sampling().maxTokens() * BYTES_PER_TOKEN;
    for (int count = pairs.size(); count > 0; count--) {
      String answer = json(pairs.subList(0, count));
      if (Utf8.length(answer) <= room) {
        long bytes = Utf8.length(request.prompt()) + Utf8.length(answer);
        return new Reply.Answered(answer, false, Optional.of(bytes / BYTES_PER_TOKEN));
      }
    }
    return new Reply.Refused("no rule makes a question of it that fits");
  }

  private static String json(List<QaPair> pairs) {
    try {
      return JSON.writeValueAsString(pairs);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Of the first rule that makes any. */
  private static List<QaPair> pairs(String document) {
    return RULES.stream()
        .map(rule -> rule.pairs(document).stream().filter(RuleEndpoint::isUsable).toList())
        .filter(pairs -> !pairs.isEmpty())
        .findFirst()
        .map(pairs -> pairs.subList(0, Math.min(MOST_PAIRS, pairs.size())))
        .orElse(List.of());
  }

  private static boolean isUsable(QaPair pair) {
    return pair.question().length() <= LONGEST_QUESTION
        && pair.answer().length() >= SHORTEST_ANSWER;
  }
}
