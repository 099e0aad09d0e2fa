package io.sluice.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {
  @Test
  void linesColumnsUpAsMarkdown() {
    TextTable table = new TextTable(List.of("policy", "loss"));
    table.add(List.of("dga", "1.25"));
    table.add(List.of("velocitune", "10.5"));
    assertThat(table.lines())
        .containsExactly(
            "| policy     | loss |",
            "|------------|-----:|",
            "| dga        | 1.25 |",
            "| velocitune | 10.5 |");
    assertThatThrownBy(() -> table.add(List.of("one"))).hasMessage("a row must have 2 cells: 1");
  }
}
