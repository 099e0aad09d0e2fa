package io.sluice.refine.synthesis.rule;

import io.sluice.refine.synthesis.qa.QaPair;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Markdown: what the text says under each of its headings is a question. */
final class HeadingRule implements Rule {
  private static final Pattern HEADING = Pattern.compile("#{1,6} {1,4}\\S.*");

  @Override
  public List<QaPair> pairs(String document) {
    List<QaPair> pairs = new ArrayList<>();
    String title = "";
    String heading = "";
    StringBuilder body = new StringBuilder();
    boolean code = false;
    for (String line : (document + "\n# end").lines().toList()) {
      code ^= line.startsWith("```");
      if (code || !HEADING.matcher(line).matches()) {
        body.append(line).append('\n');
        continue;
      }
      if (!heading.isEmpty() && !body.toString().isBlank()) {
        pairs.add(new QaPair(question(title, heading), Lines.dedented(body.toString())));
      }
      heading = line.replaceAll("^#+ *| *#* *$", "");
      title = title.isEmpty() ? heading : title;
      body.setLength(0);
    }
    return pairs;
  }

  private static String question(String title, String heading) {
    return heading.equals(title)
        ? "What is to be known of \"" + title + "\" first?"
        : "What does \"" + title + "\" say of \"" + heading + "\"?";
  }
}
