package io.sluice.refine.cluster;

import com.dynatrace.hash4j.hashing.Hashing;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.control.error.BadInputException;
import io.sluice.refine.model.ModelDirectory;
import java.nio.FloatBuffer;
import java.util.HexFormat;
import java.util.Map;

/**
 * The embedder that needs no model of others: words, pairs of words and runs of four characters,
 * each by {@code 1 + ln(count)} and, if they were counted, its {@link DocumentFrequencies},
 * projected to few dimensions by a sparse random matrix of signs. It sees which words texts share,
 * and not what they mean: a sentence embedder such as the paper's does. Immutable.
 *
 * <p>The projection is that of Achlioptas, with {@value #SIGNS} signs in a column, whose places and
 * signs are bits of the feature's hash; inner products keep their expectation. Vectors have length
 * 1, that of a text without words and characters is 0.
 */
public final class HashedEmbedder implements StorableEmbedder {
  /** What models name it. */
  public static final String KIND = "hashed-1";

  /** Dimension unless another is asked for. */
  public static final int DIMENSION = 256;

  /** Longest vectors of any embedder that clusters can be made of. */
  public static final int MOST_DIMENSIONS = 1024;

  /** Characters at the beginning of a text that count, unless others are asked for. */
  public static final int CHARACTERS = 4096;

  private static final String WEIGHTS = "embedder-idf.f32";
  private static final int MOST_CHARACTERS = 1 << 20;
  private static final int SIGNS = 4;

  private final int dimension;
  private final int characters;

  /** Weight of each place of {@link DocumentFrequencies}; empty where all are 1. */
  private final float[] weights;

  private final String version;

  HashedEmbedder(int dimension, int characters, float[] weights) {
    if (dimension < 1 || dimension > MOST_DIMENSIONS) {
      throw new BadInputException(
          "dimension must be a whole number from 1 to " + MOST_DIMENSIONS + ": found " + dimension);
    }
    this.dimension = dimension;
    this.characters = checkedCharacters(characters);
    this.weights = weights;
    this.version = KIND + "/" + dimension + "/" + characters + "/" + digest(weights);
  }

  /**
   * An embedder to which all features weigh the same.
   *
   * @param dimension 1 to {@value #MOST_DIMENSIONS}
   * @param characters of a text's beginning that count, 1 to 2^20
   */
  public static HashedEmbedder unweighted(int dimension, int characters) {
    return new HashedEmbedder(dimension, characters, new float[0]);
  }

  /**
   * The embedder of a model of clusters.
   *
   * @throws BadInputException if it cannot be one
   */
  public static HashedEmbedder of(ModelDirectory model) {
    int dimension = model.number("dimension", 1, MOST_DIMENSIONS);
    int characters = model.number("embedder-characters", 1, MOST_CHARACTERS);
    float[] weights = new float[0];
    if (model.parameter("embedder-idf").booleanValue()) {
      long bytes = (long) DocumentFrequencies.PLACES * Float.BYTES;
      FloatBuffer read = Floats.read(model.file(WEIGHTS, bytes));
      weights = new float[DocumentFrequencies.PLACES];
      read.get(weights);
      for (float weight : weights) {
        if (!(weight >= 0 && weight <= 64)) {
          throw model.refused("weights of " + WEIGHTS + " must be from 0 to 64: found " + weight);
        }
      }
    }
    return new HashedEmbedder(dimension, characters, weights);
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
    double[] sums = new double[dimension];
    TextFeatures.each(
        text,
        characters,
        (hash, weight, count) -> {
          double value = weight * (1 + Math.log(count)) * weight(hash);
          for (int i = 0; i < SIGNS; i++) {
            int bits = (int) (hash >>> (16 * i)) & 0xFFFF;
            sums[((bits >>> 1) * dimension) >>> 15] += (bits & 1) == 0 ? value : -value;
          }
        });
    double square = 0;
    for (double sum : sums) {
      square += sum * sum;
    }
    double scale = square > 0 ? 1 / Math.sqrt(square) : 0;
    for (int i = 0; i < dimension; i++) {
      out[i] = (float) (sums[i] * scale);
    }
  }

  @Override
  public void describe(ObjectNode parameters, Map<String, byte[]> files) {
    parameters
        .put(ClusterModel.EMBEDDER, KIND)
        .put("embedder-characters", characters)
        .put("embedder-idf", weights.length > 0);
    if (weights.length > 0) {
      files.put(WEIGHTS, Floats.bytes(weights));
    }
  }

  static int checkedCharacters(int characters) {
    if (characters < 1 || characters > MOST_CHARACTERS) {
      throw new BadInputException(
          "characters must be a whole number from 1 to "
              + MOST_CHARACTERS
              + ": found "
              + characters);
    }
    return characters;
  }

  private double weight(long hash) {
    return weights.length == 0 ? 1 : weights[DocumentFrequencies.place(hash)];
  }

  private static String digest(float[] weights) {
    return weights.length == 0
        ? "unweighted"
        : HexFormat.of().toHexDigits(Hashing.komihash5_0().hashBytesToLong(Floats.bytes(weights)));
  }
}
