package io.sluice.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WeightsCommandTest {
  private static final List<String> OPEN = List.of("wiki", "code");

  @Test
  void sharesOfAllDomainsAreProportionsAsInAFile() {
    assertThat(WeightsCommand.whole(OPEN, Map.of("wiki", 3.0, "code", 1.0)))
        .isEqualTo(Map.of("wiki", .75, "code", .25));
  }

  @Test
  void sharesOfSomeDomainsAndWhatTheLogRefusesStayAsTheyAre() {
    for (Map<String, Double> given :
        List.of(
            Map.of("wiki", .5),
            Map.of("wiki", 3.0, "law", 1.0),
            Map.of("wiki", 3.0, "code", -1.0),
            Map.of("wiki", 0.0, "code", 0.0))) {
      assertThat(WeightsCommand.whole(OPEN, given)).isEqualTo(given);
    }
  }
}
