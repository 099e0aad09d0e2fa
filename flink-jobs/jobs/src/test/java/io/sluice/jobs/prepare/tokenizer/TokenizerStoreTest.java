package io.sluice.jobs.prepare.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.topics.TokenizerFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenizerStoreTest {
  private static final byte[] FILE = "{\"model\": {}}".getBytes(StandardCharsets.UTF_8);
  private static final String SHA256 = TokenizerFiles.sha256(FILE);

  @TempDir Path directory;

  private final Map<String, byte[]> topic = new HashMap<>();
  private int asked;
  private Path file = Path.of("");
  private TokenizerStore store = new TokenizerStore(Path.of(""), this::find);

  @BeforeEach
  void make() {
    file = directory.resolve("tokenizer.json");
    store = new TokenizerStore(directory.resolve("cache"), this::find);
  }

  @Test
  void theFileUnderItsOwnNameIsTakenWhileItHasTheDigest() throws IOException {
    Files.write(file, FILE);
    assertThat(content()).isEqualTo(FILE);
    assertThat(asked).isZero();
    assertThat(directory.resolve("cache")).doesNotExist();
  }

  @Test
  void aFileThatWasChangedOrDeletedComesFromTheTopicOnce() throws IOException {
    topic.put(SHA256, FILE);
    Files.writeString(file, "{\"another\": 1}");
    assertThat(content()).isEqualTo(FILE);
    Files.delete(file);
    assertThat(content()).isEqualTo(FILE);

    assertThat(asked).isEqualTo(1);
    try (Stream<Path> kept = Files.list(directory.resolve("cache"))) {
      assertThat(kept).containsExactly(directory.resolve("cache/" + SHA256 + ".json"));
    }
  }

  @Test
  void aTornFileInTheCacheIsReplaced() throws IOException {
    topic.put(SHA256, FILE);
    Path kept = Files.createDirectories(directory.resolve("cache")).resolve(SHA256 + ".json");
    Files.writeString(kept, "{\"mod");

    assertThat(content()).isEqualTo(FILE);
    assertThat(kept).hasBinaryContent(FILE);
  }

  @Test
  void aCacheThatCannotBeWrittenIsNotNeeded() throws IOException {
    topic.put(SHA256, FILE);
    Files.writeString(directory.resolve("cache"), "a file where the folder would be");
    assertThat(content()).isEqualTo(FILE);
  }

  @Test
  void whatIsNowhereIsNamedWithItsDigest() {
    assertThatThrownBy(this::content)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "tokenizer 'file:"
                + file
                + "' with SHA-256 "
                + SHA256
                + " cannot be used: it is neither under that name on this machine nor in the topic"
                + " of tokenizers; 'sluice dataset apply' on a machine that has the file puts it"
                + " into the topic");
  }

  @Test
  void whatTheTopicCannotGiveIsNamedWithTheReason() {
    TokenizerStore spoilt =
        new TokenizerStore(
            directory.resolve("cache"),
            sha256 -> {
              throw new IllegalArgumentException("part 3 of 9 bytes is not there");
            });
    assertThatThrownBy(() -> spoilt.content("hf:acme/no-such-model@main", SHA256))
        .hasMessageContainingAll("hf:acme/no-such-model@main", SHA256, "part 3 of 9 bytes");
    assertThat(directory.resolve("cache")).doesNotExist();
  }

  @Test
  void aDigestThatIsNoneNamesNoFile() {
    for (String bad : List.of("../../etc/passwd", "", SHA256.substring(1), SHA256 + "0")) {
      assertThatThrownBy(() -> store.content("file:" + file, bad))
          .hasMessage("tokenizerSha256 must be 64 digits of hex: found '" + bad + "'");
    }
  }

  @Test
  void theCacheIsWhereVariablesSay() {
    Path home = Path.of("/home/me");
    assertThat(TokenizerStore.cache(Map.of(), home))
        .isEqualTo(Path.of("/home/me/.cache/sluice/tokenizers"));
    assertThat(TokenizerStore.cache(Map.of("XDG_CACHE_HOME", "/x"), home))
        .isEqualTo(Path.of("/x/sluice/tokenizers"));
    assertThat(TokenizerStore.cache(Map.of("XDG_CACHE_HOME", "/x", "SLUICE_CACHE", "/s"), home))
        .isEqualTo(Path.of("/s/tokenizers"));
  }

  private byte[] content() {
    return store.content("file:" + file, SHA256);
  }

  private Optional<byte[]> find(String sha256) {
    asked++;
    return Optional.ofNullable(topic.get(sha256));
  }
}
