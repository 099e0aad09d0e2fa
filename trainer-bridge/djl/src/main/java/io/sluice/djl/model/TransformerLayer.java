package io.sluice.djl.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.AbstractBlock;
import ai.djl.nn.Activation;
import ai.djl.nn.Parameter;
import ai.djl.nn.core.Linear;
import ai.djl.nn.norm.LayerNorm;
import ai.djl.training.ParameterStore;
import ai.djl.training.initializer.Initializer;
import ai.djl.util.PairList;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One pre-LayerNorm transformer layer: masked multi-head attention, then a GELU MLP, each added to
 * its input.
 *
 * <p>Takes features [B, L, width] and an additive attention mask [B, 1, L, L]; gives features [B,
 * L, width].
 */
final class TransformerLayer extends AbstractBlock {
  private static final float NORM_EPSILON = 1e-5f;

  private final int heads;
  private final int width;
  private final Parameter attentionNormGamma;
  private final Parameter attentionNormBeta;
  private final Parameter queryKeyValueWeight;
  private final Parameter queryKeyValueBias;
  private final Parameter attentionOutWeight;
  private final Parameter attentionOutBias;
  private final Parameter mlpNormGamma;
  private final Parameter mlpNormBeta;
  private final Parameter mlpInWeight;
  private final Parameter mlpInBias;
  private final Parameter mlpOutWeight;
  private final Parameter mlpOutBias;

  TransformerLayer(ModelSize size, SplittableRandom random) {
    heads = size.heads();
    width = size.width();
    // The sum over the layers of what is added keeps the variance of one addition.
    float residual = CausalTransformer.DEVIATION / (float) Math.sqrt(2.0 * size.layers());
    attentionNormGamma = addParameter(gamma("attentionNormGamma", width));
    attentionNormBeta = addParameter(beta("attentionNormBeta", width));
    queryKeyValueWeight =
        weight("queryKeyValueWeight", 3 * width, width, random, CausalTransformer.DEVIATION);
    queryKeyValueBias = bias("queryKeyValueBias", 3 * width);
    attentionOutWeight = weight("attentionOutWeight", width, width, random, residual);
    attentionOutBias = bias("attentionOutBias", width);
    mlpNormGamma = addParameter(gamma("mlpNormGamma", width));
    mlpNormBeta = addParameter(beta("mlpNormBeta", width));
    mlpInWeight = weight("mlpInWeight", 4 * width, width, random, CausalTransformer.DEVIATION);
    mlpInBias = bias("mlpInBias", 4 * width);
    mlpOutWeight = weight("mlpOutWeight", width, 4 * width, random, residual);
    mlpOutBias = bias("mlpOutBias", width);
  }

  @Override
  protected NDList forwardInternal(
      ParameterStore store,
      NDList inputs,
      boolean training,
      @Nullable PairList<String, Object> params) {
    NDArray x = inputs.head();
    DeviceValues values = new DeviceValues(store, x.getDevice(), training);
    NDArray mask = inputs.get(1);
    NDArray attended = attend(values, norm(values, x, attentionNormGamma, attentionNormBeta), mask);
    NDArray afterAttention = x.add(attended);
    NDArray transformed = mlp(values, norm(values, afterAttention, mlpNormGamma, mlpNormBeta));
    return new NDList(afterAttention.add(transformed));
  }

  private NDArray attend(DeviceValues values, NDArray x, NDArray mask) {
    long batch = x.getShape().get(0);
    long length = x.getShape().get(1);
    int headWidth = width / heads;
    NDList parts = linear(values, x, queryKeyValueWeight, queryKeyValueBias).split(3, 2);
    Shape perHead = new Shape(batch, length, heads, headWidth);
    NDArray scale = Scalar.of(x.getManager(), 1 / Math.sqrt(headWidth));
    NDArray query = parts.get(0).mul(scale).reshape(perHead).transpose(0, 2, 1, 3);
    NDArray key = parts.get(1).reshape(perHead).transpose(0, 2, 3, 1);
    NDArray value = parts.get(2).reshape(perHead).transpose(0, 2, 1, 3);
    NDArray attention = query.matMul(key).add(mask).softmax(-1);
    NDArray mixed =
        attention.matMul(value).transpose(0, 2, 1, 3).reshape(new Shape(batch, length, width));
    return linear(values, mixed, attentionOutWeight, attentionOutBias);
  }

  private NDArray mlp(DeviceValues values, NDArray x) {
    NDArray hidden = Activation.gelu(linear(values, x, mlpInWeight, mlpInBias));
    return linear(values, hidden, mlpOutWeight, mlpOutBias);
  }

  private static NDArray linear(DeviceValues values, NDArray x, Parameter weight, Parameter bias) {
    return Linear.linear(x, values.of(weight), values.of(bias)).singletonOrThrow();
  }

  static NDArray norm(DeviceValues values, NDArray x, Parameter gamma, Parameter beta) {
    Shape features = new Shape(x.getShape().get(2));
    return LayerNorm.layerNorm(x, features, values.of(gamma), values.of(beta), NORM_EPSILON)
        .singletonOrThrow();
  }

  private Parameter weight(String name, int out, int in, SplittableRandom random, float deviation) {
    return addParameter(
        Parameter.builder()
            .setName(name)
            .setType(Parameter.Type.WEIGHT)
            .optShape(new Shape(out, in))
            .optInitializer(new SeededNormal(random.split(), deviation))
            .build());
  }

  private Parameter bias(String name, int out) {
    return addParameter(vector(name, Parameter.Type.BIAS, out, Initializer.ZEROS));
  }

  static Parameter gamma(String name, int length) {
    return vector(name, Parameter.Type.GAMMA, length, Initializer.ONES);
  }

  static Parameter beta(String name, int length) {
    return vector(name, Parameter.Type.BETA, length, Initializer.ZEROS);
  }

  private static Parameter vector(
      String name, Parameter.Type type, int length, Initializer initializer) {
    return Parameter.builder()
        .setName(name)
        .setType(type)
        .optShape(new Shape(length))
        .optInitializer(initializer)
        .build();
  }

  @Override
  public Shape[] getOutputShapes(Shape[] inputShapes) {
    return new Shape[] {inputShapes[0]};
  }
}
