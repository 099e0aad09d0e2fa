package io.sluice.refine.synthesis.qa;

import io.sluice.refine.text.Words;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an answer must look like: one to 32 questions with answers, in a form that {@link
 * PairReader} knows, none of them too short or too long, none a copy of what was asked, and none
 * the model's apology. Immutable.
 */
public final class QaForm {
  private static final int MOST_PAIRS = 32;
  private static final int LONGEST = 200_000;
  private static final int LONGEST_QUESTION = 20_000;
  private static final int SHORTEST_QUESTION = 8;
  private static final int SHORTEST_ANSWER = 2;

  /** Words of a run that two texts have by copying rather than by chance. */
  private static final int GRAM = 8;

  private static final double COPIED = .5;

  /** Where an apology stands: at the beginning. */
  private static final int OPENING = 160;

  private static final Pattern APOLOGY =
      Pattern.compile(
          "\\b(?:"
              + String.join(
                  "|",
                  "as an ai\\b",
                  "as a language model",
                  "as a large language model",
                  "i'm sorry, but",
                  "i am sorry, but",
                  "sorry, but i",
                  "sorry, i can",
                  "i apologize, but",
                  "i cannot assist",
                  "i can't assist",
                  "i cannot help",
                  "i can't help",
                  "i cannot provide",
                  "i can't provide",
                  "i cannot fulfill",
                  "i can't fulfill",
                  "i cannot create",
                  "i can't create",
                  "i'm unable to",
                  "i am unable to",
                  "i'm not able to",
                  "i am not able to")
              + ")");

  private final Set<Long> instructions;

  /** What was found: pairs, or why there are none. */
  public sealed interface Found {
    /** At least one pair. */
    record Pairs(List<QaPair> pairs) implements Found {
      /** Copies the list. */
      public Pairs {
        pairs = List.copyOf(pairs);
      }
    }

    /** Nothing that can be used. */
    record None(Refusal why) implements Found {}
  }

  /**
   * The form of answers to a prompt.
   *
   * @param instructions what it says beside the document
   */
  public QaForm(String instructions) {
    this.instructions = grams(instructions);
  }

  /**
   * Looks for pairs in an answer.
   *
   * @param cut whether it was longer than it might be
   */
  public Found read(String answer, boolean cut) {
    if (cut) {
      return new Found.None(Refusal.CUT_OFF);
    }
    if (answer.length() > LONGEST) {
      return new Found.None(Refusal.TOO_LONG);
    }
    if (!isText(answer)) {
      return new Found.None(Refusal.NOT_TEXT);
    }
    if (isApology(answer)) {
      return new Found.None(Refusal.MODEL_DECLINES);
    }
    if (isCopy(answer)) {
      return new Found.None(Refusal.REPEATS_PROMPT);
    }
    List<QaPair> pairs = PairReader.read(answer);
    if (pairs.isEmpty() || pairs.size() > MOST_PAIRS) {
      return new Found.None(pairs.isEmpty() ? Refusal.NO_PAIRS : Refusal.TOO_MANY_PAIRS);
    }
    for (QaPair pair : pairs) {
      Refusal refusal = refusal(pair);
      if (refusal != null) {
        return new Found.None(refusal);
      }
    }
    return new Found.Pairs(pairs);
  }

  private @Nullable Refusal refusal(QaPair pair) {
    if (pair.question().length() < SHORTEST_QUESTION || pair.answer().length() < SHORTEST_ANSWER) {
      return Refusal.PAIR_TOO_SHORT;
    }
    if (pair.question().length() > LONGEST_QUESTION) {
      return Refusal.QUESTION_TOO_LONG;
    }
    if (pair.answer().equalsIgnoreCase(pair.question())) {
      return Refusal.REPEATS_QUESTION;
    }
    // JSON may hide control characters behind escapes.
    if (!isText(pair.question()) || !isText(pair.answer())) {
      return Refusal.NOT_TEXT;
    }
    return isApology(pair.answer()) ? Refusal.MODEL_DECLINES : null;
  }

  private boolean isCopy(String answer) {
    Set<Long> found = grams(answer);
    int smaller = Math.min(found.size(), instructions.size());
    found.retainAll(instructions);
    return smaller > 0 && found.size() > COPIED * smaller;
  }

  private static Set<Long> grams(String text) {
    Set<Long> grams = new HashSet<>();
    Words words = Words.of(text);
    if (words.size() >= GRAM) {
      Arrays.stream(words.grams(GRAM)).forEach(grams::add);
    }
    return grams;
  }

  private static boolean isApology(String answer) {
    String opening =
        answer
            .substring(0, Math.min(OPENING, answer.length()))
            .toLowerCase(Locale.ROOT)
            .replace('\u2019', '\'');
    return APOLOGY.matcher(opening).find();
  }

  private static boolean isText(String text) {
    return text.codePoints().noneMatch(QaForm::isForeign);
  }

  private static boolean isForeign(int point) {
    boolean control = Character.isISOControl(point) && "\n\t\r".indexOf(point) < 0;
    return control || Character.getType(point) == Character.SURROGATE;
  }
}
