package io.sluice.jobs.refine.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RefinePositionTest {
  private static final String VERSION_1 =
      "0000000000000003000000000000000101000000020000000000000003000000000000000400000000000000000000"
          + "000000000002";

  @Test
  void inputsAreReadOneAfterTheOtherToTheEndsOfTheRound() {
    RefinePosition start = RefinePosition.start(2);
    assertThat(start.input()).isEqualTo(-1);

    RefinePosition round = start.toRound(List.of(2L, 5L));
    assertThat(round.input()).isZero();
    assertThat(round.begun()).isFalse();

    RefinePosition one = round.behind(0, 0);
    assertThat(one.records()).isEqualTo(1);
    assertThat(one.rounds()).isEqualTo(1);
    assertThat(one.begun()).isTrue();
    assertThat(one.behind(0, 1).input()).isEqualTo(1);
    assertThat(one.behind(0, 1).passed(1, 5).input()).isEqualTo(-1);
    assertThat(one.behind(0, 1).rounds()).isEqualTo(1);
  }

  @Test
  void aRoundWithoutRecordsIsNone() {
    RefinePosition passed = RefinePosition.start(1).toRound(List.of(1L)).passed(0, 1);

    assertThat(passed.rounds()).isZero();
    assertThat(passed.input()).isEqualTo(-1);
  }

  @Test
  void bytesOfThisVersionAreReadForEver() throws IOException {
    RefinePosition position = new RefinePosition(3, 1, true, List.of(3L, 0L), List.of(4L, 2L));
    RefinePositionSerializer serializer = new RefinePositionSerializer();

    assertThat(HexFormat.of().formatHex(serializer.serialize(position))).isEqualTo(VERSION_1);
    assertThat(serializer.deserialize(1, HexFormat.of().parseHex(VERSION_1))).isEqualTo(position);
    assertThatThrownBy(() -> serializer.deserialize(2, HexFormat.of().parseHex(VERSION_1)))
        .isInstanceOf(IOException.class)
        .hasMessage("the position of a refinery must have version 1: found 2");
    FreeInputsSerializer free = new FreeInputsSerializer();
    assertThat(free.deserialize(1, free.serialize(Optional.of(position)))).contains(position);
    assertThat(free.deserialize(1, free.serialize(Optional.empty()))).isEmpty();
  }

  @Test
  void endsAreOfAsManyInputs() {
    assertThatThrownBy(() -> new RefinePosition(0, 0, false, List.of(0L), List.of(0L, 1L)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("ends must be of 1 inputs: found 2");
  }
}
