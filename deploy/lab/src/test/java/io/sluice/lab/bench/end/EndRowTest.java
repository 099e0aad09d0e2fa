package io.sluice.lab.bench.end;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EndRowTest {
  private static final Way PYTHON = Way.of(Client.PYTHON, Delivery.TOKENS, Turn.FINISHED);

  @Test
  void mediansOfTheTurnsThatCountAreHeldAgainstThoseOfTheMemoryMap() {
    List<EndRow> rows =
        EndRow.of(
            64,
            List.of(
                List.of(python(90), map(3)),
                List.of(map(0.5), python(4)),
                List.of(python(6), map(0.7)),
                List.of(map(0.6), python(5))),
            1);
    assertThat(rows).extracting(EndRow::client).containsExactly("python", "memory-map");
    assertThat(rows).extracting(EndRow::cpuSecondsPerGtok).containsExactly(5.0, 0.6);
    assertThat(rows).extracting(EndRow::coldCpuSecondsPerGtok).containsExactly(90.0, 3.0);
    assertThat(rows).extracting(EndRow::ratioToMemoryMap).containsExactly(5 / 0.6, 1.0);
    assertThat(rows.get(0).byPart())
        .isEqualTo(Map.of(Part.BROKER, 5 * 0.25, Part.READER, 5 * 0.75));
  }

  @Test
  void nothingIsHeldAgainstWhatCannotBeMeasured() {
    assertThat(EndRow.of(3, List.of(List.of(python(4)), List.of(python(4))), 1))
        .extracting(EndRow::ratioToMemoryMap)
        .containsOnlyNulls();
    List<Measured> turn = List.of(python(4), map(0));
    assertThat(EndRow.of(3, List.of(turn, turn), 1))
        .hasSize(2)
        .extracting(EndRow::ratioToMemoryMap)
        .containsOnlyNulls();
  }

  private static Measured python(double cpuSeconds) {
    return new Measured(
        PYTHON,
        100,
        Map.of(Part.BROKER, cpuSeconds / 4, Part.READER, cpuSeconds * 3 / 4),
        Map.of(Part.BROKER, 1000.0, Part.READER, 200.0));
  }

  private static Measured map(double cpuSeconds) {
    return new Measured(
        Way.MEMORY_MAP, 1500, Map.of(Part.READER, cpuSeconds), Map.of(Part.READER, 50.0));
  }
}
