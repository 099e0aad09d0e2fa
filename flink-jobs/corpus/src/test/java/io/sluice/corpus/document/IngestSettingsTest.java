package io.sluice.corpus.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.line.Fields;
import io.sluice.corpus.file.Format;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class IngestSettingsTest {
  @Test
  void everyKeyIsTakenAndHasARange() {
    assertThat(
            new IngestSettings(
                "wiki",
                Format.JSONL,
                7,
                Fields.STANDARD,
                true,
                Optional.of("score"),
                Optional.empty()))
        .hasToString(
            "IngestSettings[domain=wiki, format=JSONL, maxDocument=7,"
                + " fields=Fields[text=text, id=id, prompt=Optional.empty,"
                + " trained=Optional.empty, properties=[], domain=Optional.empty], gitignore=true,"
                + " scoreField=Optional[score], tokens=Optional.empty]");
    assertThatThrownBy(() -> new IngestSettings("no name", Format.TEXT, 7))
        .hasMessageContaining("domain");
    assertThatThrownBy(() -> new IngestSettings("wiki", Format.TOKENS, 7))
        .hasMessage("format must be tokens where their tokenizer is named");
    assertThatThrownBy(() -> new IngestSettings("wiki", Format.TEXT, 0))
        .hasMessage("max-document must be from 1 to 62914560 bytes: 0");
  }
}
