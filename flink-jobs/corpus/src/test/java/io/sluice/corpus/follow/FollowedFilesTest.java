package io.sluice.corpus.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.LocalFiles;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.file.SourceFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FollowedFilesTest {
  private final FollowedFiles followed = new FollowedFiles(Format.AUTO);
  @TempDir Path directory;

  @Test
  void linesAreTakenUpToTheLastWholeOneAndTheRestOnceItHasItsEnd() throws IOException {
    Path file = directory.resolve("a.jsonl");
    assertThat(look()).isEmpty();
    append(file, "{\"te");
    assertThat(look()).isEmpty();
    append(file, "xt\":1}\n{\"text\":2}\n{\"t");
    assertThat(look()).containsExactly("{\"text\":1}\n{\"text\":2}\n");
    assertThat(look()).isEmpty();
    append(file, "ext\"");
    assertThat(look()).isEmpty();
    append(file, ":3}\n");
    assertThat(look()).containsExactly("{\"text\":1}\n{\"text\":2}\n{\"text\":3}\n");
    assertThat(look()).isEmpty();
  }

  @Test
  void whatIsWrittenBetweenALookAndTheReadingIsTheNextLooks() throws IOException {
    Path file = directory.resolve("a.jsonl");
    append(file, "1\n2\n");
    SourceFiles due = followed.due(SourceFiles.now(store(), List.of(directory.toString()), false));
    append(file, "3\n");
    assertThat(due.files()).hasSize(1);
    assertThat(text(due.files().get(0))).isEqualTo("1\n2\n");
    assertThat(due.bytes()).isEqualTo(4);
    assertThat(look()).containsExactly("1\n2\n3\n");
  }

  @Test
  void aLineMayBeLongerThanWhatIsLookedAtAtOnce() throws IOException {
    String line = "x".repeat(200_000) + "\n";
    append(directory.resolve("a.jsonl"), line + "y".repeat(150_000));
    assertThat(look()).containsExactly(line);
  }

  @Test
  void anyOtherFileIsTakenOnceItWasTheSameAtTwoLooks() throws IOException {
    Path text = directory.resolve("a.txt");
    append(text, "one");
    append(directory.resolve("b.jsonl.gz"), "is not looked into");
    assertThat(look()).isEmpty();
    append(text, " more");
    Files.setLastModifiedTime(text, FileTime.fromMillis(1));
    assertThat(look()).containsExactly("is not looked into");
    assertThat(look()).containsExactly("one more");
    assertThat(look()).isEmpty();
    Files.setLastModifiedTime(text, FileTime.fromMillis(2));
    assertThat(look()).isEmpty();
    assertThat(look()).containsExactly("one more");
  }

  private List<String> look() {
    SourceFiles now = SourceFiles.now(store(), List.of(directory.toString()), false);
    return followed.due(now).files().stream().map(FollowedFilesTest::text).toList();
  }

  private static LocalFiles store() {
    return new LocalFiles();
  }

  private static String text(SourceFile source) {
    try (InputStream in = source.file().open(0)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void append(Path file, String text) throws IOException {
    Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
