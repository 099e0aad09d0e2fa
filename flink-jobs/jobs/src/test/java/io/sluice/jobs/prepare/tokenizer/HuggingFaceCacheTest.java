package io.sluice.jobs.prepare.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HuggingFaceCacheTest {
  private static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";

  @TempDir Path directory;

  @Test
  void findsAFileByCommitAndByTheBranchThatWasFetched() throws IOException {
    HuggingFaceCache cache = new HuggingFaceCache(directory);
    Path file = fetched("models--acme--tiny");
    Files.createDirectories(directory.resolve("models--acme--tiny/refs/refs/pr"));
    Files.writeString(directory.resolve("models--acme--tiny/refs/main"), COMMIT + "\n");
    Files.writeString(directory.resolve("models--acme--tiny/refs/refs/pr/1"), COMMIT);

    assertThat(cache.tokenizer("acme/tiny@" + COMMIT)).isEqualTo(file);
    assertThat(cache.tokenizer("acme/tiny@main")).isEqualTo(file);
    assertThat(cache.tokenizer("acme/tiny@refs/pr/1")).isEqualTo(file);
    Path old = fetched("models--gpt2");
    assertThat(cache.tokenizer("gpt2@" + COMMIT)).isEqualTo(old);
  }

  @Test
  void whatIsNotThereIsNamedWithTheCommandThatFetchesIt() throws IOException {
    fetched("models--acme--tiny");
    assertThatThrownBy(() -> new HuggingFaceCache(directory).tokenizer("acme/tiny@v2"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "tokenizer 'hf:acme/tiny@v2' must be in this machine's cache, for nothing is fetched:"
                + " found no "
                + directory.resolve("models--acme--tiny/snapshots/v2/tokenizer.json")
                + "; 'hf download acme/tiny tokenizer.json --revision v2' fetches it");
  }

  @Test
  void aBranchThatNamesNoCommitLeadsNowhere() throws IOException {
    fetched("models--acme--tiny");
    Path refs = Files.createDirectories(directory.resolve("models--acme--tiny/refs"));
    Files.writeString(refs.resolve("main"), "../../../secret");
    assertThatThrownBy(() -> new HuggingFaceCache(directory).tokenizer("acme/tiny@main"))
        .hasMessageContaining("snapshots/main/tokenizer.json");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "acme/tiny",
        "acme/tiny@",
        "@main",
        "/tiny@main",
        "a/b/c@main",
        "../tiny@main",
        "acme/..@main",
        "acme/tiny@../../x",
        "acme/tiny@/etc",
        "acme/tiny@main\n",
        "acme/ti ny@main"
      })
  void refusesWhatIsNoModelAndRevision(String reference) {
    assertThatThrownBy(() -> new HuggingFaceCache(directory).tokenizer(reference))
        .hasMessage("tokenizer must be hf:ORG/NAME@REVISION: found 'hf:" + reference + "'");
  }

  @Test
  void theCacheIsWhereHuggingFacesOwnToolsHaveIt() {
    Path home = Path.of("/home/ada");
    assertThat(directoryOf(Map.of(), home)).isEqualTo(home.resolve(".cache/huggingface/hub"));
    assertThat(directoryOf(Map.of("XDG_CACHE_HOME", "/caches"), home))
        .isEqualTo(Path.of("/caches/huggingface/hub"));
    assertThat(directoryOf(Map.of("XDG_CACHE_HOME", "/caches", "HF_HOME", "/hf"), home))
        .isEqualTo(Path.of("/hf/hub"));
    assertThat(directoryOf(Map.of("HF_HUB_CACHE", "/hub", "HF_HOME", "/hf"), home))
        .isEqualTo(Path.of("/hub"));
  }

  private static Path directoryOf(Map<String, String> environment, Path home) {
    return HuggingFaceCache.of(environment, home).directory();
  }

  private Path fetched(String model) throws IOException {
    Path snapshot =
        Files.createDirectories(directory.resolve(model).resolve("snapshots").resolve(COMMIT));
    return Files.writeString(snapshot.resolve("tokenizer.json"), "{}");
  }
}
