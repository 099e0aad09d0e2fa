package io.sluice.refine.synthesis.rule;

import io.sluice.refine.synthesis.qa.QaPair;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Java: what a method with Javadoc is to do is a problem, and the method the solution; what a class
 * is is a question.
 */
final class JavaRule implements Rule {
  private static final Pattern COMMENT = Pattern.compile("/\\*\\*(?!/)");
  private static final Pattern ANNOTATIONS =
      Pattern.compile("(?:\\s{0,200}@[\\w.]{1,100}(?:\\([^()]{0,400}\\))?){0,8}\\s{0,200}");
  private static final Pattern TYPE =
      Pattern.compile(
          "(?:(?:public|protected|private|static|final|abstract|sealed|non-sealed) ){0,5}"
              + "(class|interface|record|enum) (\\w{1,100})");
  private static final Pattern METHOD =
      Pattern.compile("[^;{}=@\"/]{1,500}\\)[^;{}=\"()]{0,200}\\{");

  @Override
  public List<QaPair> pairs(String document) {
    List<QaPair> pairs = new ArrayList<>();
    Matcher comment = COMMENT.matcher(document);
    int from = 0;
    while (comment.find(from)) {
      int end = document.indexOf("*/", comment.end());
      if (end < 0) {
        break;
      }
      String said = said(document.substring(comment.end(), end));
      if (!said.isEmpty()) {
        pair(document, end + 2, said).ifPresent(pairs::add);
      }
      from = end;
    }
    return pairs;
  }

  private static Optional<QaPair> pair(String document, int after, String said) {
    Matcher annotations = ANNOTATIONS.matcher(document).region(after, document.length());
    int start = annotations.lookingAt() ? annotations.end() : after;
    Matcher type = TYPE.matcher(document).region(start, document.length());
    if (type.lookingAt()) {
      return Optional.of(
          new QaPair("What is the Java " + type.group(1) + " `" + type.group(2) + "`?", said));
    }
    Matcher method = METHOD.matcher(document).region(start, document.length());
    int end = method.lookingAt() ? Braces.end(document, method.end() - 1) : -1;
    if (end < 0) {
      return Optional.empty();
    }
    String signature = document.substring(start, method.end() - 1).replaceAll("\\s+", " ").strip();
    int line = document.lastIndexOf('\n', start) + 1;
    String code = Lines.dedented(document.substring(line, end));
    return Optional.of(
        new QaPair(
            "Write a Java method `" + signature + "` that does this:\n\n" + said,
            "```java\n" + code + "\n```"));
  }

  /** The words of a comment, without its stars and the marks of its language. */
  private static String said(String comment) {
    String lines = comment.replaceAll("(?m)^[ \\t]{0,40}\\*?", "");
    String plain =
        lines
            .replaceAll("\\{@(?:code|link|linkplain|literal|value) {1,2}([^{}]{0,200})\\}", "`$1`")
            .replaceAll("</?(?:p|ul|ol|li|pre|b|i|em|code|h\\d)>", "")
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&");
    return Lines.comment(plain);
  }
}
