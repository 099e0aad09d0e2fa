package io.sluice.djl.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.ndarray.types.SparseFormat;
import ai.djl.nn.AbstractBlock;
import ai.djl.nn.Parameter;
import ai.djl.nn.core.Embedding;
import ai.djl.nn.core.Linear;
import ai.djl.training.ParameterStore;
import ai.djl.util.PairList;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A GPT-style decoder as a DJL block: token and learned position embeddings, pre-LayerNorm layers,
 * and an output head that shares the token embedding.
 *
 * <p>Inputs, all int64 [B, L] with L ≤ {@link ModelSize#sequenceLength()}: tokens, positions,
 * segments. A token attends to itself and to earlier tokens of its own segment. Output: logits,
 * float32 [B, L, vocabulary]. {@code BlockBatch} makes the inputs.
 *
 * <p>The initial parameters depend on the size and the seed alone.
 */
public final class CausalTransformer extends AbstractBlock {
  static final float DEVIATION = 0.02f;

  // Far below any score, so that its softmax weight is exactly zero, yet finite: no NaN can come.
  private static final float HIDDEN = -1e9f;

  private final ModelSize size;
  private final Parameter tokenEmbedding;
  private final Parameter positionEmbedding;
  private final Parameter normGamma;
  private final Parameter normBeta;
  private final List<TransformerLayer> layers = new ArrayList<>();

  /**
   * Makes a model without values; {@link #initialize} draws them.
   *
   * @param seed of the initial parameters
   */
  public CausalTransformer(ModelSize size, long seed) {
    this.size = size;
    SplittableRandom random = new SplittableRandom(seed);
    tokenEmbedding = embedding("tokenEmbedding", size.vocabulary(), random);
    positionEmbedding = embedding("positionEmbedding", size.sequenceLength(), random);
    for (int i = 0; i < size.layers(); i++) {
      layers.add(addChildBlock("layer" + i, new TransformerLayer(size, random.split())));
    }
    normGamma = addParameter(TransformerLayer.gamma("normGamma", size.width()));
    normBeta = addParameter(TransformerLayer.beta("normBeta", size.width()));
  }

  /** The dimensions. */
  public ModelSize size() {
    return size;
  }

  private Parameter embedding(String name, int rows, SplittableRandom random) {
    return addParameter(
        Parameter.builder()
            .setName(name)
            .setType(Parameter.Type.WEIGHT)
            .optShape(new Shape(rows, size.width()))
            .optInitializer(new SeededNormal(random.split(), DEVIATION))
            .build());
  }

  @Override
  protected NDList forwardInternal(
      ParameterStore store,
      NDList inputs,
      boolean training,
      @Nullable PairList<String, Object> params) {
    NDArray tokens = inputs.head();
    DeviceValues values = new DeviceValues(store, tokens.getDevice(), training);
    NDArray embedded = values.of(tokenEmbedding);
    NDArray x = lookUp(tokens, embedded).add(lookUp(inputs.get(1), values.of(positionEmbedding)));
    NDArray mask = attentionMask(inputs.get(2));
    for (TransformerLayer layer : layers) {
      x = layer.forward(store, new NDList(x, mask), training).head();
    }
    NDArray normed = TransformerLayer.norm(values, x, normGamma, normBeta);
    return Linear.linear(normed, embedded);
  }

  private static NDArray lookUp(NDArray ids, NDArray table) {
    return Embedding.embedding(ids, table, SparseFormat.DENSE).singletonOrThrow();
  }

  /** Segments [B, L] to an additive mask [B, 1, L, L]: 0 where a row may see a column. */
  private static NDArray attentionMask(NDArray segments) {
    long batch = segments.getShape().get(0);
    long length = segments.getShape().get(1);
    NDArray order = segments.getManager().arange((int) length);
    NDArray later = order.reshape(length, 1).lt(order.reshape(1, length));
    NDArray foreign = segments.reshape(batch, length, 1).neq(segments.reshape(batch, 1, length));
    return foreign
        .logicalOr(later)
        .toType(DataType.FLOAT32, false)
        .mul(HIDDEN)
        .reshape(batch, 1, length, length);
  }

  @Override
  protected void initializeChildBlocks(NDManager manager, DataType dataType, Shape... inputShapes) {
    Shape tokens = inputShapes[0];
    long length = tokens.get(1);
    Shape features = new Shape(tokens.get(0), length, size.width());
    Shape mask = new Shape(tokens.get(0), 1, length, length);
    for (TransformerLayer layer : layers) {
      layer.initialize(manager, dataType, features, mask);
    }
  }

  @Override
  public Shape[] getOutputShapes(Shape[] inputShapes) {
    Shape tokens = inputShapes[0];
    return new Shape[] {new Shape(tokens.get(0), tokens.get(1), size.vocabulary())};
  }
}
