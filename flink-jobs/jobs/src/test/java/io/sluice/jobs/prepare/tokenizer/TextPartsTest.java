package io.sluice.jobs.prepare.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextPartsTest {
  private static byte[] bytes(int from, int to) {
    return (from + "-" + to + " ").getBytes(StandardCharsets.UTF_8);
  }

  private static TextParts parts(int count) {
    TextParts parts = new TextParts();
    for (int i = 0; i < count; i++) {
      parts.add(10 * i, 10 * i + 9);
    }
    return parts;
  }

  @Test
  void partsAreAtWorkAtTheSameTimeAndComeInTheirOrder() {
    ForkJoinPool pool = new ForkJoinPool(2);
    CountDownLatch both = new CountDownLatch(2);
    try {
      byte[] whole =
          pool.submit(
                  () ->
                      parts(2)
                          .encode(
                              (from, to) -> {
                                await(both);
                                return bytes(from, to);
                              }))
              .join();
      assertThat(new String(whole, StandardCharsets.UTF_8)).isEqualTo("0-9 10-19 ");
    } finally {
      pool.shutdownNow();
    }
  }

  private static void await(CountDownLatch latch) {
    latch.countDown();
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void elsewhereOnePartComesAfterTheOther() {
    assertThat(new String(parts(3).encode(TextPartsTest::bytes), StandardCharsets.UTF_8))
        .isEqualTo("0-9 10-19 20-29 ");
    assertThat(parts(0).encode(TextPartsTest::bytes)).isEmpty();
  }

  @Test
  void theFailureOfAPartIsThatOfTheText() {
    ForkJoinPool pool = new ForkJoinPool(2);
    try {
      assertThatThrownBy(
              () ->
                  pool.submit(
                          () ->
                              parts(20)
                                  .encode(
                                      (from, to) -> {
                                        throw new IllegalStateException("broken");
                                      }))
                      .join())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("broken");
    } finally {
      pool.shutdownNow();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cl100k_base",
        "file:src/test/resources/tokenizers/small/byte-level.json",
        "file:src/test/resources/tokenizers/small/prepend.json",
        "file:src/test/resources/tokenizers/small/metaspace-first.json"
      })
  void aLongTextHasTheSameTokensOnManyThreads(String name) {
    String text = "Words, 12 of them \u03b1\u03b2 and\tmore\n\nof  the  same. ".repeat(12_000);
    ForkJoinPool pool = new ForkJoinPool(3);
    try (Tokenizer tokenizer = Tokenizers.forName(name)) {
      byte[] there = pool.submit(() -> tokenizer.encode(text)).join();
      assertThat(there).isEqualTo(tokenizer.encode(text)).isNotEmpty();
    } finally {
      pool.shutdownNow();
    }
  }
}
