package io.sluice.lab.reproduce.claim;

import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A claim and what came of it.
 *
 * @param reason why the verdict is what it is, in words
 */
public record Judgement(
    Claim claim,
    Differences differences,
    @Nullable Evidence evidence,
    Verdict verdict,
    String reason,
    @Nullable Integer seeds) {
  /** What the differences say; empty with fewer than two. */
  public Optional<Evidence> measured() {
    return Optional.ofNullable(evidence);
  }

  /** The seeds that it would take to decide an undecided claim; empty where that is unknown. */
  public OptionalInt seedsToDecide() {
    return seeds == null ? OptionalInt.empty() : OptionalInt.of(seeds);
  }
}
