package io.sluice.djl.trainer;

import ai.djl.Device;
import io.sluice.djl.measure.AlignmentSettings;
import io.sluice.djl.model.Bounds;
import io.sluice.djl.model.LearningRate;
import io.sluice.djl.model.ModelSize;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How the {@link ReferenceTrainer} trains; the vocabulary and the sequence length are the run's.
 *
 * @param layers of the model
 * @param width of the model
 * @param heads of the model
 * @param steps last step to train, counted from the run's first batch
 * @param microBatch sequences whose activations are in memory at a time
 * @param learningRate of AdamW
 * @param weightDecay of AdamW, on matrices
 * @param seed of the initial parameters
 * @param documentMask whether documents packed into one sequence are hidden from each other
 * @param evalBlocksPerDomain held-out blocks that are evaluated, the first ones
 * @param evalEvery steps between evaluations beyond those that the run waits for, of which it makes
 *     no use; 0 for none
 * @param metrics what is measured at the steps of the run's rounds, by name; empty for what its
 *     specification says
 * @param alignment how alignments are measured, if they are
 * @param device of the model
 * @param threads of one PyTorch operation; 0 for PyTorch's own choice
 * @param patience longest wait for the held-out blocks; a batch is waited for as long as it takes
 * @param checkpoints if any are kept
 * @param beginFrom directory of checkpoints that the training begins from while it has none of its
 *     own: those of the run that this one was forked from
 * @param base parameters that the training begins with instead of drawn ones, with a new optimizer
 *     and at the run's first batch: a checkpoint, a directory of them, or a file, of the same shape
 * @param reference parameters of the model that losses are compared with, of the same shape, in the
 *     same forms
 */
public record TrainerSettings(
    int layers,
    int width,
    int heads,
    long steps,
    int microBatch,
    LearningRate learningRate,
    float weightDecay,
    long seed,
    boolean documentMask,
    int evalBlocksPerDomain,
    long evalEvery,
    Optional<Set<String>> metrics,
    AlignmentSettings alignment,
    Device device,
    int threads,
    Duration patience,
    Optional<CheckpointSettings> checkpoints,
    Optional<Path> beginFrom,
    Optional<Path> base,
    Optional<Path> reference) {

  /** Checks the ranges; those of the model's dimensions are checked with the run's. */
  public TrainerSettings {
    Bounds.requireAtLeast("steps", steps, 1);
    Bounds.requireAtLeast("microBatch", microBatch, 1);
    Bounds.requireAtLeast("evalBlocksPerDomain", evalBlocksPerDomain, 1);
    Bounds.requireAtLeast("evalEvery", evalEvery, 0);
    Bounds.requireAtLeast("threads", threads, 0);
    metrics = metrics.map(Set::copyOf);
    if (!(weightDecay >= 0 && weightDecay <= 1)) {
      throw new IllegalArgumentException("weightDecay must be in [0, 1]: " + weightDecay);
    }
    if (patience.isNegative() || patience.isZero()) {
      throw new IllegalArgumentException("patience must be above 0: " + patience);
    }
  }

  /**
   * Settings of a small model, 2 layers of 128 features with 4 heads, for so many steps; each can
   * be changed before {@link Builder#build()}. One thread, since this model gains little from more
   * and threads that wait for each other stall on a machine that has other work.
   */
  public static Builder builder(long steps) {
    return new Builder(steps);
  }

  /** The model's dimensions for data of this vocabulary and sequence length. */
  ModelSize modelSize(int vocabulary, int sequenceLength) {
    return new ModelSize(layers, width, heads, vocabulary, sequenceLength);
  }

  /** Settings in the making. */
  public static final class Builder {
    private final long steps;
    private int layers = 2;
    private int width = 128;
    private int heads = 4;
    private int microBatch = 16;
    private LearningRate learningRate = LearningRate.constant(3e-3, 20);
    private float weightDecay = 0.1f;
    private long seed = 1;
    private boolean documentMask = true;
    private int evalBlocksPerDomain = 8;
    private long evalEvery;
    private Optional<Set<String>> metrics = Optional.empty();
    private AlignmentSettings alignment = AlignmentSettings.towards(List.of());
    private Device device = Device.cpu();
    private int threads = 1;
    private Duration patience = Duration.ofMinutes(10);
    private Optional<CheckpointSettings> checkpoints = Optional.empty();
    private Optional<Path> beginFrom = Optional.empty();
    private Optional<Path> base = Optional.empty();
    private Optional<Path> reference = Optional.empty();

    private Builder(long steps) {
      this.steps = steps;
    }

    /** The model's dimensions. */
    public Builder model(int layers, int width, int heads) {
      this.layers = layers;
      this.width = width;
      this.heads = heads;
      return this;
    }

    /** Sequences whose activations are in memory at a time. */
    public Builder microBatch(int sequences) {
      microBatch = sequences;
      return this;
    }

    /** Peak learning rate, and the steps over which it rises. */
    public Builder learningRate(double peak, int warmupSteps) {
      return learningRate(LearningRate.constant(peak, warmupSteps));
    }

    /** The learning rate by step. */
    public Builder learningRate(LearningRate rate) {
      learningRate = rate;
      return this;
    }

    /** Weight decay on matrices. */
    public Builder weightDecay(float decay) {
      weightDecay = decay;
      return this;
    }

    /** Seed of the initial parameters. */
    public Builder seed(long value) {
      seed = value;
      return this;
    }

    /** Whether packed documents are hidden from each other. */
    public Builder documentMask(boolean on) {
      documentMask = on;
      return this;
    }

    /** Held-out blocks that are evaluated. */
    public Builder evalBlocksPerDomain(int blocks) {
      evalBlocksPerDomain = blocks;
      return this;
    }

    /** Steps between evaluations beyond those that the run waits for; 0 for none. */
    public Builder evalEvery(long interval) {
      evalEvery = interval;
      return this;
    }

    /** What is measured at the steps of the rounds, whatever the run's policy. */
    public Builder metrics(Set<String> measured) {
      metrics = Optional.of(measured);
      return this;
    }

    /** How alignments are measured. */
    public Builder alignment(AlignmentSettings settings) {
      alignment = settings;
      return this;
    }

    /** The device of the model: {@code Device.gpu()} takes the native library of that GPU. */
    public Builder device(Device model) {
      device = model;
      return this;
    }

    /** Threads of one PyTorch operation. */
    public Builder threads(int count) {
      threads = count;
      return this;
    }

    /** Longest wait for the held-out blocks. */
    public Builder patience(Duration longest) {
      patience = longest;
      return this;
    }

    /** Keeps checkpoints, and resumes from the newest one. */
    public Builder checkpoints(CheckpointSettings settings) {
      checkpoints = Optional.of(settings);
      return this;
    }

    /** Begins from another directory's checkpoints while there is none of the run's own. */
    public Builder beginFrom(Path directory) {
      beginFrom = Optional.of(directory);
      return this;
    }

    /** Begins with these parameters and a new optimizer. */
    public Builder base(Path parameters) {
      base = Optional.of(parameters);
      return this;
    }

    /** Compares losses with those of a model with these parameters. */
    public Builder reference(Path parameters) {
      reference = Optional.of(parameters);
      return this;
    }

    /**
     * The settings.
     *
     * @throws IllegalArgumentException naming the setting that is out of its range
     */
    public TrainerSettings build() {
      return new TrainerSettings(
          layers,
          width,
          heads,
          steps,
          microBatch,
          learningRate,
          weightDecay,
          seed,
          documentMask,
          evalBlocksPerDomain,
          evalEvery,
          metrics,
          alignment,
          device,
          threads,
          patience,
          checkpoints,
          beginFrom,
          base,
          reference);
    }
  }
}
