package io.sluice.djl.trainer;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.Trainer;
import io.sluice.djl.measure.TrainLoss;
import io.sluice.djl.measure.TrainedBlocks;
import io.sluice.djl.model.CausalTransformer;
import io.sluice.djl.model.ClippedAdamW;
import io.sluice.djl.model.DivergedException;
import io.sluice.djl.model.LearningRate;
import io.sluice.djl.model.ModelFiles;
import io.sluice.djl.model.ModelSize;
import io.sluice.djl.model.ReferenceModel;
import io.sluice.djl.model.TokenLoss;
import io.sluice.djl.model.TokenSum;
import io.sluice.djl.model.TorchRuntime;
import io.sluice.schema.TokenBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * One model in training: each global batch becomes one optimizer step, in micro-batches whose
 * gradients add up to the gradient of the mean over all trained tokens of the batch.
 *
 * <p>Not safe for use by several threads at a time.
 */
public final class TrainingLoop implements AutoCloseable {
  static final String PARAMETERS = "parameters.safetensors";
  private static final String OPTIMIZER = "optimizer.safetensors";
  private static final String OPTIMIZER_STEPS = "optimizer-steps";
  private static final String TRAIN_LOSS = "train-loss";
  private static final String TRAINED_BLOCKS = "trained-blocks";

  private final TrainerSettings settings;
  private final ModelSize size;
  private final Model model;
  private final ClippedAdamW optimizer;
  private final Trainer trainer;
  private final LearningRate learningRate;
  private final TrainLoss trainLoss = new TrainLoss();
  private final TrainedBlocks trainedBlocks;

  /** Loads the engine, draws the initial parameters from the seed and takes no step. */
  public TrainingLoop(ModelSize size, TrainerSettings settings) {
    this.size = size;
    this.settings = settings;
    Engine engine = TorchRuntime.start(settings.threads());
    Device device = settings.device();
    TorchRuntime.require(engine, device);
    learningRate = settings.learningRate();
    trainedBlocks = new TrainedBlocks(settings.seed());
    model = Model.newInstance("causal-transformer", device, engine.getEngineName());
    CausalTransformer block = new CausalTransformer(size, settings.seed());
    model.setBlock(block);
    try (TorchRuntime.GradMode off = TorchRuntime.forwardOnly()) {
      Shape input = new Shape(settings.microBatch(), size.sequenceLength());
      block.initialize(model.getNDManager(), DataType.FLOAT32, input, input, input);
      optimizer = new ClippedAdamW(block, model.getNDManager(), settings.weightDecay(), 1);
      trainer =
          model.newTrainer(
              new DefaultTrainingConfig(new TokenLoss())
                  .optDevices(new Device[] {device})
                  .optOptimizer(optimizer));
      trainer.initialize(input, input, input);
    }
  }

  /**
   * What one step did: mean loss before it in nats, tokens in it, norm of its gradient, and the
   * losses by domain.
   */
  record StepResult(double loss, long tokens, double gradientNorm, Map<String, TokenSum> domains) {}

  /**
   * Trains on one global batch; a batch without a trained token leaves the model as it is.
   *
   * @throws DivergedException if the loss or its gradient is not finite; the parameters are then
   *     those before the step
   */
  public StepResult step(List<TokenBlock> blocks) {
    return step(blocks, done -> {});
  }

  /** The same, and tells how many blocks are done: 0 first, then after each micro-batch. */
  StepResult step(List<TokenBlock> blocks, IntConsumer progress) {
    try (TorchRuntime.GradMode off = TorchRuntime.forwardOnly()) {
      Map<String, TokenSum> domains =
          BatchGradients.gather(
              trainer, blocks, settings.microBatch(), size, settings.documentMask(), progress);
      TokenSum whole = domains.values().stream().reduce(TokenSum.NONE, TokenSum::plus);
      if (whole.count() == 0) {
        return new StepResult(0, 0, 0, Map.of());
      }
      DivergedException.requireFinite("loss", whole.mean(), optimizer.steps() + 1);
      float norm = optimizer.prepare(learningRate.at(optimizer.steps() + 1));
      DivergedException.requireFinite("gradient norm", norm, optimizer.steps());
      trainer.step();
      trainLoss.add(domains);
      trainedBlocks.add(blocks);
      return new StepResult(whole.mean(), whole.count(), norm, domains);
    }
  }

  /** Writes the parameters, the optimizer's state and the gathered losses into a directory. */
  void save(Path directory) throws IOException {
    ModelFiles.write(directory.resolve(PARAMETERS), parameters());
    ModelFiles.write(directory.resolve(OPTIMIZER), optimizer.state());
    Files.writeString(directory.resolve(OPTIMIZER_STEPS), Long.toString(optimizer.steps()));
    trainLoss.save(directory.resolve(TRAIN_LOSS));
    trainedBlocks.save(directory.resolve(TRAINED_BLOCKS));
  }

  /**
   * Takes over what {@link #save} wrote.
   *
   * @throws IllegalArgumentException if it is of a model of another size
   */
  void load(Path directory) throws IOException {
    NDManager manager = trainer.getManager();
    try (TorchRuntime.GradMode off = TorchRuntime.forwardOnly()) {
      ModelFiles.read(directory.resolve(PARAMETERS), parameters(), manager);
      ModelFiles.read(directory.resolve(OPTIMIZER), optimizer.state(), manager);
    }
    String steps = Files.readString(directory.resolve(OPTIMIZER_STEPS));
    optimizer.resumeAt(Long.parseLong(steps));
    trainLoss.load(directory.resolve(TRAIN_LOSS));
    trainedBlocks.load(directory.resolve(TRAINED_BLOCKS));
  }

  /**
   * Takes over a file's parameters alone: the optimizer begins anew.
   *
   * @throws IllegalArgumentException if they are of a model of another size
   */
  public void begin(Path parameters) throws IOException {
    try (TorchRuntime.GradMode off = TorchRuntime.forwardOnly()) {
      ModelFiles.read(parameters, parameters(), trainer.getManager());
    }
  }

  /** The model of a file, to compare with. */
  ReferenceModel reference(Path parameters) throws IOException {
    try (TorchRuntime.GradMode off = TorchRuntime.forwardOnly()) {
      return ReferenceModel.read(parameters, size, model.getNDManager());
    }
  }

  /** The parameters by name; not copies. */
  public Map<String, NDArray> parameters() {
    Map<String, NDArray> parameters = new LinkedHashMap<>();
    model
        .getBlock()
        .getParameters()
        .forEach(named -> parameters.put(named.getKey(), named.getValue().getArray()));
    return parameters;
  }

  /** The losses of the steps since they were last reported. */
  TrainLoss trainLoss() {
    return trainLoss;
  }

  /** A sample of what was trained on. */
  TrainedBlocks trainedBlocks() {
    return trainedBlocks;
  }

  /** The rate of the last step; that of the first before any. */
  double learningRate() {
    return learningRate.at(Math.max(1, optimizer.steps()));
  }

  /** The DJL trainer that holds the model. */
  public Trainer trainer() {
    return trainer;
  }

  @Override
  public void close() {
    trainer.close();
    optimizer.close();
    model.close();
  }
}
