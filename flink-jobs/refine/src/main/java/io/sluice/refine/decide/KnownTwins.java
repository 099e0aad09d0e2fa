package io.sluice.refine.decide;

import io.sluice.refine.twin.DocumentPlace;
import io.sluice.refine.twin.Signature;
import io.sluice.refine.twin.Twin;
import java.util.Optional;

/** Knows documents of which others may be duplicates. */
public interface KnownTwins {
  /**
   * Whether a document is like one before; if not, it is remembered.
   *
   * @return the twin, or one that is not known but is there
   */
  Optional<Found> add(DocumentPlace place, Signature signature);

  /**
   * A twin.
   *
   * @param exact whether it has the same text; false where that is not known
   * @param twin empty where it is not known which one it is
   */
  record Found(boolean exact, Optional<Twin> twin) {}

  /** What is to be told of it; '' for nothing. */
  String note();
}
