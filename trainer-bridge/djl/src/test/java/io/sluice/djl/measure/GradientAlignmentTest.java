package io.sluice.djl.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.offset;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.training.GradientCollector;
import io.sluice.djl.data.BlockBatch;
import io.sluice.djl.data.TestingBlocks;
import io.sluice.djl.measure.GradientAlignment.Alignments;
import io.sluice.djl.model.DivergedException;
import io.sluice.djl.model.ModelSize;
import io.sluice.djl.model.TestingModels;
import io.sluice.djl.model.TokenLoss;
import io.sluice.djl.model.TorchRuntime;
import io.sluice.djl.trainer.TrainerSettings;
import io.sluice.djl.trainer.TrainingLoop;
import io.sluice.schema.TokenBlock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class GradientAlignmentTest {
  private static final ModelSize SIZE = new ModelSize(2, 16, 2, 32, 8);

  private final TrainingLoop loop = new TrainingLoop(SIZE, settings());
  private final Random random = new Random(6);
  private final Map<String, List<TokenBlock>> pools = new LinkedHashMap<>();
  private final List<TokenBlock> target = TestingBlocks.repetitive(4, SIZE);

  GradientAlignmentTest() {
    pools.put("same", TestingBlocks.repetitive(4, SIZE));
    pools.put("noise", blocks(3));
  }

  @AfterEach
  void close() {
    loop.close();
  }

  @Test
  void isTheDotProductOfTheGradientsThatTheTrainerWouldSee() {
    double[] towards = trainersGradient(target);
    Alignments measured = alignment(2, false).measure(loop.trainer(), 0);
    assertThat(measured.alignments().keySet()).containsExactly("same", "noise");
    assertThat(measured.targetNorm()).isCloseTo(norm(towards), offset(1e-5));
    pools.forEach(
        (domain, blocks) -> {
          double[] own = trainersGradient(blocks);
          assertThat(measured.alignments().get(domain)).isCloseTo(dot(own, towards), offset(1e-5));
          assertThat(measured.norms().get(domain)).isCloseTo(norm(own), offset(1e-5));
        });
  }

  @Test
  void predictsWhatATinyStepOnTheDomainDoesToTheTargetsLoss() {
    Alignments measured = alignment(4, false).measure(loop.trainer(), 0);
    double before = loss(target);
    double rate = 1e-3;
    descend(pools.get("noise"), rate);
    double change = loss(target) - before;
    assertThat(change).isCloseTo(-rate * measured.alignments().get("noise"), offset(1e-5));
  }

  @Test
  void clippedGradientsHaveAtMostNormOne() {
    TestingModels.scale(loop, 4);
    Alignments raw = alignment(4, false).measure(loop.trainer(), 0);
    Alignments clipped = alignment(4, true).measure(loop.trainer(), 0);
    assertThat(raw.targetNorm()).isGreaterThan(1);
    assertThat(clipped.norms()).isEqualTo(raw.norms());
    assertThat(clipped.alignments().get("same")).isCloseTo(1, offset(1e-5));
    double noise = raw.alignments().get("noise");
    double expected = noise / Math.max(1, raw.norms().get("noise")) / raw.targetNorm();
    assertThat(clipped.alignments().get("noise")).isCloseTo(expected, offset(1e-6));
    assertThat(raw.alignments().get("same"))
        .isCloseTo(raw.targetNorm() * raw.targetNorm(), offset(1e-2));
  }

  @Test
  void aTrainingWithItEqualsOneWithout() {
    try (TrainingLoop undisturbed = new TrainingLoop(SIZE, settings())) {
      for (int step = 0; step < 5; step++) {
        List<TokenBlock> batch = blocks(4);
        alignment(3, true).measure(loop.trainer(), step);
        assertThat(loop.step(batch)).isEqualTo(undisturbed.step(batch));
      }
      undisturbed
          .parameters()
          .forEach(
              (name, values) ->
                  assertThat(loop.parameters().get(name).toFloatArray())
                      .as(name)
                      .isEqualTo(values.toFloatArray()));
    }
  }

  @Test
  void leavesGatheredGradientsAndTheEnginesRandomStateAsTheyWere() {
    accumulate(blocks(2));
    float[] gathered = flatGradients();
    float[] expected = drawAfterSeeding();
    seed();
    alignment(2, true).measure(loop.trainer(), 0);
    assertThat(draw()).isEqualTo(expected);
    assertThat(flatGradients()).isEqualTo(gathered);
    assertThat(gathered).isNotEqualTo(new float[gathered.length]);
  }

  @Test
  void memoryDoesNotGrowWithTheDomains() {
    for (int i = 0; i < 6; i++) {
      pools.put("more" + i, blocks(1));
    }
    int before = TestingModels.liveArraysInProcess();
    int model = TestingModels.liveArrays(loop);
    alignment(1, true).measure(loop.trainer(), 0);
    int once = TestingModels.liveArraysInProcess();
    alignment(1, true).measure(loop.trainer(), 1);
    assertThat(once).isEqualTo(before);
    assertThat(TestingModels.liveArraysInProcess()).isEqualTo(before);
    assertThat(TestingModels.liveArrays(loop)).isEqualTo(model);
  }

  @Test
  void refusesWhatIsNotFinite() {
    TestingModels.spoil(loop);
    assertThatExceptionOfType(DivergedException.class)
        .isThrownBy(() -> alignment(4, true).measure(loop.trainer(), 0))
        .withMessage(
            "gradient norm of the target set must be finite, it was not published: NaN; lower the"
                + " learning rate or go back to a checkpoint");
  }

  @Test
  void refusesATargetWithoutTrainedTokens() {
    ProbeBatches probes = new ProbeBatches(pools, 4);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new GradientAlignment(List.of(), probes, SIZE, 4, true, true))
        .withMessage(
            "the target set must have blocks with trained tokens: 0 blocks, no trained" + " token");
  }

  private static TrainerSettings settings() {
    return TrainerSettings.builder(1).microBatch(4).seed(9).threads(1).build();
  }

  private GradientAlignment alignment(int microBatch, boolean clip) {
    return new GradientAlignment(target, new ProbeBatches(pools, 4), SIZE, microBatch, true, clip);
  }

  private List<TokenBlock> blocks(int count) {
    List<TokenBlock> blocks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      blocks.add(TestingBlocks.random("noise", random, SIZE));
    }
    return blocks;
  }

  private double loss(List<TokenBlock> blocks) {
    return new DomainEvaluation(Map.of("d", blocks), SIZE, 8, true)
        .evaluate(loop.trainer())
        .get("d")
        .mean();
  }

  /** Adds a batch's gradient to those of the trainer's own parameters. */
  private void accumulate(List<TokenBlock> blocks) {
    BlockBatch batch = BlockBatch.of(blocks, SIZE, true);
    try (NDManager scope = loop.trainer().getManager().newSubManager();
        GradientCollector collector = loop.trainer().newGradientCollector()) {
      NDList targets = batch.targets(scope);
      NDArray logits = loop.trainer().forward(batch.data(scope)).singletonOrThrow();
      collector.backward(
          TokenLoss.mean(TokenLoss.perToken(targets, logits), batch.trainedTokens()));
    }
  }

  private double[] trainersGradient(List<TokenBlock> blocks) {
    accumulate(blocks);
    float[] values = flatGradients();
    clear();
    double[] gradient = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      gradient[i] = values[i];
    }
    return gradient;
  }

  private void descend(List<TokenBlock> blocks, double rate) {
    accumulate(blocks);
    try (TorchRuntime.GradMode off = TorchRuntime.forwardOnly()) {
      for (NDArray each : loop.parameters().values()) {
        each.subi(each.getGradient().mul(rate));
      }
    }
    clear();
  }

  private void clear() {
    try (TorchRuntime.GradMode off = TorchRuntime.forwardOnly()) {
      loop.parameters().values().forEach(each -> each.getGradient().muli(0));
    }
  }

  private float[] flatGradients() {
    NDList flat = new NDList();
    loop.parameters().values().forEach(each -> flat.add(each.getGradient().flatten()));
    NDArray all = flat.get(0).concat(flat.get(1));
    for (int i = 2; i < flat.size(); i++) {
      all = all.concat(flat.get(i));
    }
    return all.toFloatArray();
  }

  private float[] drawAfterSeeding() {
    seed();
    return draw();
  }

  private static void seed() {
    TorchRuntime.start(0).setRandomSeed(11);
  }

  private float[] draw() {
    try (NDManager scope = loop.trainer().getManager().newSubManager()) {
      return scope.randomUniform(0, 1, new ai.djl.ndarray.types.Shape(8)).toFloatArray();
    }
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  private static double norm(double[] a) {
    return Math.sqrt(dot(a, a));
  }
}
