package io.sluice.djl.model;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.nn.Block;
import ai.djl.nn.Parameter;
import ai.djl.training.ParameterStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A model's parameters as arrays that share their values but not their gradients.
 *
 * <p>PyTorch adds every backward pass to the gradient of the array it went through. A pass through
 * these leaves the gradients that a training has gathered as they are, without a copy of them.
 */
public final class LeafParameters extends ParameterStore {
  private final Map<String, NDArray> leaves = new LinkedHashMap<>();

  /**
   * Leaves that the scope owns, without gradient yet.
   *
   * @param model an initialised block
   */
  public LeafParameters(Block model, NDManager scope) {
    super(scope, false);
    model
        .getParameters()
        .values()
        .forEach(
            parameter -> {
              if (parameter.requiresGradient()) {
                leaves.put(parameter.getId(), leaf(parameter, scope));
              }
            });
  }

  private static NDArray leaf(Parameter parameter, NDManager scope) {
    NDArray leaf = parameter.getArray().stopGradient();
    leaf.attach(scope);
    leaf.setRequiresGradient(true);
    return leaf;
  }

  @Override
  public NDArray getValue(Parameter parameter, Device device, boolean training) {
    NDArray leaf = parameter == null ? null : leaves.get(parameter.getId());
    return leaf == null ? super.getValue(parameter, device, training) : leaf;
  }

  /** What the backward passes added up to, array by array; zeros where none came by. */
  public List<NDArray> gradients() {
    List<NDArray> gradients = new ArrayList<>();
    leaves.values().forEach(leaf -> gradients.add(leaf.getGradient()));
    return gradients;
  }
}
