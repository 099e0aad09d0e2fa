package io.sluice.mixture.log;

import io.sluice.mixture.plan.MixturePlan;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The entry that says what all entries before it fold to, and changes nothing: who has not read
 * them begins with it, who has holds it against its own fold.
 *
 * @param snapshot as of the last granted batch
 * @param heardTo last step whose feedback is used up
 * @param revisions batch to mixture version, of the revisions in the current lineage
 * @param answered ids of the last answered commands, oldest first
 */
public record LogSummary(
    int planVersion,
    RunSettings settings,
    RunPhase phase,
    Lineage lineage,
    Snapshot snapshot,
    long heardTo,
    SortedMap<Long, Integer> revisions,
    List<String> answered)
    implements ControlEntry.Body {
  /** Checks the version, and that the snapshot fits the settings. */
  public LogSummary {
    MixturePlan.requireKnown(planVersion);
    snapshot.requireFits(settings);
    revisions = new TreeMap<>(revisions);
    answered = List.copyOf(answered);
    if (heardTo < 0) {
      throw new IllegalArgumentException("heardTo must be at least 0: " + heardTo);
    }
  }

  /**
   * Checks that this is what the entries before it fold to.
   *
   * @param serial of the entry
   * @param own what they fold to
   * @throws InvariantViolatedException if it is not
   */
  void require(long serial, LogSummary own) {
    Map<String, Object> folded = own.parts();
    parts()
        .forEach(
            (part, said) -> {
              Object expected = Objects.requireNonNull(folded.get(part));
              if (!said.equals(expected)) {
                throw new InvariantViolatedException(
                    "snapshot at serial " + serial + ": " + part, expected, said);
              }
            });
  }

  private Map<String, Object> parts() {
    Map<String, Object> parts = new LinkedHashMap<>();
    parts.put("planVersion", planVersion);
    parts.put("settings", settings);
    parts.put("state", phase.wireName());
    parts.put("openings", lineage.openings());
    parts.put("batch", snapshot.batch());
    parts.put("nextSequence", snapshot.nextSequence());
    parts.put("weightsVersion", snapshot.weightsVersion());
    parts.put("round", snapshot.round());
    parts.put("baseRound", snapshot.baseRound());
    parts.put("weights", snapshot.decided());
    parts.put("pinned", snapshot.pinned());
    parts.put("drainTo", snapshot.drainTo());
    parts.put("policyState", HexFormat.of().formatHex(snapshot.policyState()));
    parts.put("planError", Arrays.stream(snapshot.planError()).boxed().toList());
    parts.put("ordinals", Arrays.stream(snapshot.ordinals()).boxed().toList());
    parts.put("masked", snapshot.masked());
    parts.put("heardTo", heardTo);
    parts.put("revisions", revisions);
    parts.put("answered", answered);
    return parts;
  }
}
