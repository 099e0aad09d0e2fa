package io.sluice.lab.reproduce.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.lab.reproduce.arm.Question;
import io.sluice.lab.reproduce.corpus.Passage;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class EntryQuestionsTest {
  private static final List<Question> MANY =
      IntStream.range(0, 1000).mapToObj(i -> new Question("q" + i + "? ", "a" + i)).toList();

  @Test
  void anEntryBecomesAQuestionWithItsDefinition() {
    Passage entries =
        new Passage(
            "a",
            """
            moo: the sound made by a cow or bull
            meow: the sound made by a cat (or any sound resembling this); "it said meow"
            no entry
            : nothing
            long: %s
            extraordinarily: too long a word
            """
                .formatted("very ".repeat(30)));
    assertThat(EntryQuestions.of(List.of(entries), 128, new Random(1)))
        .containsExactlyInAnyOrder(
            new Question(
                "Question: What does moo mean?\nAnswer: ", "the sound made by a cow or bull"),
            new Question(
                "Question: What does meow mean?\nAnswer: ",
                "the sound made by a cat (or any sound resembling this)"));
  }

  @Test
  void soManyDocumentsHaveAWrongAnswerAsAreAskedFor() {
    List<Passage> right = EntryQuestions.documents(MANY, 0, new Random(1));
    assertThat(right).extracting(Passage::id).doesNotHaveDuplicates();
    assertThat(wrong(right)).isZero();
    assertThat(wrong(EntryQuestions.documents(MANY, .3, new Random(1)))).isBetween(250, 350);
    assertThat(wrong(EntryQuestions.documents(MANY, .7, new Random(1)))).isBetween(650, 750);
  }

  @Test
  void whatIsWrongInFewIsWrongInMany() {
    List<Passage> few = EntryQuestions.documents(MANY, .3, new Random(1));
    List<Passage> many = EntryQuestions.documents(MANY, .7, new Random(1));
    for (int i = 0; i < MANY.size(); i++) {
      if (!isRight(i, few.get(i))) {
        assertThat(many.get(i)).isEqualTo(few.get(i));
      }
    }
  }

  private static int wrong(List<Passage> documents) {
    return (int) IntStream.range(0, MANY.size()).filter(i -> !isRight(i, documents.get(i))).count();
  }

  private static boolean isRight(int i, Passage document) {
    return document.text().equals("q" + i + "? a" + i + "\n");
  }
}
