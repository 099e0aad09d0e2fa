package io.sluice.jobs.prepare.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** By a file whose control tokens are [PAD] 0, [UNK] 1, [CLS] 2, [SEP] 3 and [MASK] 4. */
class ControlTokensTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path FILE = Path.of("src/test/resources/tokenizers/small/word-piece.json");
  private static final String AROUND =
      "{'type': 'TemplateProcessing', 'single': [{'SpecialToken': {'id': '[CLS]'}},"
          + " {'Sequence': {'id': 'A'}}, {'SpecialToken': {'id': '[MASK]'}}]}";

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'type': 'BertProcessing', 'cls': ['[CLS]', 2], 'sep': ['[MASK]', 4]}",
        "{'type': 'RobertaProcessing', 'cls': ['[CLS]', 2], 'sep': ['[MASK]', 4]}",
        AROUND,
        "{'type': 'Sequence', 'processors': [{'type': 'ByteLevel'}, " + AROUND + "]}"
      })
  void aNewDatasetHasWhatThePostProcessorPutsThere(String processor) throws IOException {
    assertThat(vocabulary(processor, 2, "", "")).isEqualTo(around(2, 4));
    assertThat(vocabulary(processor, 1, "", "")).isEqualTo(around(Vocabulary.NONE, 3));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "{'type': 'ByteLevel'}",
        "{'type': 'OfTomorrow'}",
        "{'type': 'TemplateProcessing', 'single': [{'Sequence': {'id': 'A'}}]}",
        "{'type': 'TemplateProcessing', 'single': [{'SpecialToken': {'id': '[CLS]'}},"
            + " {'SpecialToken': {'id': '[MASK]'}}, {'Sequence': {'id': 'A'}}]}",
        "{'type': 'TemplateProcessing', 'single': [{'SpecialToken': {'id': 'none such'}},"
            + " {'Sequence': {'id': 'A'}}]}"
      })
  void whereItPutsNotOneTheEndIsKnownByName(String processor) throws IOException {
    assertThat(vocabulary(processor, 2, "", "")).isEqualTo(around(Vocabulary.NONE, 3));
  }

  @ParameterizedTest
  @CsvSource({"1", "2"})
  void aDatasetChoosesItsOwn(int version) throws IOException {
    assertThat(vocabulary(AROUND, version, "[UNK]", "[SEP]")).isEqualTo(around(1, 3));
    assertThat(vocabulary(AROUND, version, "none", "[UNK]")).isEqualTo(around(Vocabulary.NONE, 1));
    assertThatThrownBy(() -> vocabulary(AROUND, version, "<s>", ""))
        .hasMessageEndingWith(
            "cannot be used: bos must be one of its special tokens"
                + " [[PAD], [UNK], [CLS], [SEP], [MASK]]: found '<s>'");
    assertThatThrownBy(() -> vocabulary(AROUND, version, "", "the"))
        .hasMessageContaining("eos must be one of its special tokens")
        .hasMessageEndingWith("found 'the'");
  }

  private static Vocabulary around(int begin, int end) {
    return new Vocabulary(300, begin, end, 0);
  }

  private Vocabulary vocabulary(String processor, int version, String bos, String eos)
      throws IOException {
    try (Tokenizer tokenizer = with(processor, version, bos, eos)) {
      return tokenizer.vocabulary();
    }
  }

  private Tokenizer with(String processor, int version, String bos, String eos) throws IOException {
    ObjectNode root = (ObjectNode) JSON.readTree(FILE.toFile());
    root.set("post_processor", JSON.readTree(processor.replace('\'', '"')));
    Path file = Files.writeString(directory.resolve("tokenizer.json"), root.toString());
    return Tokenizers.forName(new TokenizerChoice("file:" + file, version, bos, eos));
  }
}
