package io.sluice.jobs.prepare.pack;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class ShuffledDocumentTest {
  @Test
  void theBytesArePartOfTheFormat() {
    assertThat(hex(TokenizedDocument.ALL)).isEqualTo("00000002c3a901000200");
    assertThat(hex(0, 1, 1)).isEqualTo("fffffffd00000003000000000000000100000001c3a901000200");
  }

  @Test
  void whatIsWrittenIsRead() {
    for (int[] counted : new int[][] {TokenizedDocument.ALL, {0}, {0, 1, 1}}) {
      ShuffledDocument read = ShuffledDocument.read(ShuffledDocument.write(document(counted)));
      assertThat(read.id()).isEqualTo("é");
      assertThat(read.tokens().remaining()).isEqualTo(4);
      assertThat(read.counted()).isEqualTo(counted);
    }
  }

  private static String hex(int... counted) {
    return HexFormat.of().formatHex(ShuffledDocument.write(document(counted)));
  }

  private static TokenizedDocument document(int[] counted) {
    return new TokenizedDocument("java", false, 0, "é", new byte[] {1, 0, 2, 0}, counted);
  }
}
