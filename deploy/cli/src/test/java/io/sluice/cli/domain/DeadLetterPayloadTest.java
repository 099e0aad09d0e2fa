package io.sluice.cli.domain;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.options.Printable;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.DeadLetters;
import io.sluice.schema.DocumentRange;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DeadLetterPayloadTest {
  @Test
  void textsAreShownAsTextsAlsoWhereACharacterIsCutOff() {
    assertThat(of("a\tb\r\nc".getBytes(UTF_8))).isEqualTo(new DeadLetterPayload(true, "a\tb\r\nc"));
    assertThat(of("a\tb\r\nc".getBytes(UTF_8)).lines()).containsExactly("a\tb", "c");
    byte[] smile = "ok\uD83D\uDE00".getBytes(UTF_8);
    assertThat(of(smile).whole()).isEqualTo("ok\uD83D\uDE00");
    for (int cut = 1; cut < 4; cut++) {
      assertThat(of(Arrays.copyOf(smile, smile.length - cut)))
          .isEqualTo(new DeadLetterPayload(true, "ok"));
    }
    assertThat(of(new byte[0]).lines()).isEmpty();
  }

  @Test
  void whatIsNoTextOrWouldCommandATerminalIsShownInDigits() {
    assertThat(of(new byte[] {'a', (byte) 0xC0, 'b'}))
        .isEqualTo(new DeadLetterPayload(false, "61c062"));
    assertThat(of(new byte[] {27, '[', 'A'}).whole()).isEqualTo("1b5b41");
    assertThat(of("\u009b".getBytes(UTF_8)).whole()).isEqualTo("c29b");
    byte[] many = new byte[40];
    assertThat(of(many).lines()).containsExactly("00".repeat(32), "00".repeat(8));
    assertThat(Printable.line("a\u001bb\nc\u0000")).isEqualTo("a?b?c?");
  }

  @Test
  void recordsOfAFileThatWereRefusedAreShownByTheirFile() {
    DocumentRange range =
        DocumentRange.newBuilder()
            .setLocation("/data/a\u001b.jsonl")
            .setSource("a.jsonl")
            .setFormat("jsonl")
            .setMaxDocument(100)
            .setFileBytes(70)
            .setFirst(8)
            .setRecords(3)
            .setBytes(30)
            .setHash(ByteBuffer.allocate(32))
            .build();
    byte[] payload = WireCodec.encode(range);
    DeadLetter letter = DeadLetters.of("prepare", "corpus.ref", 0, 2, "why", payload, 0);
    assertThat(ListDeadLetters.place(letter)).isEqualTo("/data/a?.jsonl:8-10");
    assertThat(ListDeadLetters.record(letter)).isEqualTo("corpus.ref-0@2");
    range.setRecords(1);
    byte[] one = WireCodec.encode(range);
    assertThat(ListDeadLetters.place(DeadLetters.of("prepare", "corpus.ref", 0, 2, "why", one, 0)))
        .isEqualTo("/data/a?.jsonl:8");
    assertThat(
            ListDeadLetters.place(
                DeadLetters.of("prepare", "corpus.ref", 0, 2, "why", new byte[] {1, 2}, 0)))
        .isEqualTo("corpus.ref-0@2");
  }

  private static DeadLetterPayload of(byte[] payload) {
    return DeadLetterPayload.of(DeadLetters.of("ingest", "f", -1, 1, "why", payload, 0));
  }
}
