package io.sluice.cli.domain;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.DeadLetters;
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
    assertThat(DeadLetterPayload.printable("a\u001bb\nc\u0000")).isEqualTo("a?b?c?");
  }

  private static DeadLetterPayload of(byte[] payload) {
    return DeadLetterPayload.of(DeadLetters.of("ingest", "f", -1, 1, "why", payload, 0));
  }
}
