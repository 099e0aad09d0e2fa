package io.sluice.serve.view;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CourseCsvTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "wiki | wiki",
        "=cmd()!A1 | '=cmd()!A1",
        "+1 | '+1",
        "-1 | '-1",
        "@sum | '@sum",
        "a,b | \"a,b\"",
        "=\"x\" | \"'=\"\"x\"\"\""
      })
  void noCellIsAFormulaOrMoreThanOne(String text, String cell) {
    assertThat(CourseCsv.cell(text)).isEqualTo(cell);
  }
}
