package io.sluice.jobs.mix.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class BlockOffsetsTest {
  private final BlockOffsets offsets = new BlockOffsets();

  @Test
  void knowsNothingAtFirst() {
    assertThat(offsets.atOrBefore(0)).isEqualTo(BlockOffsets.UNKNOWN);
    offsets.note(63, 5);
    assertThat(offsets.atOrBefore(200)).isEqualTo(BlockOffsets.UNKNOWN);
  }

  @Test
  void jumpsFromTheLastKnownChunk() {
    offsets.note(0, 3);
    offsets.note(128, 140);
    offsets.note(640, 700);
    offsets.note(648, 709);
    assertThat(offsets.atOrBefore(0)).isEqualTo(3);
    assertThat(offsets.atOrBefore(100)).isEqualTo(103);
    assertThat(offsets.atOrBefore(130)).isEqualTo(142);
    assertThat(offsets.atOrBefore(639)).isEqualTo(140 + 511);
    assertThat(offsets.atOrBefore(647)).isEqualTo(707);
  }

  @Test
  void neverGoesBeyondWhatIsThere() {
    offsets.note(0, 3);
    offsets.note(5, 9);
    assertThat(offsets.atOrBefore(1_000)).as("the last block that was read").isEqualTo(9);
    offsets.reach(500);
    assertThat(offsets.atOrBefore(1_000)).isEqualTo(500);
    assertThat(offsets.atOrBefore(200)).isEqualTo(203);
  }
}
