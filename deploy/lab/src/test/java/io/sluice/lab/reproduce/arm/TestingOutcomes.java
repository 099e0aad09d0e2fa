package io.sluice.lab.reproduce.arm;

import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Outcomes made by hand. */
public final class TestingOutcomes {
  private TestingOutcomes() {}

  /** One of ten batches with four sequences each, whose weights change at batch 6. */
  public static ArmOutcome sound() {
    return new ArmOutcome(
        10,
        new TreeMap<>(
            Map.of(
                0L, Map.of("a", 3.0, "b", 3.0),
                5L, Map.of("a", 2.0, "b", 2.8),
                10L, Map.of("a", 2.2, "b", 2.5))),
        new TreeMap<>(Map.of(1L, Map.of("a", .5, "b", .5), 6L, Map.of("a", 1.0, "b", 0.0))),
        new TestedModel(Map.of("a", 2.0, "b", 3.0), Map.of("a", .5, "b", .25)),
        Map.of("a", 30.0, "b", 10.0),
        "audit passed",
        true);
  }

  /** One of a batch, whose domains are alike. */
  public static ArmOutcome of(Collection<String> domains) {
    SortedMap<String, Double> alike = new TreeMap<>();
    domains.forEach(domain -> alike.put(domain, 1.0 / domains.size()));
    return new ArmOutcome(
        1,
        new TreeMap<>(Map.of(1L, alike)),
        new TreeMap<>(Map.of(1L, alike)),
        new TestedModel(alike, alike),
        alike,
        "audit passed",
        true);
  }

  /** The same with other sequences in its stream. */
  public static ArmOutcome streaming(Map<String, Double> sequences) {
    ArmOutcome sound = sound();
    return new ArmOutcome(
        sound.steps(),
        sound.losses(),
        sound.weights(),
        sound.test(),
        sequences,
        sound.audit(),
        sound.passed());
  }

  /** The same with an audit that failed. */
  public static ArmOutcome failed(String audit) {
    ArmOutcome sound = sound();
    return new ArmOutcome(
        sound.steps(),
        sound.losses(),
        sound.weights(),
        sound.test(),
        sound.sequences(),
        audit,
        false);
  }
}
