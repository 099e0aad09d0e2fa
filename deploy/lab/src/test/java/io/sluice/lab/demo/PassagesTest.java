package io.sluice.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PassagesTest {
  @TempDir private Path directory;

  @Test
  void losesNothingAndCutsAtLines() {
    String text = "a line of prose that goes on\n".repeat(1000);
    List<String> passages = Passages.split(text);
    assertThat(String.join("", passages)).isEqualTo(text);
    assertThat(passages).hasSizeGreaterThan(10);
    assertThat(passages).allSatisfy(p -> assertThat(p).endsWith("\n").hasSizeLessThan(2001));
  }

  @Test
  void cutsALongLineBetweenCharacters() {
    String text = "x" + "\uD83D\uDE00".repeat(5000);
    List<String> passages = Passages.split(text);
    assertThat(String.join("", passages)).isEqualTo(text);
    assertThat(passages)
        .allSatisfy(
            p ->
                assertThat(new String(p.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                    .isEqualTo(p));
  }

  @Test
  void leavesWhatIsNotUtf8ToTheIngest() throws Exception {
    Path latin = Files.write(directory.resolve("latin.txt"), new byte[] {'a', (byte) 0xE9, 'b'});
    assertThat(Passages.write(latin, "latin.txt", directory.resolve("out.jsonl"))).isEmpty();
    Path text = Files.writeString(directory.resolve("text.txt"), "one\n\"two\"");
    Path jsonl = Passages.write(text, "text.txt", directory.resolve("out.jsonl")).orElseThrow();
    assertThat(Files.readString(jsonl)).contains("\"text.txt#0\"").contains("one\\n\\\"two\\\"");
  }
}
