package io.sluice.corpus.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.line.Fields;
import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.LocalFile;
import io.sluice.corpus.record.FileRecord;
import io.sluice.corpus.record.RecordCursor;
import io.sluice.corpus.record.RecordDocuments;
import io.sluice.corpus.record.RecordReading;
import io.sluice.schema.Document;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Columns that documents keep as properties, of a file that pyarrow wrote. */
class ParquetPropertiesTest {
  private static final Path KINDS = Path.of("src/test/resources/parquet/kinds.parquet");

  @Test
  void valuesAreKeptAsTheyAreWrittenAndNullsAreNot() throws Exception {
    assertThat(documents("score", "half", "year", "clean"))
        .containsExactly(
            "{clean=true, half=1.5, score=0.25, year=2026}",
            "{clean=false, half=-0.0, score=NaN}",
            "{half=1.0E30, year=-1}");
  }

  @Test
  void aRowWhoseValueCannotBeOneIsRefusedByItself() throws Exception {
    assertThat(documents("lang"))
        .containsExactly("{lang=en}", "{}", "'lang' must be Unicode of at most 4096 bytes");
    assertThat(documents("raw"))
        .containsExactly("{raw=ok}", "'raw' must be Unicode of at most 4096 bytes", "{}");
  }

  @Test
  void aColumnMayBeTextOrIdAndAPropertyToo() throws Exception {
    assertThat(documents("text", "year", "year"))
        .containsExactly("{text=one, year=2026}", "{text=two}", "{text=three, year=-1}");
  }

  @ParameterizedTest
  @CsvSource({"tags,optional group tags (LIST)", "meta,optional group meta", "price,optional"})
  void whatIsNoSingleValueIsRefusedWithItsType(String column, String found) {
    assertThatThrownBy(() -> documents(column))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith(
            "'%s' must be a column of texts, numbers or truths: found %s", column, found);
  }

  @Test
  void aColumnThatIsNotThereIsRefused() {
    assertThatThrownBy(() -> documents("language"))
        .hasMessage("'language' must be a column of texts, numbers or truths: found nothing");
  }

  /** The properties of each row, or why it is no document. */
  private static List<String> documents(String... properties) throws IOException, RefusedException {
    Fields fields =
        new Fields("text", "year", Optional.empty(), Optional.empty(), List.of(properties));
    RecordReading reading = new RecordReading(Format.PARQUET, fields, 1000, Optional.empty());
    RecordDocuments documents = new RecordDocuments(reading, Optional.empty(), "kinds", "kinds");
    List<String> found = new ArrayList<>();
    try (RecordCursor rows = RecordCursor.open(LocalFile.of(KINDS), reading, bytes -> {})) {
      for (FileRecord row = rows.next(); row != null; row = rows.next()) {
        try {
          Document document = (Document) documents.of(row).orElseThrow();
          found.add(document.getProperties().toString());
        } catch (RefusedException e) {
          found.add(e.getMessage());
        }
      }
    }
    return found;
  }
}
