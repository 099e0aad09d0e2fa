package io.sluice.mixture.decide;

import io.sluice.mixture.log.ControlEntry;

/** What the planner makes of a run: the next control entry, or what that waits for. */
public sealed interface Outcome {
  /** This entry should be appended to the log; it counts only once it is read back. */
  record Propose(ControlEntry entry) implements Outcome {}

  /**
   * Nothing can be decided yet.
   *
   * @param reason for people, with names and numbers
   * @param forFeedback whether a trainer has reached the step of an open round, so that the round's
   *     time-out runs
   */
  record Wait(String reason, boolean forFeedback) implements Outcome {}

  /** The run has ended: nothing will be decided again but its deletion, if somebody asks for it. */
  record Ended() implements Outcome {}
}
