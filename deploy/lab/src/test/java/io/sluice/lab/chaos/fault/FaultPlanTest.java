package io.sluice.lab.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class FaultPlanTest {
  private static final EnumSet<FaultKind> ALL = EnumSet.allOf(FaultKind.class);

  @Test
  void everyKindComesEquallyOften() {
    int kinds = FaultKind.values().length;
    Map<FaultKind, Long> counts =
        FaultPlan.of(3, 2 * kinds, ALL).stream()
            .map(FaultPlan.Planned::kind)
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    assertThat(counts).hasSize(kinds);
    assertThat(counts.values()).containsOnly(2L);
  }

  @Test
  void theSeedDecidesEverything() {
    List<FaultPlan.Planned> plan = FaultPlan.of(3, 30, ALL);
    assertThat(FaultPlan.of(3, 30, ALL)).isEqualTo(plan);
    assertThat(FaultPlan.of(4, 30, ALL)).isNotEqualTo(plan);
    assertThat(plan.get(7).random().nextLong()).isEqualTo(plan.get(7).random().nextLong());
  }

  @Test
  void onlyTheWantedKindsCome() {
    EnumSet<FaultKind> wanted = EnumSet.of(FaultKind.KILL_BROKER, FaultKind.RESCALE);
    assertThat(FaultPlan.of(1, 5, wanted)).extracting(FaultPlan.Planned::kind).isSubsetOf(wanted);
  }
}
