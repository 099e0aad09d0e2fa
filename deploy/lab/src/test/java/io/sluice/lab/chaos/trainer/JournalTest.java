package io.sluice.lab.chaos.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
  private static final Journal.Line BEGUN = new Journal.Begun(0);
  private static final Journal.Line ACCEPTED =
      new Journal.Accepted(1, 0, 8, 1, "0123456789abcdef", -2, 1_000, 20);
  private static final Journal.Line SAVED = new Journal.Saved(1);

  @TempDir private Path directory;

  private Path file;
  private Journal journal;

  @BeforeEach
  void open() {
    file = directory.resolve("made/run.journal");
    journal = new Journal(file);
  }

  @Test
  void readsWhatWasWritten() {
    assertThat(journal.read()).isEmpty();
    journal.add(BEGUN);
    journal.add(ACCEPTED);
    journal.add(SAVED);
    assertThat(journal.read()).containsExactly(BEGUN, ACCEPTED, SAVED);
  }

  @Test
  void whatIsRefusedIsALineWithItsReason() {
    journal.add(ACCEPTED);
    journal.add(new Journal.Refused(2, "/a b/c.rows has 1 bytes:\nits records say 2"));
    assertThat(journal.refused())
        .containsExactly(new Journal.Refused(2, "/a b/c.rows has 1 bytes: its records say 2"));
    assertThat(journal.lastAccepted()).isEqualTo(1);
    assertThat(journal.read()).hasSize(2);
  }

  @Test
  void theLastAcceptanceIsFoundNearTheEnd() throws Exception {
    assertThat(journal.lastAccepted()).isZero();
    journal.add(BEGUN);
    assertThat(journal.lastAcceptedMillis()).isZero();
    for (int batch = 1; batch <= 200; batch++) {
      journal.add(new Journal.Accepted(batch, batch * 8L, 8, 1, "0123456789abcdef", 7, batch, 0));
    }
    journal.add(SAVED);
    Files.writeString(file, "accepted 201 0 8", StandardOpenOption.APPEND);
    assertThat(journal.lastAccepted()).isEqualTo(200);
    assertThat(journal.lastAcceptedMillis()).isEqualTo(200);
  }

  @Test
  void aTornLineIsNoLineAndDoesNotSpoilTheNext() throws Exception {
    journal.add(BEGUN);
    Files.writeString(file, "accepted 1 0 8", StandardOpenOption.APPEND);
    assertThat(journal.read()).containsExactly(BEGUN);
    journal.mend();
    journal.add(BEGUN);
    assertThat(journal.read()).containsExactly(BEGUN, BEGUN);
  }
}
