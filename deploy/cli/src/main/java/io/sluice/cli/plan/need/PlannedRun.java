package io.sluice.cli.plan.need;

import io.sluice.control.history.RunStart;
import io.sluice.schema.RunSpec;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A run that is to be, or is.
 *
 * @param sequences that it trains on; empty if it has no end
 * @param tokenWeights whether its first weights are by tokens, which nobody knows yet
 * @param start of the run of that name that goes on or was kept; empty if there is none
 */
public record PlannedRun(
    RunSpec spec, OptionalLong sequences, boolean tokenWeights, Optional<RunStart> start) {
  /** What stands for the part of an id that a run gets when it is applied. */
  public static final String ANY = "*";

  /** Its id, or the form of it. */
  public String id() {
    return start.map(RunStart::runId).orElse(spec.getRun() + "." + ANY);
  }

  /** Tokens that it trains on, all domains together. */
  public OptionalLong tokens() {
    return sequences.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(Counts.product(sequences.getAsLong(), spec.getSequenceLength()));
  }
}
