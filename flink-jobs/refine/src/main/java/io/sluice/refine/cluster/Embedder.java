package io.sluice.refine.cluster;

/** Texts as vectors, near to each other where the texts are alike. Safe for use by many threads. */
public interface Embedder {
  /** Length of the vectors. */
  int dimension();

  /**
   * Which vectors it gives: two embedders of the same version give the same vector for every text.
   */
  String version();

  /**
   * Writes the vector of a text.
   *
   * @param out finite coordinates, {@link #dimension()} of them, which replace what was there
   */
  void embed(String text, float[] out);

  /** The vector of a text, {@link #dimension()} coordinates. */
  default float[] embed(String text) {
    float[] vector = new float[dimension()];
    embed(text, vector);
    return vector;
  }
}
