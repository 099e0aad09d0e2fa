package io.sluice.cli.refine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.config.ConfigFile;
import io.sluice.control.error.BadInputException;
import io.sluice.refine.model.ModelDirectory;
import io.sluice.refine.perplexity.NgramSettings;
import io.sluice.refine.perplexity.NgramTrainer;
import io.sluice.refine.text.Words;
import io.sluice.schema.RefineSpec;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RefineFileTest {
  @TempDir private Path folder;

  @Test
  void defaultsAreResolvedAndModelsAreNamedFromTheFile() {
    ModelDirectory model = model();

    RefineSpec spec =
        read(
            "refinery: r\ninputs: [a]\ndomains: 'o-{perplexity}'\nduplicates: {}\n"
                + "perplexity: {model: ngrams, buckets: 2}\n");

    assertThat(spec.getDomains()).containsExactly("o-0", "o-1", "o-none");
    assertThat(spec.getSteps().get(0).getSettings())
        .containsEntry("memory", "state")
        .containsEntry("documents", "100000000")
        .containsEntry("similarity", "0.7");
    assertThat(spec.getSteps().get(1).getModel()).isEqualTo(folder.resolve("ngrams").toString());
    assertThat(spec.getSteps().get(1).getModelHash()).isEqualTo(model.hash());
  }

  @Test
  void whatIsWrongIsNamed() {
    assertRefused("refinery: r\ninputs: []\ndomains: o", "'inputs' must be a list of at least one");
    assertRefused("refinery: r\ninputs: [a]", "'domains' is missing");
    assertRefused("refinery: r\ninputs: [a]\ndomains: o\nother: 1", "unknown key 'other'");
    assertRefused(
        "refinery: r\ninputs: [a]\ndomains: o\nduplicates: {words: 0}",
        "'duplicates.words' must be a whole number");
    assertRefused(
        "refinery: r\ninputs: [a]\ndomains: o\nduplicates: {shingles: 5}",
        "unknown key 'duplicates.shingles'");
    assertRefused(
        "refinery: r\ninputs: [a]\ndomains: o\ntopic: {model: nowhere}",
        "no model: " + folder.resolve("nowhere") + " has no model.json");
    model();
    assertRefused(
        "refinery: r\ninputs: [a]\ndomains: 'o-{topic}'\ntopic: {model: ngrams}",
        "linear-classifier");
  }

  private ModelDirectory model() {
    NgramTrainer trainer = new NgramTrainer(NgramSettings.STANDARD);
    trainer.add(Words.of("the cat sat on the mat"));
    return trainer.model().write(folder.resolve("ngrams"));
  }

  private void assertRefused(String text, String reason) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining(reason);
  }

  private RefineSpec read(String text) {
    return RefineFile.resolve(ConfigFile.parse("refine.yaml", text), folder);
  }
}
