package io.sluice.refine.cluster;

/**
 * In how many documents each feature is, by a table of hashed features: what all have says little
 * of any. Features that share a place are counted together. Not safe for use by many threads.
 */
public final class DocumentFrequencies {
  private static final int BITS = 18;

  /** Number of places of the table. */
  static final int PLACES = 1 << BITS;

  private final int characters;
  private final int[] documents = new int[PLACES];
  private int total;

  /** Counts nothing yet, and will count of the first {@code characters} of each document. */
  public DocumentFrequencies(int characters) {
    this.characters = HashedEmbedder.checkedCharacters(characters);
  }

  /** Counts a document; after 2^31 - 1 of them no more. */
  public void add(String text) {
    if (total < Integer.MAX_VALUE) {
      total++;
      TextFeatures.each(text, characters, (hash, weight, count) -> add(place(hash)));
    }
  }

  /** An embedder that weighs features by {@code ln((2 + documents) / (1 + those that have it))}. */
  public HashedEmbedder embedder(int dimension) {
    float[] weights = new float[PLACES];
    for (int i = 0; i < PLACES; i++) {
      weights[i] = (float) Math.log((2.0 + total) / (1.0 + documents[i]));
    }
    return new HashedEmbedder(dimension, characters, weights);
  }

  static int place(long hash) {
    return (int) (hash >>> (Long.SIZE - BITS));
  }

  private void add(int place) {
    documents[place] = Math.min(total, documents[place] + 1);
  }
}
