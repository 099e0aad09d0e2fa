package io.sluice.models.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NeuralImportTest {
  private static final List<String> LABELS = TinyModels.LABELS;

  @TempDir private Path folder;

  @AfterEach
  void nothingIsWrittenOfWhatIsRefused() {
    assertThat(out()).doesNotExist();
  }

  @Test
  void labelsMustFitTheOutputs() {
    refused(
        () -> TinyModels.of("classifier.onnx").classifier(List.of("law", "code"), out()),
        "classifier.onnx cannot be used: the model's first output must be [1, 2], a logit for each"
            + " of [law, code]: found [1, 3]");
    refused(
        () -> TinyModels.of("classifier.onnx").classifier(List.of("a", "a", "b"), out()),
        "labels must be different: found [a, a, b]");
    refused(
        () -> TinyModels.of("classifier.onnx").classifier(List.of("a", "b c", "d"), out()),
        "labels must be names of letters, digits, '_' or '-': found \"b c\"");
  }

  @Test
  void outputsMustHaveTheShapeOfTheKind() {
    refused(
        () -> TinyModels.of("language.onnx").classifier(LABELS, out()),
        "must be [1, 3], a logit for each of [law, code, water]: found [1, 13, 16]");
    refused(
        () -> TinyModels.language("classifier.onnx").perplexity(1, out()),
        "must be [1, 11, vocabulary], a logit for each next token: found [1, 3]");
  }

  @Test
  void answersMustBeFiniteAndTheSameForTheSameText() {
    refused(
        () -> TinyModels.of("nan.onnx").classifier(LABELS, out()),
        "a model must answer with finite numbers: found NaN");
    refused(
        () -> TinyModels.of("drawn.pt").classifier(LABELS, out()),
        "it must say the same of the same text, and did not");
  }

  @Test
  void inputsMustBeKnown() {
    refused(
        () -> TinyModels.of("pixels.onnx").classifier(LABELS, out()),
        "its inputs must be input_ids, and none but [input_ids, attention_mask, token_type_ids,"
            + " position_ids]: found [pixels]");
    refused(
        () -> script(List.of("input_ids")).classifier(LABELS, out()),
        "classifier.pt cannot be used: the model cannot take a text of ");
    refused(
        () -> script(List.of("attention_mask")).classifier(LABELS, out()),
        "found [attention_mask]");
  }

  @Test
  void moreTokensThanTheModelHasPlacesForAreRefused() {
    NeuralImport longer =
        new NeuralImport(
            TinyModels.file("embedder.onnx"),
            TinyModels.file("tokenizer.json"),
            TinyModels.INPUTS,
            2 * TinyModels.TOKENS);
    refused(
        () -> longer.embedder(Pooling.MEAN, true, out()),
        "the model cannot take a text of 32 tokens: ");
  }

  @Test
  void weightsMustBeInTheFileItself() {
    refused(
        () -> TinyModels.of("elsewhere.onnx").classifier(LABELS, out()),
        "its weights must be in the one file: found names of files beside it");
  }

  @Test
  void filesMustBeWhatTheyAreCalled() throws IOException {
    Path text = Files.writeString(folder.resolve("text.onnx"), "no network");
    Path tokenizer = TinyModels.file("tokenizer.json");
    refused(
        () -> new NeuralImport(text, tokenizer, List.of(), 16).classifier(LABELS, out()),
        "text.onnx cannot be used: its network cannot be loaded as onnx: ");
    Path script = Files.writeString(folder.resolve("text.pt"), "no network");
    refused(
        () -> new NeuralImport(script, tokenizer, List.of(), 16).classifier(LABELS, out()),
        "text.pt cannot be used: its network cannot be loaded as torchscript: ");
    refused(
        () -> new NeuralImport(tokenizer, tokenizer, List.of(), 16),
        "a model's file must end in .onnx or .pt: found ");
    Path onnx = TinyModels.file("classifier.onnx");
    refused(
        () -> new NeuralImport(onnx, onnx, List.of(), 16).classifier(LABELS, out()),
        "tokenizer.json must be JSON: ");
    Path map = Files.writeString(folder.resolve("map.json"), "{}");
    refused(
        () -> new NeuralImport(onnx, map, List.of(), 16).classifier(LABELS, out()),
        "tokenizer.json cannot be used: ");
    refused(
        () -> new NeuralImport(folder.resolve("a.pt"), tokenizer, List.of(), 16),
        "a model's file cannot be read: ");
    refused(
        () -> new NeuralImport(onnx, tokenizer, List.of(), 1).classifier(LABELS, out()),
        "max-tokens must be a whole number from 2 to 32768: found 1");
  }

  private static NeuralImport script(List<String> inputs) {
    return new NeuralImport(
        TinyModels.file("classifier.pt"),
        TinyModels.file("tokenizer.json"),
        inputs,
        TinyModels.TOKENS);
  }

  private Path out() {
    return folder.resolve("out");
  }

  private static void refused(ThrowingCallable action, String reason) {
    assertThatThrownBy(action).isInstanceOf(BadInputException.class).hasMessageContaining(reason);
  }
}
