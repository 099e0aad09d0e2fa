package io.sluice.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProgressTest {
  @Test
  void showsEachDomainsWeightAndLosses() {
    Progress progress = new Progress("demo.1", List.of("java", "prose"), 60);
    progress.weights(Map.of("java", .75, "prose", .25));
    progress.losses(Map.of("java", 5.5, "prose", 5.25));
    progress.losses(Map.of("java", 3.125, "prose", 4.0));
    progress.step(11, 2, 4.5, Map.of("java", 12, "prose", 4), 7);
    progress.step(12, 2, 4.25, Map.of("java", 12, "prose", 4), 3);
    progress.speed(8000);
    progress.lag(41);
    assertThat(progress.table())
        .containsExactly(
            "run demo.1   batch 12 of 60   mixture version 2   8000 tokens/s   wait 3 ms   lag 41 ms"
                + "   loss 4.250",
            "  domain  weight                            eval loss      first  sequences",
            "  java   "
                + "█".repeat(18)
                + "·".repeat(6)
                + "   0.750      3.125      5.500         24",
            "  prose  "
                + "█".repeat(6)
                + "·".repeat(18)
                + "   0.250      4.000      5.250          8");
    assertThat(progress.line())
        .isEqualTo(
            "batch   12/60  v2       8000 tokens/s  wait    3 ms  lag   41 ms  |  java 0.750"
                + " (3.125)  prose 0.250 (4.000)");
  }
}
