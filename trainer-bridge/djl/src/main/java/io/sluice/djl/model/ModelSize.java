package io.sluice.djl.model;

/**
 * Dimensions of a {@link CausalTransformer}.
 *
 * @param layers attention and MLP pairs
 * @param width features of a token between the layers; a multiple of {@code heads}
 * @param heads attention heads of a layer
 * @param vocabulary token ids are in [0, vocabulary)
 * @param sequenceLength positions the model can tell apart
 */
public record ModelSize(int layers, int width, int heads, int vocabulary, int sequenceLength) {
  /** Checks the ranges. */
  public ModelSize {
    requireRange("layers", layers, 1, 256);
    requireRange("width", width, 1, 65_536);
    requireRange("heads", heads, 1, 1_024);
    requireRange("vocabulary", vocabulary, 2, 1 << 24);
    requireRange("sequenceLength", sequenceLength, 1, 1 << 20);
    if (width % heads != 0) {
      throw new IllegalArgumentException(
          "width must be a multiple of heads (" + heads + "): " + width);
    }
  }

  /** Trainable numbers of the model; the output head shares the token embedding. */
  public long parameters() {
    long w = width;
    long embeddings = (vocabulary + (long) sequenceLength) * w;
    long attention = 4 * w * w + 4 * w;
    long mlp = 8 * w * w + 5 * w;
    long norms = 4 * w;
    return embeddings + layers * (attention + mlp + norms) + 2 * w;
  }

  private static void requireRange(String key, int value, int low, int high) {
    if (value < low || value > high) {
      throw new IllegalArgumentException(key + " must be in [" + low + ", " + high + "]: " + value);
    }
  }
}
