package io.sluice.lab.reproduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sluice.control.error.CheckFailedException;
import io.sluice.lab.reproduce.arm.Arm;
import io.sluice.lab.reproduce.arm.Mixture;
import io.sluice.lab.reproduce.arm.Scale;
import io.sluice.lab.reproduce.arm.TestingOutcomes;
import io.sluice.lab.reproduce.arm.Texts;
import io.sluice.lab.reproduce.arm.Trial;
import io.sluice.lab.reproduce.corpus.Passage;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class SoundnessTest {
  private static final Scale SCALE = new Scale(1, 16, 2, 32, 4, 10, 5, 64, 64, 1e-3);
  private static final Arm ARM = Arm.of("arm", 10, Mixture.fixed(Map.of("a", 1.0)));

  @Test
  void aSoundArmHasNoFault() {
    assertThat(Soundness.fault(SCALE, ARM, TestingOutcomes.sound())).isEmpty();
  }

  @Test
  void noticesAnArmThatIsShortOfTokens() {
    assertThat(Soundness.fault(SCALE, ARM, TestingOutcomes.streaming(Map.of("a", 27.0, "b", 9.0))))
        .isEqualTo("it trained on 36 of 40 sequences");
  }

  @Test
  void noticesAStreamThatIgnoresItsWeights() {
    assertThat(Soundness.fault(SCALE, ARM, TestingOutcomes.streaming(Map.of("a", 20.0, "b", 20.0))))
        .contains("has 0.500 of its stream, its weights say 0.");
  }

  @Test
  void noticesAnAuditThatFailed() {
    assertThat(Soundness.fault(SCALE, ARM, TestingOutcomes.failed("one sequence is twice")))
        .isEqualTo("the audit of its stream failed: one sequence is twice");
  }

  @Test
  void refusesTrainingTextThatIsTested() {
    Passage tested = passage(1);
    Passage like = new Passage("like", tested.text().replaceFirst("\\d+", "other"));
    Soundness.requireNoLeak(trial(List.of(passage(2), passage(3)), tested));
    assertThatExceptionOfType(CheckFailedException.class)
        .isThrownBy(() -> Soundness.requireNoLeak(trial(List.of(passage(2), like), tested)))
        .withMessage("training text of trial 1 has what is tested, or its like: like");
  }

  @Test
  void copiesWithinTheTrainingTextAreNoLeak() {
    Passage copy = new Passage("copy", passage(2).text());
    Passage like = new Passage("like", passage(2).text().replaceFirst("\\d+", "other"));
    Soundness.requireNoLeak(trial(List.of(passage(2), copy, like), passage(1)));
  }

  private static Trial trial(List<Passage> training, Passage tested) {
    return new Trial(
        "",
        1,
        Texts.training(Map.of("a", training), 0),
        Texts.test(Map.of("a", List.of(tested))),
        List.of(ARM));
  }

  private static Passage passage(long seed) {
    String text =
        new Random(seed)
            .ints(300, 0, 10_000)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(" "));
    return new Passage("passage-" + seed, text);
  }
}
