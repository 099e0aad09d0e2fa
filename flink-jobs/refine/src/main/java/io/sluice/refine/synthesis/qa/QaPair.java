package io.sluice.refine.synthesis.qa;

import java.util.List;

/** A question and its answer, without white space around them. */
public record QaPair(String question, String answer) {
  /** Takes white space away. */
  public QaPair {
    question = question.strip();
    answer = answer.strip();
  }

  /** Questions and answers as the text of a document: one after the other, a line between. */
  public static String text(List<QaPair> pairs) {
    StringBuilder text = new StringBuilder();
    for (QaPair pair : pairs) {
      text.append(text.isEmpty() ? "" : "\n\n").append(pair.question).append("\n\n");
      text.append(pair.answer);
    }
    return text.toString();
  }
}
