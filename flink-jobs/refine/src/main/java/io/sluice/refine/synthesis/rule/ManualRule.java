package io.sluice.refine.synthesis.rule;

import io.sluice.refine.synthesis.qa.QaPair;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Manual pages, with headings in capitals at the beginning of lines and the first of them {@code
 * NAME}: what the thing is and how it is called are questions, and what each other section says.
 */
final class ManualRule implements Rule {
  private static final Pattern HEADING = Pattern.compile("(?m)^([A-Z][A-Z ]{2,40})$");
  private static final Pattern NAME =
      Pattern.compile("([^\\s,]{1,80})[^\\n]{0,200}? (?:-|\u2013|\\\\-) ");

  @Override
  public List<QaPair> pairs(String document) {
    List<QaPair> pairs = new ArrayList<>();
    Matcher heading = HEADING.matcher(document);
    String name = "";
    boolean more = heading.find();
    while (more) {
      String title = heading.group(1).strip();
      int start = heading.end();
      more = heading.find();
      String body =
          Lines.dedented(document.substring(start, more ? heading.start() : document.length()));
      if (name.isEmpty()) {
        Matcher named = NAME.matcher(body);
        if (!title.equals("NAME") || !named.lookingAt()) {
          return List.of();
        }
        name = named.group(1);
      }
      if (!body.isBlank()) {
        pairs.add(new QaPair(question(title, name), body));
      }
    }
    return pairs;
  }

  private static String question(String title, String name) {
    return switch (title) {
      case "NAME" -> "What is `" + name + "`?";
      case "SYNOPSIS" -> "How is `" + name + "` called?";
      case "DESCRIPTION" -> "What does `" + name + "` do?";
      case "OPTIONS" -> "Which options does `" + name + "` have?";
      default ->
          "What does the manual of `"
              + name
              + "` say of its "
              + title.toLowerCase(Locale.ROOT)
              + "?";
    };
  }
}
