package io.sluice.refine.synthesis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import io.sluice.refine.synthesis.Reply;
import io.sluice.refine.synthesis.RequestKey;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AnswerFileTest {
  private static final int STRIDE = Boolean.getBoolean("sluice.full") ? 1 : 23;
  private static final RequestKey A = new RequestKey("a".repeat(64));
  private static final RequestKey B = new RequestKey("b".repeat(64));
  private static final RequestKey C = new RequestKey("c".repeat(64));
  private static final Reply.Settled ANSWER =
      new Reply.Answered("Zeile\n\"数\" \ud800", true, Optional.of(12L));
  private static final Reply.Settled REFUSED = new Reply.Refused("HTTP status 400");

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("answers");
  }

  @Test
  void whatWasPutIsThereWhenItIsOpenedAgain() {
    write();
    try (AnswerFile again = AnswerFile.open(file)) {
      assertThat(again.get(A)).contains(ANSWER);
      assertThat(again.get(B)).contains(REFUSED);
      assertThat(again.has(C)).isFalse();
      assertThat(again.get(C)).isEmpty();
      // C's reservation has nobody settled.
      assertThat(again.spent()).isEqualTo(12 + 3 + 50);
      again.reserve(C, 60);
      again.put(C, REFUSED, 0);
      assertThat(again.spent()).isEqualTo(12 + 3 + 50);
    }
    try (AnswerFile again = AnswerFile.open(file)) {
      assertThat(again.spent()).isEqualTo(12 + 3 + 50);
      assertThat(again.get(C)).contains(REFUSED);
    }
  }

  @Test
  void survivesItsEndAtAnyByte() throws IOException {
    write();
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length < whole.length; length += STRIDE) {
      Files.write(file, Arrays.copyOf(whole, length));
      try (AnswerFile again = AnswerFile.open(file)) {
        boolean a = again.has(A);
        assertThat(again.get(A)).isEqualTo(a ? Optional.of(ANSWER) : Optional.empty());
        again.put(A, ANSWER, a ? 0 : 12);
        again.put(B, REFUSED, 0);
      }
      try (AnswerFile again = AnswerFile.open(file)) {
        assertThat(again.get(A)).contains(ANSWER);
        assertThat(again.get(B)).contains(REFUSED);
      }
    }
  }

  @Test
  void cutsOffWhatAMachineThatDiedLeftOfALine() throws IOException {
    write();
    long written = Files.size(file);
    byte[] longer = Arrays.copyOf(Files.readAllBytes(file), (int) written + 4096);
    Files.write(file, longer);
    AnswerFile.open(file).close();

    assertThat(file).hasSize(written);
  }

  @Test
  void aByteThatIsNotAsWrittenIsAnErrorUnlessItIsInTheLastLine() throws IOException {
    write();
    byte[] whole = Files.readAllBytes(file);
    int last = new String(whole, StandardCharsets.US_ASCII).lastIndexOf('\n', whole.length - 2);
    for (int at = 0; at <= last; at += 7) {
      byte[] spoilt = whole.clone();
      spoilt[at] ^= 1;
      Files.write(file, spoilt);
      assertThatThrownBy(() -> AnswerFile.open(file))
          .as("byte %d", at)
          .isInstanceOf(BadInputException.class)
          .hasMessageContaining("--answers ");
    }
  }

  @Test
  void oneHasTheFileAtATime() throws IOException {
    try (AnswerFile first = AnswerFile.open(file)) {
      assertThatThrownBy(() -> AnswerFile.open(file))
          .hasMessage("--answers is in use by another process: " + file);
      assertThat(first.spent()).isZero();
    }
    Files.writeString(file, "{\"text\": \"something of mine that must not be written over\"}\n");
    assertThatThrownBy(() -> AnswerFile.open(file))
        .hasMessage("--answers must be a file of answers of this version: " + file);
    Files.writeString(file, "something of mine");
    assertThatThrownBy(() -> AnswerFile.open(file)).isInstanceOf(BadInputException.class);
    assertThat(file).content().startsWith("something of mine");
  }

  /** Bytes of version 1, which every later version must read. */
  @Test
  void readsWhatWasWrittenEarlier() throws IOException {
    try (InputStream in = AnswerFileTest.class.getResourceAsStream("answers-1.txt")) {
      Files.write(file, in.readAllBytes());
    }
    try (AnswerFile earlier = AnswerFile.open(file)) {
      assertThat(earlier.get(A)).contains(ANSWER);
      assertThat(earlier.get(B)).contains(REFUSED);
      assertThat(earlier.spent()).isEqualTo(65);
    }
  }

  private void write() {
    try (AnswerFile answers = AnswerFile.open(file)) {
      answers.reserve(A, 40);
      answers.put(A, ANSWER, 12);
      answers.reserve(B, 30);
      answers.settle(B, 3);
      answers.reserve(B, 30);
      answers.put(B, REFUSED, 0);
      answers.reserve(C, 50);
      assertThat(answers.get(A)).contains(ANSWER);
      assertThat(answers.spent()).isEqualTo(65);
    }
  }
}
