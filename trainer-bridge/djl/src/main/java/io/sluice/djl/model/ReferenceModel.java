package io.sluice.djl.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.ParameterStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** A model that is not trained any more, with which another is compared. */
public final class ReferenceModel implements AutoCloseable {
  private final NDManager manager;
  private final CausalTransformer block;

  private ReferenceModel(NDManager manager, CausalTransformer block) {
    this.manager = manager;
    this.block = block;
  }

  /**
   * Reads a model's parameters.
   *
   * @param file in the form of {@link ModelFiles}
   * @param size of the model
   * @param parent of its arrays, and says their device
   * @throws IllegalArgumentException if the file is of a model of another size
   */
  public static ReferenceModel read(Path file, ModelSize size, NDManager parent)
      throws IOException {
    NDManager manager = parent.newSubManager();
    CausalTransformer block = new CausalTransformer(size, 0);
    Shape input = new Shape(1, size.sequenceLength());
    block.initialize(manager, DataType.FLOAT32, input, input, input);
    Map<String, NDArray> parameters = new LinkedHashMap<>();
    block
        .getParameters()
        .forEach(named -> parameters.put(named.getKey(), named.getValue().getArray()));
    ModelFiles.read(file, parameters, manager);
    return new ReferenceModel(manager, block);
  }

  /** Logits [B, L, vocabulary] of what {@link CausalTransformer} takes. */
  public NDArray logits(NDManager scope, NDList data) {
    return block.forward(new ParameterStore(scope, false), data, false).singletonOrThrow();
  }

  @Override
  public void close() {
    manager.close();
  }
}
