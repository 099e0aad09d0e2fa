package io.sluice.refine.synthesis.rule;

import io.sluice.refine.synthesis.qa.QaPair;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Python: what a function with a docstring is to do is a problem, and the function without it the
 * solution; what a class is for is a question.
 */
final class PythonRule implements Rule {
  private static final Pattern HEAD =
      Pattern.compile(
          "^(?<indent>[ \\t]{0,40})(?<kind>(?:async )?def|class) (?<name>\\w{1,80})"
              + "(?<rest>[^\\n\"']{0,400}?(?:\\n[^\\n\"']{0,200}?){0,12}?:)[ \\t]{0,8}(?:#[^\\n]{0,200})?\\n"
              + "[ \\t]{1,44}[rRuU]?(?<quote>\"\"\"|''')",
          Pattern.MULTILINE);

  @Override
  public List<QaPair> pairs(String document) {
    List<QaPair> pairs = new ArrayList<>();
    Matcher head = HEAD.matcher(document);
    int from = 0;
    while (head.find(from)) {
      int end = document.indexOf(head.group("quote"), head.end());
      if (end < 0) {
        break;
      }
      String said = Lines.comment(document.substring(head.end(), end));
      pair(document, head, said, end + head.group("quote").length()).ifPresent(pairs::add);
      from = end;
    }
    return pairs;
  }

  private static Optional<QaPair> pair(String document, Matcher head, String said, int bodyStart) {
    if (said.isEmpty()) {
      return Optional.empty();
    }
    String name = head.group("name");
    if (head.group("kind").equals("class")) {
      return Optional.of(new QaPair("What is the Python class `" + name + "`?", said));
    }
    String signature =
        Lines.dedented(document.substring(head.start(), head.end("rest"))).stripTrailing();
    String body = Lines.indentedBelow(document, bodyStart, head.group("indent").length());
    if (body.isBlank()) {
      return Optional.empty();
    }
    String code = Lines.dedented(document.substring(head.start(), head.end("rest")) + "\n" + body);
    return Optional.of(
        new QaPair(
            "Write a Python function that begins with `"
                + signature.replaceAll("\\s+", " ")
                + "` and does this:\n\n"
                + said,
            "```python\n" + code + "\n```"));
  }
}
