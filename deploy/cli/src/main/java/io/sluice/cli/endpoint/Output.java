package io.sluice.cli.endpoint;

import io.sluice.refine.synthesis.Outcome;

/** Where goes what is made of documents. */
public interface Output extends AutoCloseable {
  /** Takes what became of the next document. */
  void take(Outcome outcome);

  /** Puts what was made where it belongs. */
  void place();

  @Override
  void close();
}
