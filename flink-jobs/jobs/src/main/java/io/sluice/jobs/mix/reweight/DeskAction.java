package io.sluice.jobs.mix.reweight;

import io.sluice.schema.ControlRecord;
import io.sluice.schema.RunStatus;

/** What a desk wants done. */
sealed interface DeskAction {
  /** This record should be appended to the control log; it counts only once it is read back. */
  record Propose(ControlRecord record) implements DeskAction {}

  /** People should see this. */
  record Publish(RunStatus status) implements DeskAction {}

  /** Nobody will read this part of the stream again. */
  record Cut(Reclaim reclaim) implements DeskAction {}
}
