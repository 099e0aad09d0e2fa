package io.sluice.mixture.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.smoothing.Guards;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RunSettingsTest {
  private static final List<String> DOMAINS = List.of("a", "b");
  private static final Map<Long, Integer> SIZES = Map.of(1L, 8);
  private static final List<Integer> EPOCHS = List.of(3, 0);

  @Test
  void everyKeyIsTaken() {
    Weights weights = Weights.ofShares(new double[] {.25, .75});
    Guards guards = Guards.average(0.5);
    assertThat(
            new RunSettings(
                DOMAINS,
                new TreeMap<>(SIZES),
                new TreeMap<>(Map.of(3L, 64)),
                new TreeMap<>(Map.of("s", 9L)),
                100,
                7,
                weights,
                "velocitune",
                Map.of("target-fraction", "0.5"),
                10,
                2,
                true,
                600,
                40,
                guards,
                EPOCHS,
                true,
                Set.of("b"),
                4,
                new RunLimits(20, 2.5, 64)))
        .hasToString(
            "RunSettings[domains=[a, b], batchSizes={1=8}, rowLengths={3=64}, masks={s=9}, batches=100, seed=7, initialWeights="
                + weights
                + ", policyName=velocitune, policySettings={target-fraction=0.5}, updateEvery=10,"
                + " lag=2, keepWeightsOnTimeout=true, timeoutMillis=600, lead=40, guards="
                + guards
                + ", epochs=[3, 0], redistribute=true, removed=[b], lanes=4,"
                + " limits=RunLimits[priority=20, sequencesPerSecond=2.5, heldSequences=64]]");
  }

  @Test
  void everyKeyHasARange() {
    assertRefused("domains must name at least one: []", List.of(), SIZES, EPOCHS, Set.of());
    assertRefused("domains must be distinct: [a, a]", List.of("a", "a"), SIZES, EPOCHS, Set.of());
    assertRefused("batch must start at batch 1: {}", DOMAINS, Map.of(), EPOCHS, Set.of());
    assertRefused(
        "batch must be in [1, 1048576] sequences: 0", DOMAINS, Map.of(1L, 0), EPOCHS, Set.of());
    assertRefused("when-ended must cover every domain: 1", DOMAINS, SIZES, List.of(1), Set.of());
    assertRefused(
        "when-ended must repeat at least 1 time: -1", DOMAINS, SIZES, List.of(1, -1), Set.of());
    assertRefused("removed must name domains of [a, b]: [c]", DOMAINS, SIZES, EPOCHS, Set.of("c"));
    assertThatThrownBy(() -> of(DOMAINS, SIZES, EPOCHS, Set.of("a", "b"), 0, 0, 0, 0, 1, 1))
        .hasMessageStartingWith("removed must leave a domain: ");
    assertThatThrownBy(() -> of(List.of("a"), SIZES, List.of(1), Set.of(), 0, 0, 0, 0, 1, 1))
        .hasMessage("initial-weights must have one entry for each of 1 domains: 2");
    assertRefused("batches must be at least 0: -1", -1, 0, 0, 0, 1, 1);
    assertRefused("policy.every must be at least 0: -1", 0, -1, 0, 0, 1, 1);
    assertRefused("apply.lag must be at least 0: -1", 0, 0, -1, 0, 1, 1);
    assertRefused("apply.lead must be at least 0: -1", 0, 0, 0, -1, 1, 1);
    assertRefused("apply.timeout must be above 0 ms: 0", 0, 0, 0, 0, 0, 1);
    assertRefused("lanes must be at least 1: 0", 0, 0, 0, 0, 1, 0);
  }

  private static void assertRefused(
      String message,
      List<String> domains,
      Map<Long, Integer> sizes,
      List<Integer> epochs,
      Set<String> removed) {
    assertThatThrownBy(() -> of(domains, sizes, epochs, removed, 0, 0, 0, 0, 1, 1))
        .hasMessage(message);
  }

  private static void assertRefused(
      String message, long batches, long every, long lag, long lead, long timeout, int lanes) {
    assertThatThrownBy(
            () -> of(DOMAINS, SIZES, EPOCHS, Set.of(), batches, every, lag, lead, timeout, lanes))
        .hasMessage(message);
  }

  private static RunSettings of(
      List<String> domains,
      Map<Long, Integer> sizes,
      List<Integer> epochs,
      Set<String> removed,
      long batches,
      long every,
      long lag,
      long lead,
      long timeout,
      int lanes) {
    return new RunSettings(
        domains,
        new TreeMap<>(sizes),
        Collections.emptyNavigableMap(),
        Collections.emptySortedMap(),
        batches,
        7,
        Weights.ofShares(new double[] {.5, .5}),
        "static",
        Map.of(),
        every,
        lag,
        false,
        timeout,
        lead,
        Guards.average(1),
        epochs,
        false,
        removed,
        lanes,
        RunLimits.NONE);
  }
}
