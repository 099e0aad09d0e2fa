package io.sluice.jobs.simulation;

import io.sluice.schema.RunRevised;

/** What a revision of a run may say. */
final class RevisionTruth {
  private final RunModel run;
  private final RunRevised revised;

  RevisionTruth(RunModel run, RunRevised revised) {
    this.run = run;
    this.revised = revised;
  }

  /** What holds after it. */
  Standing check(Standing before) {
    throw new Violation(
        run.id() + ": nobody has asked for " + revised + " after batch " + before.batch());
  }
}
