package io.sluice.jobs.refine.decide;

import io.sluice.refine.step.DocumentSteps;
import io.sluice.schema.RefineSpec;
import java.util.List;

/** Steps for tests. */
final class TestingSteps {
  private TestingSteps() {}

  static DocumentSteps none() {
    return DocumentSteps.open(new RefineSpec("r", List.of("a"), "o", List.of("o"), List.of(), 0L));
  }
}
