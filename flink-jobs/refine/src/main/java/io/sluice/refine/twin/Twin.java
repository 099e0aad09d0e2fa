package io.sluice.refine.twin;

/**
 * The document that another one is like, which came first.
 *
 * @param place of the one that came first
 * @param text its {@link Signature#text()}
 * @param similarity estimated share of n-grams, of those of either document, that both have; 1 for
 *     the same text
 * @param exact whether both are the same text
 */
public record Twin(DocumentPlace place, long text, double similarity, boolean exact) {
  public Twin {
    if (!(similarity >= 0 && similarity <= 1)) {
      throw new IllegalArgumentException("a similarity must be from 0 to 1: found " + similarity);
    }
  }
}
