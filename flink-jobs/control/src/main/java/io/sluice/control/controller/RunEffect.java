package io.sluice.control.controller;

import io.sluice.schema.ControlRecord;
import io.sluice.schema.RunStatus;

/** What a controller wants done. */
public sealed interface RunEffect {
  /** This record should be appended to the control log; it counts only once it is read back. */
  record Propose(ControlRecord record) implements RunEffect {}

  /** People should see this. */
  record Publish(RunStatus status) implements RunEffect {}

  /** Nobody will read this part of the stream again. */
  record Cut(Reclaim reclaim) implements RunEffect {}
}
