package io.sluice.refine.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

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

  /**
   * Adds to a model what is needed to read this embedder from it.
   *
   * @param parameters gets keys that begin with {@code embedder}
   * @param files gets contents by names that begin with {@code embedder}
   */
  void describe(ObjectNode parameters, Map<String, byte[]> files);
}
