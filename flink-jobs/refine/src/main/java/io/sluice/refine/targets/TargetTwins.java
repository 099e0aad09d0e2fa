package io.sluice.refine.targets;

import io.sluice.refine.twin.DocumentPlace;
import io.sluice.refine.twin.Signature;
import io.sluice.refine.twin.SignatureScheme;
import io.sluice.refine.twin.Twin;
import io.sluice.refine.twin.TwinTable;
import io.sluice.refine.twin.Twins;
import java.util.Optional;

/**
 * Documents of target sets, none of which is forgotten, and those of training, so that twins are
 * found across. Target documents are in {@linkplain SignatureScheme#finer finer bands}: a pair of
 * similarity 0.8 escapes once in 65,000 times instead of once in 110. Not for several threads.
 */
public final class TargetTwins {
  /** Target documents that share a band, the oldest of which gives way to more. */
  private static final int MOST_NUMBERS = 1_024;

  private final SignatureScheme finer;
  private final Twins targets;
  private final Twins training;

  /**
   * Goes on with what is in tables.
   *
   * @param scheme of the signatures
   * @param table of target documents
   * @param least estimated similarity to a target document, more than 0 and up to 1
   * @param training documents that are, or may become, trained on
   */
  public TargetTwins(SignatureScheme scheme, TwinTable table, double least, Twins training) {
    this.finer = scheme.finer();
    this.targets = new Twins(finer, table, least, Long.MAX_VALUE, MOST_NUMBERS);
    this.training = training;
  }

  /** The target document that a document is like, if there is one. */
  public Optional<Twin> target(Signature document) {
    return targets.find(document.in(finer));
  }

  /** The training document that a document is like, if there is one. */
  public Optional<Twin> trained(Signature document) {
    return training.find(document);
  }

  /** Knows a target document from now on. */
  public void add(DocumentPlace place, Signature document) {
    targets.remember(place, document.in(finer));
  }
}
