package io.sluice.schema.run;

import io.sluice.schema.RunSpec;
import java.util.List;

/** How the sequences of a run come to its trainers. */
public final class Delivery {
  /** The run's stream has them. */
  public static final String TOKENS = "tokens";

  /** There is no stream: trainers derive from the log which rows of segments they are. */
  public static final String DERIVED = "derived";

  /** What a specification may say. */
  public static final List<String> ALL = List.of(TOKENS, DERIVED);

  private Delivery() {}

  /** Whether a run has no stream. */
  public static boolean isDerived(RunSpec spec) {
    return spec.getDelivery().equals(DERIVED);
  }
}
