package io.sluice.djl.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.offset;

import io.sluice.client.feedback.Measurement;
import io.sluice.client.feedback.Measurement.Total;
import io.sluice.client.run.RunInfo;
import io.sluice.djl.data.TestingBlocks;
import io.sluice.djl.measure.AlignmentSettings;
import io.sluice.djl.measure.DomainPerplexity;
import io.sluice.djl.measure.MeterFactory;
import io.sluice.djl.measure.MeterInput;
import io.sluice.djl.measure.ProbeOptions;
import io.sluice.djl.measure.ScheduledMeter;
import io.sluice.djl.measure.StepMeter;
import io.sluice.djl.model.DivergedException;
import io.sluice.djl.model.ModelSize;
import io.sluice.djl.model.ReferenceModel;
import io.sluice.djl.model.TokenSum;
import io.sluice.schema.BatchSize;
import io.sluice.schema.RequiredMetric;
import io.sluice.schema.RunSpec;
import io.sluice.schema.TokenBlock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

public final class RunMetersTest {
  private static final ModelSize SIZE = new ModelSize(1, 16, 2, 32, 8);

  private final TestingFeedback feedback = new TestingFeedback();

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "; eval_loss 0",
        "eval_loss@0; eval_loss 0, eval_loss 2, eval_loss 4",
        "eval_loss; eval_loss 0, eval_loss 2, eval_loss 4",
        "train_loss; eval_loss 0, train_loss 2, train_loss 4",
        "alignment; eval_loss 0, alignment 2, gradient_norm 2, alignment 4, gradient_norm 4",
        "alignment gradient_norm learning_rate; eval_loss 0, alignment 2, gradient_norm 2,"
            + " learning_rate 2, alignment 4, gradient_norm 4, learning_rate 4",
        "train_loss eval_loss; eval_loss 0, eval_loss 2, train_loss 2, eval_loss 4, train_loss 4",
        "blocks@0; eval_loss 0, blocks 0, blocks 2, blocks 4"
      })
  void measuresWhatTheSpecificationSaysThatTheRoundsWaitFor(String metrics, String expected) {
    train(spec("of-another-jar", metrics == null ? "" : metrics), settings().build());
    assertThat(sent()).isEqualTo(expected);
  }

  /** A run of an earlier build. */
  @Test
  void measuresHeldOutLossesForRoundsThatDoNotSayWhatTheyWaitFor() {
    train(spec("odm", null), settings().build());
    assertThat(sent()).isEqualTo("eval_loss 0, eval_loss 2, eval_loss 4");
    feedback.measurements.clear();
    train(RunSpec.newBuilder(spec("static", null)).setUpdateEvery(0).build(), settings().build());
    assertThat(sent()).isEqualTo("eval_loss 0");
  }

  @Test
  void sendsPerplexitiesBesideTheLossesThatTheyComeFrom() {
    train(spec("topic-perplexity", "perplexity@0"), settings().build());
    assertThat(sent())
        .isEqualTo(
            "eval_loss 0, perplexity 0, eval_loss 2, perplexity 2, eval_loss 4, perplexity 4");
    Measurement losses = feedback.measurements.get(0);
    Measurement perplexities = feedback.measurements.get(1);
    assertThat(perplexities.attempt()).isEqualTo(losses.attempt());
    perplexities
        .domains()
        .forEach(
            (domain, total) -> {
              double loss =
                  losses.domains().get(domain).sum() / losses.domains().get(domain).count();
              assertThat(total.count()).isEqualTo(1);
              assertThat(total.sum()).isCloseTo(Math.exp(loss), offset(1e-9));
            });
  }

  @Test
  void evaluatesInBetweenIfAsked() {
    train(spec("static", ""), settings().evalEvery(3).build());
    assertThat(sent()).isEqualTo("eval_loss 0, eval_loss 3");
  }

  @Test
  void measuresWhatTheUserWantsWhateverThePolicy() {
    Set<String> both = Set.of("train_loss", "perplexity");
    train(spec("doremi", "excess_loss"), settings().metrics(both).build());
    assertThat(sent()).contains("perplexity 2, train_loss 2");
  }

  @Test
  void readsMoreHeldOutBlocksForProbes() {
    assertThat(new RunMeters(spec("static", ""), settings().build()).heldOutBlocks()).isEqualTo(2);
    assertThat(new RunMeters(spec("dga", "alignment"), settings().build()).heldOutBlocks())
        .isEqualTo(34);
  }

  @Test
  void evaluatesAndProbesAsManyTokensAsTheRunSays() {
    RunSpec sized = RunSpec.newBuilder(spec("dga", "alignment")).setEvalTokens(25).build();
    assertThat(new RunMeters(sized, settings().build()).heldOutBlocks()).isEqualTo(4 + 32);
    sized.setProbeTokens(8 * 40);
    assertThat(new RunMeters(sized, settings().build()).heldOutBlocks()).isEqualTo(4 + 40);
  }

  /** From batch 3 on the run has the policy odm, from batch 5 on one that cannot be served. */
  @Test
  void followsAPolicyThatIsPutInWhileItTrains() {
    List<Long> read = new ArrayList<>();
    train(
        settings(8).build(),
        (loop, heldOut) ->
            new FollowingMeters(
                step ->
                    new RunInfo(
                        "r-1",
                        step < 3
                            ? spec("velocitune", "eval_loss@0")
                            : step < 5 ? spec("odm", "train_loss") : spec("doremi", "mood")),
                0,
                (run, blocks) -> {
                  read.add((long) blocks);
                  return heldOut;
                },
                settings(8).build(),
                SIZE,
                loop,
                Optional.empty()));
    assertThat(sent()).isEqualTo("eval_loss 0, eval_loss 2, train_loss 4");
    assertThat(read).containsExactly(2L, 2L);
    Measurement loss = feedback.measurements.get(2);
    long tokens = loss.domains().values().stream().mapToLong(Total::count).sum();
    // Only the batches since the switch: 3 was trained before it was seen.
    assertThat(tokens).isEqualTo(8L * SIZE.sequenceLength());
  }

  @Test
  void measuresWhatIsAboveAReferenceModel(@TempDir Path directory) throws IOException {
    try (TrainingLoop loop = new TrainingLoop(SIZE, settings().seed(5).build())) {
      for (int step = 0; step < 30; step++) {
        loop.step(TestingBlocks.repetitive(8, SIZE));
      }
      loop.save(directory);
    }
    TrainerSettings settings =
        settings(4).reference(directory.resolve("parameters.safetensors")).build();
    train(
        settings,
        (loop, heldOut) ->
            new FollowingMeters(
                step -> new RunInfo("r-1", spec("doremi", "excess_loss")),
                0,
                (run, blocks) -> heldOut,
                settings,
                SIZE,
                loop,
                reference(settings, loop)));
    assertThat(sent()).isEqualTo("eval_loss 0, excess_loss 2, excess_loss 4");
    Map<String, Total> early = feedback.measurements.get(1).domains();
    Map<String, Total> late = feedback.measurements.get(2).domains();
    // The reference has learned what repeats: the model is above it, and comes closer.
    for (String domain : List.of("even", "odd")) {
      assertThat(early.get(domain).sum()).isGreaterThan(late.get(domain).sum());
      assertThat(late.get(domain).sum()).isPositive();
      assertThat(early.get(domain).count()).isEqualTo(8L * SIZE.sequenceLength());
    }
  }

  @Test
  void refusesToCompareWithoutAReference() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RunMeters(spec("doremi", "excess_loss"), settings().build()))
        .withMessage(
            "policy 'doremi' compares losses with a reference model's: give the trainer its"
                + " checkpoint (--reference DIR, Builder.reference)");
  }

  @Test
  void probesWhatWasTrainedOnUnlessTheRunSaysOtherwise() {
    RunSpec spec = spec("dga", "alignment");
    assertThat(new RunMeters(spec, settings().build()).trainedBlocks()).isEqualTo(32);
    assertThat(ProbeOptions.of(spec)).isEqualTo(new ProbeOptions(true, true));
    spec.setPolicySettings(
        Map.of("groups.x.policy.dga.probes", "held-out", "clip-gradients", "false"));
    assertThat(ProbeOptions.of(spec)).isEqualTo(new ProbeOptions(false, false));
    assertThat(new RunMeters(spec("odm", "train_loss"), settings().build()).trainedBlocks())
        .isZero();
  }

  @Test
  void refusesAPolicyThatItCannotServe() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RunMeters(spec("external", "mood"), settings().build()))
        .withMessage(
            "policy must be one whose metrics have a meter, of [alignment, blocks, eval_loss,"
                + " excess_loss, gradient_moment, gradient_norm, gradient_product, learning_rate, perplexity, train_loss];"
                + " 'external' waits for mood: put a jar with a io.sluice.djl.measure.MeterFactory for it on the"
                + " trainer's class path, or report it from a trainer of your own");
  }

  @Test
  void alignsBatchesThatFollowDistributions() {
    RunSpec bases = spec("dga-distribution", "alignment");
    bases.getMetrics().get(0).setOf(List.of("mild", "wild"));
    bases.setPolicySettings(Map.of("basis.mild", "even=1", "basis.wild", "even=1 odd=3"));

    train(bases, settings().build());

    Measurement alignment =
        feedback.measurements.stream()
            .filter(each -> each.metric().equals("alignment"))
            .findFirst()
            .orElseThrow();
    assertThat(alignment.domains().keySet()).containsExactly("mild", "wild");
  }

  @Test
  void measuresProductsOfThePairsThatTheRunNames() {
    RunSpec balanced = spec("r-and-b", "gradient_product");
    balanced.getMetrics().get(0).setOf(List.of("even/even", "even/odd", "odd/even", "odd/odd"));
    train(balanced, TrainerSettings.builder(4).microBatch(4).evalBlocksPerDomain(2).build());
    Measurement products =
        feedback.measurements.stream()
            .filter(each -> each.metric().equals("gradient_product"))
            .findFirst()
            .orElseThrow();
    assertThat(products.domains().keySet())
        .containsExactly("even/even", "even/odd", "odd/even", "odd/odd");
    assertThat(products.domains().get("even/odd")).isEqualTo(products.domains().get("odd/even"));
    RunSpec aimed = spec("grape", "gradient_product");
    aimed.getMetrics().get(0).setOf(List.of("odd/even"));
    aimed.getMetrics().get(0).setTargets(List.of("odd"));
    feedback.measurements.clear();
    train(aimed, TrainerSettings.builder(4).microBatch(4).evalBlocksPerDomain(2).build());
    assertThat(sent()).startsWith("eval_loss 0, gradient_product 2");
  }

  @Test
  void takesTheTargetThatTheRunNames() {
    RunSpec spec = spec("dga", "alignment");
    spec.getMetrics().get(0).setTargets(List.of("odd"));
    train(spec, TrainerSettings.builder(4).microBatch(4).evalBlocksPerDomain(2).build());
    assertThat(sent()).startsWith("eval_loss 0, alignment 2, gradient_norm 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RunMeters(spec, settings().build()))
        .withMessage(
            "target domains must be those of the run's specification, [odd], or not be given:"
                + " [even]");
  }

  @Test
  void refusesAlignmentsWithoutATarget() {
    TrainerSettings none = TrainerSettings.builder(4).build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RunMeters(spec("dga", "alignment"), none))
        .withMessage(
            "target domains must be at least one of [even, odd], to measure the alignments of"
                + " policy dga: []");
    TrainerSettings unknown =
        TrainerSettings.builder(4)
            .alignment(AlignmentSettings.towards(List.of("even", "wiki")))
            .build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RunMeters(spec("dga", "alignment"), unknown))
        .withMessageEndingWith("[even, wiki]");
  }

  @Test
  void refusesAPerplexityThatIsNotFinite() {
    assertThatExceptionOfType(DivergedException.class)
        .isThrownBy(() -> DomainPerplexity.of(Map.of("a", new TokenSum(8000, 10))))
        .withMessage("perplexity of domain a must be finite, it was not published: e^800.0");
  }

  private String sent() {
    List<String> sent = new ArrayList<>();
    feedback.measurements.forEach(each -> sent.add(each.metric() + " " + each.step()));
    return String.join(", ", sent);
  }

  private static TrainerSettings.Builder settings() {
    return settings(4);
  }

  private static TrainerSettings.Builder settings(long steps) {
    return TrainerSettings.builder(steps)
        .microBatch(4)
        .evalBlocksPerDomain(2)
        .alignment(AlignmentSettings.towards(List.of("even")));
  }

  private static Optional<ReferenceModel> reference(TrainerSettings settings, TrainingLoop loop) {
    return settings
        .reference()
        .map(
            file -> {
              try {
                return loop.reference(file);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
  }

  private void train(RunSpec spec, TrainerSettings settings) {
    train(settings, (loop, heldOut) -> meters(spec, settings, heldOut, loop));
  }

  private void train(
      TrainerSettings settings,
      BiFunction<TrainingLoop, Map<String, List<TokenBlock>>, LongFunction<List<ScheduledMeter>>>
          meters) {
    List<TokenBlock> blocks = TestingBlocks.repetitive(8, SIZE);
    Map<String, List<TokenBlock>> heldOut = new LinkedHashMap<>();
    heldOut.put("even", List.of(blocks.get(0), blocks.get(2), blocks.get(4)));
    heldOut.put("odd", List.of(blocks.get(1), blocks.get(3), blocks.get(5)));
    try (TrainingLoop loop = new TrainingLoop(SIZE, settings)) {
      StepFeedback steps =
          new StepFeedback(
              loop.trainer(),
              meters.apply(loop, heldOut),
              feedback,
              () -> "attempt-" + feedback.attempts.size(),
              () -> -1,
              TrainingObserver.NONE);
      steps.afterStep(0);
      for (long step = 1; step <= settings.steps(); step++) {
        loop.step(blocks);
        steps.afterStep(step);
      }
    }
  }

  private static LongFunction<List<ScheduledMeter>> meters(
      RunSpec spec,
      TrainerSettings settings,
      Map<String, List<TokenBlock>> heldOut,
      TrainingLoop loop) {
    List<ScheduledMeter> meters =
        new RunMeters(spec, settings)
            .over(heldOut, SIZE.sequenceLength(), SIZE, loop, reference(settings, loop));
    return step -> meters;
  }

  /**
   * A run with rounds every two steps.
   *
   * @param metrics with {@code @0} where step 0 must have it, too; null for an earlier build's run
   */
  private static RunSpec spec(String policy, @Nullable String metrics) {
    return RunSpec.newBuilder()
        .setRun("r")
        .setDataset("d")
        .setFingerprint(1)
        .setTokenizer("bytes")
        .setVocabulary(32)
        .setSequenceLength(8)
        .setDomains(List.of("even", "odd"))
        .setBatchSizes(List.of(new BatchSize(1L, 8)))
        .setSeed(1)
        .setInitialWeights(List.of(1L << 39, 1L << 39))
        .setPolicy(policy)
        .setUpdateEvery(2)
        .setEpochs(List.of(1, 1))
        .setMetrics(metrics == null ? null : required(metrics))
        .build();
  }

  private static List<RequiredMetric> required(String metrics) {
    return Stream.of(metrics.split(" "))
        .filter(name -> !name.isEmpty())
        .map(
            name ->
                RequiredMetric.newBuilder()
                    .setName(name.replace("@0", ""))
                    .setEvery(2)
                    .setAtStepZero(name.endsWith("@0"))
                    .build())
        .toList();
  }

  /** As it would be in another jar: counts the blocks of each domain. */
  public record BlocksFactory() implements MeterFactory {
    @Override
    public Set<String> metrics() {
      return Set.of("blocks");
    }

    @Override
    public StepMeter create(MeterInput input) {
      Map<String, Total> counts = new LinkedHashMap<>();
      input.heldOut().evaluated().forEach((d, all) -> counts.put(d, new Total(all.size(), 1)));
      return (trainer, step) -> Map.of("blocks", counts);
    }
  }
}
