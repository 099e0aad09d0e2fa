package io.sluice.corpus.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class S3ObjectsTest {
  private final List<String> notices = new ArrayList<>();
  private TestingS3 s3;
  private S3Objects objects;

  @BeforeEach
  void start() {
    s3 = new TestingS3("sealed");
    objects =
        S3Objects.open(
            new S3Settings(
                Duration.ofMinutes(1),
                notice -> {
                  notices.add(notice);
                  s3.start();
                }));
  }

  @AfterEach
  void close() {
    objects.close();
    s3.close();
  }

  @Test
  void whatIsPutIsThereAsAWhole() throws IOException {
    assertThat(objects.read("s3://sealed/a/b", 10)).isEmpty();
    objects.put("s3://sealed/a/b", content("hello"));
    objects.put("s3://sealed/a/empty", content(""));
    assertThat(s3.get("sealed", "a/b")).asString(StandardCharsets.UTF_8).isEqualTo("hello");
    assertThat(objects.read("s3://sealed/a/b", 4).orElseThrow())
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("hell");
    assertThat(s3.keys("sealed")).containsExactly("a/b", "a/empty");
  }

  @Test
  void aTakerGetsAllFromTheBeginningUntilItHasIt() throws IOException {
    objects.put("s3://sealed/a", content("hello"));
    List<String> taken = new ArrayList<>();
    S3Objects.Taker taker =
        (length, bytes) -> {
          taken.add(length + " " + new String(bytes.readAllBytes(), StandardCharsets.UTF_8));
          if (taken.size() == 1) {
            throw new IOException("broken off");
          }
        };
    assertThat(objects.take("s3://sealed/b", taker)).isFalse();
    assertThat(objects.take("s3://sealed/a", taker)).isTrue();
    assertThat(taken).containsExactly("5 hello", "5 hello");
    assertThatThrownBy(
            () ->
                objects.take(
                    "s3://sealed/a",
                    (length, bytes) -> {
                      throw new IllegalStateException("no room");
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no room");
  }

  @Test
  void whatWasNotSentIsRefused() {
    S3Objects.Content sent = content("hello");
    S3Objects.Content damaged =
        new S3Objects.Content(
            5, sent.md5(), () -> new ByteArrayInputStream(new byte[] {1, 2, 3, 4, 5}));
    assertThatThrownBy(() -> objects.put("s3://sealed/a", damaged))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("says 400 BadDigest");
    assertThat(s3.keys("sealed")).isEmpty();
  }

  @Test
  void whatIsBelowAFolderIsListedByItsAgeAndDeleted() throws IOException {
    for (int i = 0; i < 1001; i++) {
      s3.put("sealed", "a/" + i, "x");
    }
    s3.put("sealed", "ab", "x");
    Instant later = Instant.now().plus(Duration.ofHours(1));
    assertThat(objects.writtenBefore("s3://sealed/a", later))
        .hasSize(1001)
        .contains("s3://sealed/a/1000");
    assertThat(objects.writtenBefore("s3://sealed/a", later.minus(Duration.ofDays(1)))).isEmpty();
    objects.delete("s3://sealed/a/0");
    objects.delete("s3://sealed/a/0");
    assertThat(s3.keys("sealed")).hasSize(1001);
  }

  @Test
  void aStoreThatComesBackIsWaitedFor() throws IOException {
    s3.kill();
    objects.put("s3://sealed/a", content("hello"));
    assertThat(notices).hasSize(1);
    assertThat(notices.get(0)).contains("s3://sealed/a: waiting for the store");
    assertThat(s3.get("sealed", "a")).hasSize(5);
  }

  @Test
  void aRefusalSaysWhatMustBeAllowed() {
    System.setProperty("aws.secretAccessKey", "not-the-secret");
    try (S3Objects others = S3Objects.open(new S3Settings(Duration.ZERO, notices::add))) {
      assertThatThrownBy(() -> others.put("s3://sealed/a", content("hello")))
          .isInstanceOf(BadInputException.class)
          .hasMessageContaining("says 403 SignatureDoesNotMatch: the credentials must have")
          .hasMessageContaining("s3:PutObject and s3:DeleteObject")
          .hasMessageNotContaining("not-the-secret");
      s3.kill();
      assertThatThrownBy(() -> others.delete("s3://sealed/a"))
          .isInstanceOf(UnreachableException.class)
          .hasMessageMatching(".* does not answer since 0 s \\(.*\\)");
    }
  }

  private static S3Objects.Content content(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try {
      byte[] md5 = MessageDigest.getInstance("MD5").digest(bytes);
      return new S3Objects.Content(bytes.length, md5, () -> new ByteArrayInputStream(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
