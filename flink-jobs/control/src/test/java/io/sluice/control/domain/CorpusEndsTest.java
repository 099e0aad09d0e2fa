package io.sluice.control.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.Document;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.WireCodec;
import java.util.Map;
import org.apache.avro.specific.SpecificRecordBase;
import org.junit.jupiter.api.Test;

class CorpusEndsTest {
  @Test
  void onlyAMarkerThatPreparingAcceptsEndsADomain() {
    assertThat(isEnd(new EndOfDomain("wiki", 0, 7L))).isTrue();
    assertThat(isEnd(new EndOfDomain("code", 0, 7L))).isFalse();
    assertThat(isEnd(new EndOfDomain("x".repeat(2 << 20), 0, 7L))).isFalse();
  }

  @Test
  void whatIsNoMarkerEndsNoDomain() {
    assertThat(isEnd(new Document("a", "text", "-", 0L, Map.of(), null))).isFalse();
    assertThat(CorpusEnds.isEndOf("wiki", new byte[] {1, 2, 3})).isFalse();
    assertThat(CorpusEnds.isEndOf("wiki", new byte[0])).isFalse();
  }

  private static boolean isEnd(SpecificRecordBase message) {
    return CorpusEnds.isEndOf("wiki", WireCodec.encode(message));
  }
}
