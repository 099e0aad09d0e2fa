package io.sluice.refine.targets;

import io.sluice.control.error.BadInputException;
import io.sluice.refine.text.Words;
import io.sluice.refine.twin.Signature;

/**
 * Divides target sets into documents that steer and documents that test, by a hash of each one's
 * text: the side does not depend on the other documents nor on their order. It is for documents
 * without a twin; whoever has one is to be on the twin's side, so that nothing is tested with what
 * steered.
 *
 * @param seed another one gives another division
 * @param tests share of the documents that test, from 0 to 1
 */
public record Sides(long seed, double tests) {
  public Sides {
    if (!(tests >= 0 && tests <= 1)) {
      throw new BadInputException(
          "the share of documents that test must be 0 to 1: found " + tests);
    }
  }

  /** The side of a document without a twin. */
  public Side of(Signature document) {
    double drawn = (Words.mixed(document.text() + Words.mixed(seed)) >>> 11) * 0x1p-53;
    return drawn < tests ? Side.TESTS : Side.STEERS;
  }
}
