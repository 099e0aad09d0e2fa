package io.sluice.jobs.prepare.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** What checkpoints hold of end markers, byte for byte: later versions must read it. */
class EndMarkersTest {
  private static final String END_MARKER_1 = "01000000046a6176610000000000000102";

  @Test
  void endMarkerOfVersionOne() {
    EndMarkers written = new EndMarkers();
    written.add("java", 258);
    assertThat(HexFormat.of().formatHex(written.snapshot().get(0))).isEqualTo(END_MARKER_1);

    EndMarkers read = new EndMarkers();
    read.restore(HexFormat.of().parseHex(END_MARKER_1));

    assertThat(read.offsetOf("java")).isEqualTo(258);
    assertThat(read.closed("java", 259)).isTrue();
    assertThat(read.closed("java", 258)).isFalse();
    assertThat(read.closed("prose", 259)).isFalse();
  }
}
