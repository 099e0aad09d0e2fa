package io.sluice.models.text;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.models.network.Answer;
import io.sluice.models.network.Network;
import io.sluice.models.tokenizer.TextTokenizer;
import io.sluice.models.tokenizer.Tokens;
import io.sluice.refine.cluster.Embedder;
import io.sluice.refine.cluster.HashedEmbedder;
import io.sluice.refine.model.ModelDirectory;
import java.util.Arrays;

/**
 * A neural embedder of texts, such as DGA's of sentences, section 3: a network whose first output
 * has a vector for the text, [1, dimension], or one for each token, [1, tokens, dimension]. The
 * vector of a text without a token is 0.
 */
final class NeuralEmbedder implements Embedder {
  static final String KIND = "neural-embedder";
  static final String DIMENSION = "dimension";
  static final String POOLING = "pooling";
  static final String NORMALISED = "normalised";

  private static final int HASH_DIGITS = 16;

  private final Network network;
  private final TextTokenizer tokenizer;
  private final int dimension;
  private final Pooling pooling;
  private final boolean normalised;
  private final String version;

  /** Reads one, without a trial. */
  NeuralEmbedder(ModelDirectory model) {
    tokenizer = TextTokenizer.cutting(model, NeuralParameters.tokens(model));
    dimension = model.number(DIMENSION, 1, HashedEmbedder.MOST_DIMENSIONS);
    pooling = pooling(model);
    JsonNode normal = model.parameter(NORMALISED);
    if (!normal.isBoolean()) {
      throw model.refused(NORMALISED + " must be true or false: found " + normal);
    }
    normalised = normal.booleanValue();
    version = KIND + "/" + dimension + "/" + model.hash().substring(0, HASH_DIGITS);
    network = Network.open(model);
  }

  @Override
  public int dimension() {
    return dimension;
  }

  @Override
  public String version() {
    return version;
  }

  @Override
  public void embed(String text, float[] out) {
    if (out.length != dimension) {
      throw new IllegalArgumentException(
          "a vector must have " + dimension + " coordinates: found " + out.length);
    }
    Arrays.fill(out, 0);
    Tokens tokens = tokenizer.encode(text);
    if (tokens.size() == 0) {
      return;
    }
    Answer answer = network.run(tokens);
    if (answer.is(1, dimension)) {
      System.arraycopy(answer.finite(), 0, out, 0, dimension);
    } else if (answer.is(1, tokens.size(), dimension)) {
      pooling.pool(answer.finite(), tokens.size(), out);
    } else {
      throw answer.refused(
          "[1, " + dimension + "] or [1, " + tokens.size() + ", " + dimension + "]");
    }
    if (normalised) {
      normalise(out);
    }
  }

  private static void normalise(float[] vector) {
    double square = 0;
    for (float value : vector) {
      square += (double) value * value;
    }
    double scale = square > 0 ? 1 / Math.sqrt(square) : 0;
    for (int i = 0; i < vector.length; i++) {
      vector[i] = (float) (vector[i] * scale);
    }
  }

  private static Pooling pooling(ModelDirectory model) {
    String word = model.parameter(POOLING).asText();
    for (Pooling pooling : Pooling.values()) {
      if (pooling.word().equals(word)) {
        return pooling;
      }
    }
    throw model.refused(POOLING + " must be mean or cls: found '" + word + "'");
  }
}
