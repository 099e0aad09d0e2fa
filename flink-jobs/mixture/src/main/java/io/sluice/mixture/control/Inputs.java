package io.sluice.mixture.control;

import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * What decisions are made from, besides the log.
 *
 * @param reports of a step; empty if none has arrived
 * @param supply one for each domain
 * @param progress last batch that a trainer of the current timeline has reported
 * @param commands not yet applied, oldest first
 * @param waitedMillis how long the open round has been waited for since a trainer reached its step
 */
public record Inputs(
    LongFunction<Optional<StepReports>> reports,
    List<DomainSupply> supply,
    long progress,
    List<PhaseCommand> commands,
    long waitedMillis) {
  /** Copies the lists. */
  public Inputs {
    supply = List.copyOf(supply);
    commands = List.copyOf(commands);
  }

  /** A person asks for another phase. */
  public record PhaseCommand(String commandId, RunPhase phase, String reason) {}
}
