package io.sluice.lab.reproduce.experiment;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.lab.reproduce.arm.Question;
import io.sluice.lab.reproduce.corpus.Passage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Questions and answers made by rule of a dictionary's entries, which are a line each: {@code WORD:
 * DEFINITION; EXAMPLES}.
 */
final class EntryQuestions {
  private EntryQuestions() {}

  /**
   * What words mean, in an order that is drawn, so that those beside each other are of anything.
   *
   * @param bytes that any question has with any answer at most: three eighths of it a question, the
   *     rest an answer; longer ones are left out
   */
  static List<Question> of(List<Passage> entries, int bytes, Random random) {
    List<Question> questions = new ArrayList<>();
    for (Passage passage : entries) {
      passage.text().lines().forEach(line -> add(line, bytes, questions));
    }
    Collections.shuffle(questions, random);
    return questions;
  }

  private static void add(String line, int bytes, List<Question> questions) {
    int colon = line.indexOf(": ");
    if (colon < 1) {
      return;
    }
    String asked = "Question: What does " + line.substring(0, colon) + " mean?\nAnswer: ";
    String definition = line.substring(colon + 2).split(";", 2)[0].strip();
    int most = bytes * 3 / 8;
    boolean fits = bytes(asked) <= most && bytes(definition) <= bytes - most;
    if (fits && !definition.isEmpty()) {
      questions.add(new Question(asked, definition));
    }
  }

  private static int bytes(String text) {
    return text.getBytes(UTF_8).length;
  }

  /**
   * Questions with their answers as documents.
   *
   * @param wrong share of them that have the answer of another one
   */
  static List<Passage> documents(List<Question> questions, double wrong, Random random) {
    List<Passage> documents = new ArrayList<>();
    for (Question question : questions) {
      boolean corrupted = random.nextDouble() < wrong;
      Question other = questions.get(random.nextInt(questions.size()));
      String answer = corrupted ? other.answer() : question.answer();
      documents.add(new Passage("question-" + documents.size(), question.asked() + answer + "\n"));
    }
    return documents;
  }
}
