package io.sluice.corpus.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.line.RefusedException;
import org.junit.jupiter.api.Test;

class FilePassageTest {
  @Test
  void whatIsKnownIsNotNewAndWhatWasAppendedIs() throws RefusedException {
    FilePassage first = FilePassage.fresh();
    assertThat(walk(first, "a", "b")).isEqualTo("new new ");

    FilePassage again = FilePassage.behind(2, first.proven(), first.provenHash());
    assertThat(walk(again, "a", "b", "c")).isEqualTo("known known new ");
    again.end();
    assertThat(again.records()).isEqualTo(3);
  }

  @Test
  void whatWasChangedIsRefused() throws RefusedException {
    FilePassage first = FilePassage.fresh();
    walk(first, "a", "bc");
    assertThatThrownBy(() -> walk(behind(first), "ab", "c"))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith(
            "was changed since it was ingested: its first 2 records are not what they were");
    FilePassage shorter = behind(first);
    walk(shorter, "a");
    assertThatThrownBy(shorter::end)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("it has 1 records, and had at least 2");
  }

  @Test
  void aProcessThatEndedEarlyLeavesRecordsWithoutAHash() throws RefusedException {
    FilePassage first = FilePassage.fresh();
    walk(first, "a");
    FilePassage found = FilePassage.behind(3, first.proven(), first.provenHash());
    assertThat(walk(found, "a", "b")).isEqualTo("known known ");
    assertThat(found.records()).isEqualTo(3);
    assertThat(found.proven()).isEqualTo(2);
    assertThat(walk(found, "c", "d")).isEqualTo("known new ");
  }

  private static FilePassage behind(FilePassage first) {
    return FilePassage.behind(first.records(), first.proven(), first.provenHash());
  }

  private static String walk(FilePassage passage, String... records) throws RefusedException {
    StringBuilder result = new StringBuilder();
    for (String record : records) {
      result.append(passage.isNew(record.getBytes(UTF_8)) ? "new " : "known ");
    }
    return result.toString();
  }
}
