package io.sluice.refine.synthesis.qa;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.refine.synthesis.Template;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class QaFormTest {
  private static final QaForm FORM = new QaForm(Template.of("science").instructions());

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[Problem] What is 1 + 1?\n[Solution] It is 2.",
        "Sure, here it is:\n\n**[Problem]**\nWhat is 1 + 1?\n\n**[Solution]**: It is 2.",
        "### Problem: What is 1 + 1?\n### Solution: It is 2.",
        "Question: What is 1 + 1?\nAnswer: It is 2.",
        "**Question:** What is 1 + 1?\n**Answer:** It is 2.",
        "Q: What is 1 + 1?\nA: It is 2.",
        "{\"question\": \"What is 1 + 1?\", \"answer\": \"It is 2.\"}",
        "[{\"problem\": \"What is 1 + 1?\", \"solution\": \"It is 2.\"}]",
        "```json\n[\n{\"question\": \"What is 1 + 1?\", \"answer\": \"It is 2.\"}\n]\n```"
      })
  void readsEachForm(String answer) {
    assertThat(FORM.read(answer, false))
        .isEqualTo(new QaForm.Found.Pairs(List.of(new QaPair("What is 1 + 1?", "It is 2."))));
  }

  @Test
  void readsSeveralPairsOfOneForm() {
    String answer =
        "Question: First thing?\nAnswer: one\nAnswer: still one\nQuestion: The second?\nAnswer: two";

    assertThat(((QaForm.Found.Pairs) FORM.read(answer, false)).pairs())
        .containsExactly(
            new QaPair("First thing?", "one\nAnswer: still one"), new QaPair("The second?", "two"));
    assertThat(QaPair.text(((QaForm.Found.Pairs) FORM.read(answer, false)).pairs()))
        .isEqualTo("First thing?\n\none\nAnswer: still one\n\nThe second?\n\ntwo");
  }

  @Test
  void saysWhyAnAnswerHasNone() {
    String good = "Question: What is it?\nAnswer: It is 2.";

    assertRefused(Refusal.NO_PAIRS, "It is 2.");
    assertRefused(Refusal.NO_PAIRS, "");
    assertRefused(Refusal.NO_PAIRS, "Question: What is it?");
    assertRefused(Refusal.NO_PAIRS, "x".repeat(500) + "\n" + good);
    assertRefused(Refusal.NO_PAIRS, "{\"question\": \"What is it?\", \"answer\": 2}");
    assertRefused(Refusal.NO_PAIRS, "{\"question\": \"What is it?\", \"answer\"");
    assertRefused(Refusal.NO_PAIRS, "[".repeat(5000));
    assertRefused(Refusal.PAIR_TOO_SHORT, "Question: Eh?\nAnswer: It is 2.");
    assertRefused(Refusal.PAIR_TOO_SHORT, "Question: What is it?\nAnswer:");
    assertRefused(Refusal.QUESTION_TOO_LONG, "Question: " + "x".repeat(20_001) + "\nAnswer: It.");
    assertRefused(Refusal.TOO_LONG, good + "x".repeat(200_000));
    assertRefused(Refusal.TOO_MANY_PAIRS, (good + "\n").repeat(33));
    assertRefused(Refusal.REPEATS_QUESTION, "Question: What is it?\nAnswer: what is it?");
    assertRefused(Refusal.NOT_TEXT, good + "\0");
    assertRefused(Refusal.NOT_TEXT, good + "\ud800");
    assertRefused(
        Refusal.NOT_TEXT, "{\"question\": \"What is it?\", \"answer\": \"\\ud800\\u0000\"}");
    assertRefused(Refusal.MODEL_DECLINES, "I\u2019m sorry, but I can't do that.");
    assertRefused(
        Refusal.MODEL_DECLINES, "Question: What is it?\nAnswer: As an AI, I do not know.");
    assertThat(
            FORM.read("Question: What is it?\nAnswer: It has a language model, as an aid.", false))
        .isInstanceOf(QaForm.Found.Pairs.class);
    assertRefused(Refusal.REPEATS_PROMPT, Template.of("science").instructions());
    assertThat(FORM.read(good, true)).isEqualTo(new QaForm.Found.None(Refusal.CUT_OFF));
    assertThat(Refusal.CUT_OFF.words()).isEqualTo("answer: cut off");
  }

  /** Patterns that looked back and forth would not come to an end with these. */
  @Test
  void longLinesOfMarksAreReadOnce() {
    for (String part :
        new String[] {"#", "*", "_", " ", "[", "Q:", "\n# ", "[problem]", "```json\n"}) {
      assertThat(FORM.read(part.repeat(190_000 / part.length()), false))
          .isInstanceOf(QaForm.Found.None.class);
    }
  }

  private static void assertRefused(Refusal why, String answer) {
    assertThat(FORM.read(answer, false)).isEqualTo(new QaForm.Found.None(why));
  }
}
