package io.sluice.lab.reproduce.arm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sluice.djl.model.ModelSize;
import io.sluice.djl.trainer.TrainerSettings;
import io.sluice.djl.trainer.TrainingLoop;
import io.sluice.schema.TokenBlock;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class AnswersTest {
  private static final ModelSize SIZE = new ModelSize(1, 16, 2, 258, 16);

  /** Each is answered by its own letter, of which some are answered at length. */
  private static final List<Question> QUESTIONS =
      IntStream.range(0, 40)
          .mapToObj(i -> String.valueOf((char) ('a' + i % 4)))
          .map(
              letter ->
                  new Question(letter + letter + "? ", letter.repeat(1 + letter.charAt(0) % 5)))
          .toList();

  @Test
  void aModelThatHasLearnedTheAnswersGivesThem() {
    TrainerSettings settings = TrainerSettings.builder(200).learningRate(1e-2, 5).seed(4).build();
    List<TokenBlock> taught =
        QUESTIONS.stream().map(each -> Answers.row(each.asked(), each.answer(), 17)).toList();
    try (TrainingLoop loop = new TrainingLoop(SIZE, settings)) {
      double before = Answers.accuracy(loop.trainer(), QUESTIONS, SIZE);
      for (int step = 0; step < 60; step++) {
        loop.step(taught);
      }
      assertThat(Answers.accuracy(loop.trainer(), QUESTIONS, SIZE))
          .isGreaterThan(before)
          .isGreaterThan(0.95);
    }
  }

  @Test
  void anAnswerThatIsProbableBehindAnyQuestionIsNotChosenForThat() {
    // The second answer is the shortest; each question makes its own a little more probable.
    double[] losses = {
      9, 2, 9, 9,
      10, 1, 9, 9,
      10, 2, 8, 9,
      10, 2, 9, 8
    };
    assertThat(Answers.right(losses)).isEqualTo(4);
    double[] equal = {9, 2, 8, 7, 9, 2, 8, 7, 9, 2, 8, 7, 9, 2, 8, 7};
    assertThat(Answers.right(equal)).isZero();
  }

  @Test
  void refusesAQuestionThatIsTooLong() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> Answers.row("a".repeat(10), "b".repeat(8), 17))
        .withMessage("a question with an answer must have at most 17 bytes: 18");
  }
}
