package io.sluice.jobs.prepare.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTokenizerTest {
  private static final String SPECIAL =
      """
      {"id": %d, "content": "%s", "single_word": false, "lstrip": false, "rstrip": false,
       "normalized": false, "special": %s}""";

  @TempDir Path directory;

  @Test
  void tokenizesAsTheFileSays() throws IOException {
    try (Tokenizer tokenizer = Tokenizers.forName("file:" + wordLevel("</s>"))) {
      assertThat(TokenizersTest.ids(tokenizer, "hello world hello")).containsExactly(1, 2, 1);
      assertThat(tokenizer.vocabulary()).isEqualTo(new Vocabulary(6, 0, 4));
      assertThat(tokenizer.identity()).matches("file:sha256:[0-9a-f]{64}");
    }
  }

  @Test
  void keepsOrdinaryAddedTokensAfterTheSpecialOnes() throws IOException {
    try (Tokenizer tokenizer = Tokenizers.forName("file:" + wordLevel("</s>"))) {
      assertThat(TokenizersTest.ids(tokenizer, "hello TAB")).containsExactly(1, 5);
    }
  }

  @Test
  void namesOfControlTokensAreOrdinaryText() throws IOException {
    try (Tokenizer tokenizer = Tokenizers.forName("file:" + wordLevel("</s>"))) {
      assertThat(TokenizersTest.ids(tokenizer, "hello </s> <pad> \uFDD0special-0"))
          .startsWith(1)
          .doesNotContain(0, 4);
    }
  }

  @Test
  void namesOfControlTokensAreOrdinaryTextWhereTheyArePiecesToo() throws IOException {
    Path file = directory.resolve("unigram.json");
    Files.writeString(
        file,
        """
        {"version": "1.0", "truncation": null, "padding": null, "added_tokens": [%s],
         "normalizer": null, "pre_tokenizer": null, "post_processor": null, "decoder": null,
         "model": {"type": "Unigram", "unk_id": 1, "vocab": [["</s>", 0.0], ["<unk>", 0.0],
           ["a", -1.0], ["<", -2.0], ["/", -2.0], ["s", -2.0], [">", -2.0]]}}"""
            .formatted(SPECIAL.formatted(0, "</s>", true)));

    try (Tokenizer tokenizer = Tokenizers.forName("file:" + file)) {
      assertThat(TokenizersTest.ids(tokenizer, "a</s>a")).containsExactly(2, 3, 4, 5, 6, 2);
    }
  }

  @Test
  void mergesAreNotDrawnByLot() throws IOException {
    Path file = directory.resolve("dropout.json");
    Files.writeString(
        file,
        """
        {"version": "1.0", "truncation": null, "padding": null, "added_tokens": [%s],
         "normalizer": null, "pre_tokenizer": null, "post_processor": null, "decoder": null,
         "model": {"type": "BPE", "dropout": 0.5, "vocab": {"</s>": 0, "a": 1, "b": 2, "ab": 3},
           "merges": ["a b"]}}"""
            .formatted(SPECIAL.formatted(0, "</s>", true)));

    try (Tokenizer tokenizer = Tokenizers.forName("file:" + file)) {
      assertThat(TokenizersTest.ids(tokenizer, "ab".repeat(100))).hasSize(100).containsOnly(3);
    }
  }

  @Test
  void aLongTextIsNotTruncated() throws IOException {
    try (Tokenizer tokenizer = Tokenizers.forName("file:" + wordLevel("</s>"))) {
      assertThat(TokenizersTest.ids(tokenizer, "hello world ".repeat(50_000))).hasSize(100_000);
    }
  }

  @Test
  void manyThreadsShareOne() throws Exception {
    String text = "hello world TAB ".repeat(500);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (Tokenizer tokenizer = Tokenizers.forName("file:" + wordLevel("</s>"))) {
      byte[] alone = tokenizer.encode(text);
      List<Future<byte[]>> encoded = new ArrayList<>();
      for (int n = 0; n < 200; n++) {
        encoded.add(threads.submit(() -> tokenizer.encode(text)));
      }
      for (Future<byte[]> one : encoded) {
        assertThat(one.get()).isEqualTo(alone);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void oneThatIsClosedWhileThreadsUseItRefusesWhatComesLater() throws Exception {
    String text = "hello world ".repeat(2_000);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      Tokenizer tokenizer = Tokenizers.forName("file:" + wordLevel("</s>"));
      CountDownLatch started = new CountDownLatch(4);
      List<Future<?>> users = new ArrayList<>();
      for (int n = 0; n < 4; n++) {
        users.add(
            threads.submit(
                () -> {
                  while (true) {
                    tokenizer.encode(text);
                    started.countDown();
                  }
                }));
      }
      started.await();
      tokenizer.close();
      for (Future<?> user : users) {
        assertThatThrownBy(user::get).hasRootCauseMessage("the tokenizer is closed");
      }
      tokenizer.close();
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void specialTokensDecodeToNothing() throws IOException {
    try (Tokenizer tokenizer = Tokenizers.forName("file:" + wordLevel("</s>"))) {
      assertThat(tokenizer.decode(new int[] {0, 1, 2, 4})).isEqualTo("hello world");
      assertThat(tokenizer.decode(new int[] {0})).isEmpty();
    }
  }

  @Test
  void anotherContentIsAnotherIdentity() throws IOException {
    Path file = wordLevel("</s>");
    String identity = Tokenizers.forName("file:" + file).identity();
    Files.writeString(file, Files.readString(file) + "\n");

    assertThat(Tokenizers.forName("file:" + file).identity()).isNotEqualTo(identity);
  }

  @Test
  void refusesFilesThatAreNoTokenizer() throws IOException {
    Path file = directory.resolve("tokenizer.json");

    assertThatThrownBy(() -> Tokenizers.forName("file:" + file))
        .hasMessageStartingWith("tokenizer must be a readable tokenizer.json: 'file:" + file + "'");
    Files.writeString(file, "{}");
    assertThatThrownBy(() -> Tokenizers.forName("file:" + file))
        .hasMessage("tokenizer 'file:" + file + "' cannot be used: it has no object 'model'");
    Files.writeString(file, "hello");
    assertThatThrownBy(() -> Tokenizers.forName("file:" + file))
        .hasMessageStartingWith("tokenizer 'file:" + file + "' cannot be used: it is not JSON");
  }

  @Test
  void refusesATokenizerWithoutAnEndOfDocument() throws IOException {
    Path file = wordLevel("[CLS]");

    assertThatThrownBy(() -> Tokenizers.forName("file:" + file))
        .hasMessageContaining(
            "it needs a special token for the end of a document, named by 'eos' or one of")
        .hasMessageEndingWith("its special tokens are [[CLS], <unk>, <pad>]");
  }

  private Path wordLevel(String end) throws IOException {
    String json =
        """
        {"version": "1.0",
         "truncation": {"direction": "Right", "max_length": 2, "strategy": "LongestFirst",
                        "stride": 0},
         "padding": null,
         "added_tokens": [%s, %s, %s, %s],
         "normalizer": null,
         "pre_tokenizer": {"type": "WhitespaceSplit"},
         "post_processor": null,
         "decoder": null,
         "model": {"type": "WordLevel", "vocab": {"%s": 0, "hello": 1, "world": 2, "<unk>": 3},
                   "unk_token": "<unk>"}}"""
            .formatted(
                SPECIAL.formatted(0, end, true),
                SPECIAL.formatted(3, "<unk>", true),
                SPECIAL.formatted(4, "<pad>", true),
                SPECIAL.formatted(5, "TAB", false),
                end);
    return Files.writeString(directory.resolve("tokenizer.json"), json);
  }
}
