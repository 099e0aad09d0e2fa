package io.sluice.corpus.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalFilesTest {
  private final FileStore store = new LocalFiles();
  @TempDir Path directory;

  @Test
  void aFileIsReadFromAnyPlaceAndItsVersionIsAnotherOnceItIsWrittenAgain() throws IOException {
    Path path = Files.writeString(directory.resolve("a.txt"), "0123456789");
    StoredFile file = store.find(path.toString());
    assertThat(file.name()).isEqualTo("a.txt");
    assertThat(file.bytes()).isEqualTo(10);
    try (InputStream whole = file.open(0);
        InputStream behind = file.open(4)) {
      assertThat(whole.readAllBytes()).asString().isEqualTo("0123456789");
      assertThat(behind.readAllBytes()).asString().isEqualTo("456789");
    }
    try (FileBytes bytes = file.bytesAnywhere()) {
      assertThat(bytes.size()).isEqualTo(10);
      ByteBuffer three = ByteBuffer.allocate(3);
      assertThat(bytes.read(three, 5)).isEqualTo(3);
      assertThat(new String(three.array(), StandardCharsets.UTF_8)).isEqualTo("567");
      assertThat(bytes.read(three.clear(), 10)).isEqualTo(-1);
    }
    Files.setLastModifiedTime(path, FileTime.fromMillis(0));
    assertThat(store.find(path.toString()).version()).isNotEqualTo(file.version());
    assertThatThrownBy(() -> file.beside("b.txt")).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void aPatternNamesFilesBelowItsFolderAndAFileOfThatNameIsItself() throws IOException {
    for (String name : List.of("a/x.txt", "a/y.jsonl", "b/deep/x.txt", "b/[x].txt", "b/.x.txt")) {
      Path file = directory.resolve("c").resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, name);
    }
    assertThat(ids("c/*/x.txt")).containsExactly("c/a/x.txt");
    assertThat(ids("c/**/x.txt")).containsExactly("c/a/x.txt", "c/b/deep/x.txt");
    assertThat(ids("c/a/[!x-y].txt")).isEmpty();
    assertThat(ids("c/?/[x-y].*")).containsExactly("c/a/x.txt", "c/a/y.jsonl");
    assertThat(ids("c/b/[x].txt")).containsExactly("[x].txt");
    assertThatThrownBy(() -> ids("c/b/[x")).hasMessageStartingWith("PATH must close each '['");
    String none = directory.resolve("c/*.md").toString();
    assertThatThrownBy(() -> SourceFiles.below(store, List.of(none), false))
        .hasMessage("PATH must hold at least one file that is not hidden: " + none);
  }

  private List<String> ids(String path) {
    return store.list(directory.resolve(path).toString(), false).files().stream()
        .map(SourceFile::id)
        .toList();
  }

  @Test
  void aRelativePathIsWhatDocumentsSayAndItsLocationIsTheSameFromEverywhere() {
    SourceFiles found = SourceFiles.local(List.of(Path.of("src/../pom.xml")), false);
    StoredFile file = found.files().get(0).file();
    assertThat(file.origin()).isEqualTo("src/../pom.xml");
    assertThat(file.location()).isEqualTo(Path.of("pom.xml").toAbsolutePath().toString());
    assertThat(found.bytes()).isEqualTo(file.bytes()).isPositive();
  }
}
