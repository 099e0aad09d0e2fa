package io.sluice.lab.reproduce.arm;

import static java.nio.charset.StandardCharsets.UTF_8;

import ai.djl.training.Trainer;
import io.sluice.djl.model.ModelSize;
import io.sluice.schema.TokenBlock;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Which of four answers belongs to a question: its own, or those of the three questions beside it.
 * It is the one that the question makes more probable than the four do in the mean, so that no
 * answer is chosen for being short or common.
 */
final class Answers {
  /** Questions that have each other's answers to choose from. */
  static final int CHOICES = 4;

  private Answers() {}

  /**
   * Share of the questions that the model answers rightly.
   *
   * @param questions of which every four belong together; what is left over is not asked
   * @param size of a model of bytes, whose sequences are as long as any question with an answer
   */
  static double accuracy(Trainer trainer, List<Question> questions, ModelSize size) {
    int asked = questions.size() / CHOICES * CHOICES;
    int right = 0;
    for (int from = 0; from < asked; from += CHOICES) {
      List<Question> four = questions.subList(from, from + CHOICES);
      List<TokenBlock> rows = new ArrayList<>();
      for (Question question : four) {
        for (Question other : four) {
          rows.add(row(question.asked(), other.answer(), size.sequenceLength() + 1));
        }
      }
      right += right(Continuations.losses(trainer, rows, size));
    }
    return (double) right / asked;
  }

  /**
   * How many of four questions have their own answer as the one that they make most probable.
   *
   * @param losses of each answer behind each question, question by question
   */
  static int right(double[] losses) {
    double[] means = new double[CHOICES];
    for (int i = 0; i < losses.length; i++) {
      means[i % CHOICES] += losses[i] / CHOICES;
    }
    int right = 0;
    for (int question = 0; question < CHOICES; question++) {
      boolean least = true;
      int first = question * CHOICES;
      double own = losses[first + question] - means[question];
      for (int answer = 0; answer < CHOICES; answer++) {
        least &= answer == question || own < losses[first + answer] - means[answer];
      }
      right += least ? 1 : 0;
    }
    return right;
  }

  /** A question and an answer, whose labels alone count, and padding. */
  static TokenBlock row(String asked, String answer, int tokens) {
    byte[] question = asked.getBytes(UTF_8);
    byte[] answered = answer.getBytes(UTF_8);
    int length = question.length + answered.length;
    if (length > tokens) {
      throw new IllegalArgumentException(
          "a question with an answer must have at most " + tokens + " bytes: " + length);
    }
    ByteBuffer ids = ByteBuffer.allocate(2 * tokens).order(ByteOrder.LITTLE_ENDIAN);
    for (byte each : question) {
      ids.putShort((short) (each & 0xFF));
    }
    for (byte each : answered) {
      ids.putShort((short) (each & 0xFF));
    }
    return TokenBlock.newBuilder()
        .setFingerprint(0)
        .setDomain("questions")
        .setOrdinal(0)
        .setTokenWidth(2)
        .setTokens(ids.rewind())
        .setDocumentLengths(List.of(tokens))
        .setDocumentIds(List.of("question"))
        .setTrainedTokens(answered.length)
        .setLossMask(List.of(0, question.length - 1, answered.length, tokens - length))
        .build();
  }
}
