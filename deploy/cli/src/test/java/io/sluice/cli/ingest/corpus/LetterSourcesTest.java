package io.sluice.cli.ingest.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.line.DomainField;
import io.sluice.control.line.Fields;
import io.sluice.control.line.RefusedException;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.LocalFile;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.DeadLetters;
import io.sluice.schema.RefusedSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LetterSourcesTest {
  private static final SourceFiles FILES =
      new SourceFiles(
          List.of(new SourceFile(new LocalFile(Path.of("/in/a"), 1, ""), "in/a", false)), 0, 0);
  private static final Fields FIELDS =
      new Fields("body", "url", Optional.of("ask"), Optional.empty(), List.of("lang", "score"));

  @Test
  void whatALetterSaysReadsItsFileAsItWas() throws RefusedException {
    IngestSettings settings =
        new IngestSettings("web", Format.JSONL, 1000, FIELDS, Optional.empty());
    RefusedSource source = letter(settings, "/in/a").getSource();
    assertThat(List.of(source.getLocation(), source.getId(), source.getCorpus()))
        .containsExactly("/in/a", "in/a", "corpus-1");
    assertThat(source.getOffset()).isEqualTo(7);
    assertThat(LetterSources.settings("web", source, source.getMaxDocument())).isEqualTo(settings);
    assertThat(LetterSources.settings("web", source, 5).maxDocument()).isEqualTo(5);
  }

  @Test
  void nothingIsSaidWhereTheRecordAloneDoesNotDecide() {
    Fields byColumn =
        new Fields(
            "text",
            "id",
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Optional.of(new DomainField("lang", Map.of(), List.of("web"), "web")));
    IngestSettings whole = IngestSettings.of("web");
    assertThat(letter(whole, "/another").getSource()).isNull();
    assertThat(
            letter(new IngestSettings("web", Format.JSONL, 9, byColumn, Optional.empty()), "/in/a")
                .getSource())
        .isNull();
    assertThat(
            letter(
                    new IngestSettings("web", Format.JSONL, 9, FIELDS, Optional.of("score")),
                    "/in/a")
                .getSource())
        .isNull();
  }

  @Test
  void aSettingThatIsNoneIsRefused() {
    RefusedSource source = letter(IngestSettings.of("web"), "/in/a").getSource();
    assertThatThrownBy(() -> LetterSources.settings("web", source, 0))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("max-document must be from 1 to 62914560 bytes: 0");
    source.setFormat("tokens");
    assertThatThrownBy(() -> LetterSources.settings("web", source, 9))
        .isInstanceOf(RefusedException.class)
        .hasMessageEndingWith(
            "format must be auto, text, html, jsonl, lines or parquet: found 'tokens'");
  }

  private static DeadLetter letter(IngestSettings settings, String origin) {
    return new LetterSources(settings, FILES, false)
        .with(DeadLetters.of("ingest", origin, -1, 3, "why", new byte[0], 1), "corpus-1", 7);
  }
}
