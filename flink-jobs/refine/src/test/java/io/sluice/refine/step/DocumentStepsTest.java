package io.sluice.refine.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import io.sluice.refine.model.ModelDirectory;
import io.sluice.refine.perplexity.NgramSettings;
import io.sluice.refine.perplexity.NgramTrainer;
import io.sluice.refine.targets.BenchmarkGrams;
import io.sluice.refine.text.Words;
import io.sluice.refine.twin.SignatureScheme;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.RefineStep;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DocumentStepsTest {
  private static final String QUESTION =
      "how many apples has anna if bert gives her two of his five apples today";

  @TempDir private Path folder;

  @Test
  void aDocumentHasWhatEachStepSays() {
    DocumentSteps steps = DocumentSteps.open(spec(benchmark(), duplicates(), perplexity("ngrams")));

    Examination found = steps.examine("a cat sat");
    assertThat(found.drop()).isEmpty();
    assertThat(found.signature().orElseThrow().sameText(SignatureScheme.DEFAULT.sign("a cat sat")))
        .isTrue();
    assertThat(Double.parseDouble(found.properties().get("perplexity"))).isPositive();
    assertThat(found.properties().get("perplexity-model")).hasSize(16);
    assertThat(steps.examine("so: " + QUESTION).drop())
        .contains(new Examination.Drop("benchmark", "sums"));
    assertThat(steps.examine("?!").properties()).containsEntry("perplexity", "none");
    assertThat(steps.examine("").drop()).isEmpty();
  }

  @Test
  void anotherModelThanWasSpecifiedIsRefused() {
    RefineStep wanted = perplexity("ngrams");
    RefineStep other = perplexity("others");
    RefineStep changed = RefineStep.newBuilder(wanted).setModel(other.getModel()).build();

    assertThatThrownBy(
            () ->
                DocumentSteps.open(spec(RefineStep.newBuilder(wanted).setModelHash("00").build())))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("must have the hash 00: found " + wanted.getModelHash());
    assertThat(changed.getModelHash()).isNotEqualTo(other.getModelHash());
    assertThatThrownBy(() -> DocumentSteps.open(spec(changed)))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("the model of step 'perplexity' in ");
  }

  @Test
  void aModelOfAnotherKindIsRefused() {
    RefineStep grams = benchmark();
    RefineStep wrong = RefineStep.newBuilder(grams).setName("topic").build();

    assertThatThrownBy(() -> DocumentSteps.open(spec(wrong)))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("linear-classifier");
    assertThatThrownBy(() -> StepValues.of(grams))
        .isInstanceOf(BadInputException.class)
        .hasMessage(
            "a pattern can have {input} and [topic, perplexity, cluster, basis]: found {benchmark}");
  }

  private static RefineSpec spec(RefineStep... steps) {
    return new RefineSpec("r", List.of("a"), "o", List.of("o"), List.of(steps), 0L);
  }

  private RefineStep benchmark() {
    BenchmarkGrams.Builder builder = BenchmarkGrams.builder();
    assertThat(builder.add("sums", QUESTION)).isTrue();
    return step("benchmark", builder.build().write(folder.resolve("grams")), "grams", Map.of());
  }

  private static RefineStep duplicates() {
    return new RefineStep("duplicates", "", "", Map.of("words", "5", "bands", "20", "rows", "7"));
  }

  private RefineStep perplexity(String name) {
    NgramTrainer trainer = new NgramTrainer(NgramSettings.STANDARD);
    trainer.add(Words.of("the cat sat on the mat, a cat of " + name));
    return step("perplexity", trainer.model().write(folder.resolve(name)), name, Map.of());
  }

  private RefineStep step(
      String name, ModelDirectory model, String directory, Map<String, String> settings) {
    return new RefineStep(name, folder.resolve(directory).toString(), model.hash(), settings);
  }
}
