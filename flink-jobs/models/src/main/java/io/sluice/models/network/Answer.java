package io.sluice.models.network;

import io.sluice.control.error.BadInputException;
import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * The first output of a network.
 *
 * @param shape lengths by dimension
 * @param values as many as all lengths' product, the last dimension's beside each other
 */
public record Answer(long[] shape, FloatBuffer values) {
  /**
   * Numbers of the answer, all of which must be finite.
   *
   * @throws BadInputException if one is not
   */
  public float[] finite() {
    float[] all = new float[values.capacity()];
    values.get(0, all);
    for (float value : all) {
      if (!Float.isFinite(value)) {
        throw new BadInputException("a model must answer with finite numbers: found " + value);
      }
    }
    return all;
  }

  /** Whether it is of these lengths; -1 is any. */
  public boolean is(long... lengths) {
    if (shape.length != lengths.length) {
      return false;
    }
    for (int i = 0; i < lengths.length; i++) {
      if (lengths[i] >= 0 && shape[i] != lengths[i]) {
        return false;
      }
    }
    return true;
  }

  /** The error for an answer of another shape. */
  public BadInputException refused(String wanted) {
    return new BadInputException(
        "the model's first output must be " + wanted + ": found " + Arrays.toString(shape));
  }
}
