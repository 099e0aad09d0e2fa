package io.sluice.djl.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.nn.Parameter;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.util.Pair;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * AdamW over one model's parameters, with the gradient scaled down to a largest global norm.
 *
 * <p>It differs from DJL's own in what a checkpoint and a stable training need: its moments can be
 * saved and loaded, the learning rate is the loop's, the norm is taken over all parameters at once,
 * and vectors (biases, norms) do not decay. The update runs in DJL's kernel.
 */
public final class ClippedAdamW extends Optimizer implements AutoCloseable {
  private static final float BETA1 = 0.9f;
  private static final float BETA2 = 0.95f;
  private static final float EPSILON = 1e-8f;

  private final float weightDecay;
  private final float largestNorm;
  private final Map<String, Moments> moments = new HashMap<>();
  private final List<Pair<String, Parameter>> parameters = new ArrayList<>();
  private final NDManager manager;
  private long steps;
  private float learningRate;
  private float gradientScale;

  private record Moments(String name, NDArray mean, NDArray variance) {}

  /**
   * An optimizer that has taken no step.
   *
   * @param block an initialised model
   * @param parent of the manager that owns the moments
   */
  public ClippedAdamW(
      CausalTransformer block, NDManager parent, float weightDecay, float largestNorm) {
    super(new Builder().setRescaleGrad(1));
    this.weightDecay = weightDecay;
    this.largestNorm = largestNorm;
    manager = parent.newSubManager();
    for (Pair<String, Parameter> named : block.getParameters()) {
      parameters.add(named);
      NDArray value = named.getValue().getArray();
      Moments zero = new Moments(named.getKey(), zeros(value), zeros(value));
      moments.put(named.getValue().getId(), zero);
    }
  }

  private NDArray zeros(NDArray like) {
    return manager.zeros(like.getShape(), like.getDataType());
  }

  /**
   * Prepares the update of all parameters that {@link ai.djl.training.Trainer#step()} then does.
   *
   * @return the global norm of the gradient before it is scaled
   */
  public float prepare(float rate) {
    float norm = gradientNorm();
    steps++;
    learningRate = rate;
    gradientScale = norm > largestNorm ? largestNorm / norm : 1;
    return norm;
  }

  private float gradientNorm() {
    try (NDManager scope = manager.newSubManager()) {
      NDList norms = new NDList(parameters.size());
      for (Pair<String, Parameter> named : parameters) {
        NDArray gradient = named.getValue().getArray().getGradient();
        gradient.attach(scope);
        norms.add(gradient.norm());
      }
      return NDArrays.stack(norms).norm().getFloat();
    }
  }

  @Override
  public void update(String parameterId, NDArray weight, NDArray gradient) {
    Moments own = moments.get(parameterId);
    if (own == null) {
      throw new IllegalArgumentException("not a parameter of this model: " + parameterId);
    }
    double meanCorrection = 1 - Math.pow(BETA1, (double) steps);
    double varianceCorrection = 1 - Math.pow(BETA2, (double) steps);
    float corrected = (float) (learningRate * Math.sqrt(varianceCorrection) / meanCorrection);
    float decay = weight.getShape().dimension() > 1 ? weightDecay : 0;
    weight
        .getNDArrayInternal()
        .adamUpdate(
            new NDList(weight, gradient, own.mean(), own.variance()),
            new NDList(weight),
            learningRate,
            corrected,
            decay,
            gradientScale,
            -1,
            BETA1,
            BETA2,
            EPSILON,
            false,
            true);
  }

  /** Updates so far. */
  public long steps() {
    return steps;
  }

  /** The moments by parameter name, with suffix ".mean" and ".variance"; not copies. */
  public Map<String, NDArray> state() {
    Map<String, NDArray> state = new HashMap<>();
    for (Moments each : moments.values()) {
      state.put(each.name() + ".mean", each.mean());
      state.put(each.name() + ".variance", each.variance());
    }
    return state;
  }

  /** Goes on after so many updates; the moments are loaded into {@link #state()}. */
  public void resumeAt(long step) {
    steps = step;
  }

  @Override
  public void close() {
    manager.close();
  }

  private static final class Builder extends OptimizerBuilder<Builder> {
    @Override
    protected Builder self() {
      return this;
    }
  }
}
