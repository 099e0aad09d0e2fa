package io.sluice.lab.reproduce.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TextFormTest {
  @Test
  void aManualPageLosesItsRequestsAndFonts() {
    String page =
        """
        .\\" A comment.
        '\\" t
        .TH FOPEN 3
        .SH NAME
        fopen \\- stream open functions
        .PP
        The
        .B fopen
        function takes \\fIpath\\fP.
        """;
    assertThat(TextForm.ROFF.text(page))
        .isEqualTo(
            """
            FOPEN 3
            NAME
            fopen - stream open functions
            The
            fopen
            function takes path.
            """);
  }

  @Test
  void wordNetGivesItsGlosses() {
    String data =
        """
          1 This software and database is being provided
        00039211 04 n 01 interplay 0 001 @ 00037396 n 0000 | reciprocal action and reaction \s
        """;
    assertThat(TextForm.GLOSS.text(data)).isEqualTo("reciprocal action and reaction\n");
  }

  @Test
  void wordNetGivesAnEntryForEachMeaning() {
    String data =
        """
          1 This software and database is being provided | or so
        00002684 03 n 02 physical_object 0 object 0 002 @ 00001930 n 0000 | a visible entity; "an \
        object | or two" \s
        """;
    assertThat(TextForm.ENTRY.text(data))
        .isEqualTo("physical object: a visible entity; \"an object | or two\"\n");
  }

  @Test
  void plainTextStaysAsItIs() {
    assertThat(TextForm.PLAIN.text(" a\n\n.B b")).isEqualTo(" a\n\n.B b");
  }
}
