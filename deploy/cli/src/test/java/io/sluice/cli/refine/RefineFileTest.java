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
import java.util.Map;
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
  void targetSetsAreInputsBesideTheOthers() {
    RefineSpec spec =
        read(
            "refinery: r\ninputs: [a]\ndomains: o\nduplicates: {}\n"
                + "targets: {domains: [gsm, law], tests: 0.3, seed: 7}\n");

    assertThat(spec.getInputs()).containsExactly("gsm", "law", "a");
    assertThat(spec.getDomains())
        .containsExactly("o", "gsm-steers", "gsm-tests", "law-steers", "law-tests");
    assertThat(spec.getSteps().get(1).getSettings())
        .isEqualTo(
            Map.of(
                "domains",
                "gsm law",
                "into",
                "{input}-{side}",
                "tests",
                "0.3",
                "seed",
                "7",
                "similarity",
                "0.6"));
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
    assertRefused(
        "refinery: r\ninputs: [a]\ndomains: o\nduplicates: {memory: filters}\n"
            + "targets: {domains: [g]}",
        "targets must have duplicates with memory: state");
    assertRefused(
        "refinery: r\ninputs: [a]\ndomains: o\ntargets: {tests: 0.5}",
        "'targets.domains' is missing");
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
