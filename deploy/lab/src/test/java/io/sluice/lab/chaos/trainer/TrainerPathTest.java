package io.sluice.lab.chaos.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrainerPathTest {
  private final List<Journal.Line> lines = new ArrayList<>();

  private void begin(long after) {
    lines.add(new Journal.Begun(after));
  }

  private void accept(long batch, String digest) {
    lines.add(new Journal.Accepted(batch, 8 * (batch - 1), 8, 1, digest, digest.hashCode(), 0, 0));
  }

  private TrainerPath path() {
    return TrainerPath.of(List.copyOf(lines));
  }

  @Test
  void aStraightPathHoldsNothingWrong() {
    begin(0);
    accept(1, "a");
    accept(2, "b");
    TrainerPath path = path();
    assertThat(path.accepted()).containsOnlyKeys(1L, 2L);
    assertThat(path.sequences()).isEqualTo(16);
    assertThat(path.lost() + path.repeated() + path.differing() + path.replayed()).isZero();
  }

  @Test
  void goingBackToACheckpointRepeatsNothing() {
    begin(0);
    accept(1, "a");
    accept(2, "b");
    begin(1);
    accept(2, "b");
    accept(3, "c");
    TrainerPath path = path();
    assertThat(path.replayed()).isEqualTo(1);
    assertThat(path.sequences()).isEqualTo(24);
    assertThat(path.lost() + path.repeated() + path.differing()).isZero();
  }

  @Test
  void aReplayWithOtherBytesDiffers() {
    begin(0);
    accept(1, "a");
    begin(0);
    accept(1, "x");
    assertThat(path().differing()).isEqualTo(1);
  }

  @Test
  void aReplayOfWhichTheReaderSaysOtherRowsDiffers() {
    begin(0);
    accept(1, "a");
    begin(0);
    lines.add(new Journal.Accepted(1, 0, 8, 1, "a", "a".hashCode() + 1, 0, 0));
    assertThat(path().differing()).isEqualTo(1);
  }

  @Test
  void aJumpLosesAndAStepBackRepeats() {
    begin(0);
    accept(1, "a");
    accept(4, "d");
    accept(4, "d");
    TrainerPath path = path();
    assertThat(path.lost()).isEqualTo(2);
    assertThat(path.repeated()).isEqualTo(1);
  }

  @Test
  void aBatchThatBeginsElsewhereDiffers() {
    begin(0);
    lines.add(new Journal.Accepted(1, 3, 8, 1, "a", 1, 0, 0));
    assertThat(path().differing()).isEqualTo(1);
  }
}
