package io.sluice.cli.forget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import io.sluice.control.line.DocumentName;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of documents that are to be forgotten. */
final class DocumentListTest {
  private static Set<DocumentName> read(String lines) throws IOException {
    byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
    return DocumentList.read(new ByteArrayInputStream(bytes), "takedown.tsv");
  }

  @Test
  void aLineIsADomainATabAndAnIdOrJson() throws IOException {
    assertThat(
            read(
                """
                java\ta/B.java
                java\ta/B.java

                prose\t id with\ttabs and blanks\s
                {"domain": "chat", "id": "x\\ty", "why": "ignored"}
                {"id": 17, "domain": "chat"}
                """))
        .containsExactly(
            new DocumentName("java", "a/B.java"),
            new DocumentName("prose", " id with\ttabs and blanks "),
            new DocumentName("chat", "x\ty"),
            new DocumentName("chat", "17"));
  }

  @Test
  void eachLineThatNamesNoDocumentIsNamedAndNothingIsForgotten() {
    assertThatThrownBy(
            () ->
                read(
                    """
                    java\ta
                    java
                    \ta
                    java\t
                    a/b\tc
                    {"domain": "chat"}
                    {"domain": 1, "id": "x"}
                    {"domain": "chat", "id": "x"} y
                    {"domain": "chat", "id": "%s"}
                    """
                        .formatted("x".repeat(4097))))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith(
            "takedown.tsv names no document in 8 lines: line 2: must be a domain, a tab and an id: 'java';"
                + " line 3: ")
        .hasMessageContaining("line 5: domain must be 1 to 63 letters")
        .hasMessageContaining("line 6: 'id' must be there")
        .hasMessageContaining("line 7: 'domain' must be a string: found number")
        .hasMessageContaining("line 8: not JSON")
        .hasMessageContaining("line 9: ")
        .hasMessageEndingWith(". Nothing was forgotten");
  }

  @Test
  void aLineWithoutAnEndIsReadInBoundedMemory() {
    assertThatThrownBy(() -> read("java\t" + "x".repeat(1 << 20)))
        .isInstanceOf(BadInputException.class)
        .hasMessage(
            "takedown.tsv names no document in 1 line: line 1: too long: 1048581 bytes. Nothing was"
                + " forgotten");
  }

  @Test
  void aFileThatNamesNothingOrIsNotThereIsRefused(@TempDir Path directory) {
    assertThatThrownBy(() -> read("\n \n"))
        .hasMessage("FILE must name a document: takedown.tsv names none");
    String missing = directory.resolve("missing").toString();
    assertThatThrownBy(() -> DocumentList.read(missing))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("FILE must be a file that can be read: " + missing);
  }
}
