package io.sluice.control.wire;

import static io.sluice.control.controller.TestingRuns.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.mixture.decide.RunPolicy;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Policies;
import io.sluice.mixture.policy.Policy;
import io.sluice.schema.DomainMeasure;
import io.sluice.schema.RequiredMetric;
import io.sluice.schema.RunSpec;
import io.sluice.schema.TrainerFeedback;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RunSpecsTest {
  static List<String> policies() {
    return Policies.names();
  }

  private static RunSpec with(String policy, Map<String, String> settings) {
    Policy made = Policies.create(policy, settings, List.of("a", "b"));
    return RunSpecs.complete(
        spec()
            .setPolicy(policy)
            .setPolicySettings(settings)
            .setBatches(1000)
            .setUpdateEvery(made.hasRounds() ? 10 : 0)
            .build());
  }

  /** The least that a policy can be made with. */
  private static Map<String, String> least(String policy) {
    return switch (policy) {
      case "velocitune", "dynamic-batch-loading" -> Map.of("target-fraction", "0.5");
      case "importance-sampling" -> Map.of("histogram.a", "1");
      case "dga-distribution" -> Map.of("basis.x", "a=1 b=2", "basis.y", "b=1");
      case "recorded" -> Map.of("at.0", "a=1 b=2");
      case "tree" -> Map.of("groups.g.domains", "a b", "stages.1.ratios.g", "1");
      default -> Map.of();
    };
  }

  @ParameterizedTest
  @MethodSource("policies")
  void saysWhatTheRoundsOfAPolicyWaitFor(String name) {
    RunSpec spec = with(name, least(name));
    Policy policy = RunPolicy.make(RunSpecs.settings(spec));
    List<RequiredMetric> metrics = spec.getMetrics();
    if (name.equals("external")) {
      // Who proposes weights reads what trainers measure; the rounds wait for the proposals.
      assertThat(policy.metrics()).containsExactly(Metrics.PROPOSED_WEIGHT);
      assertThat(metrics).extracting(RequiredMetric::getName).containsExactly(Metrics.EVAL_LOSS);
      return;
    }
    assertThat(metrics).extracting(RequiredMetric::getName).isEqualTo(policy.metrics());
    assertThat(metrics).allMatch(metric -> metric.getEvery() == spec.getUpdateEvery());
    assertThat(metrics.stream().filter(RequiredMetric::getAtStepZero))
        .extracting(RequiredMetric::getName)
        .isEqualTo(policy.startsFromStepZero() ? policy.metricsOfStepZero() : List.of());
    assertThat(metrics)
        .allMatch(
            metric ->
                (metric.getOf().isEmpty() ? spec.getDomains() : metric.getOf())
                    .equals(policy.axis(metric.getName()).names(spec.getDomains())));
  }

  @Test
  void namesAMetricOfTrainersOwnAsItWasGiven() {
    assertThat(with("ucb", Map.of("metric", "mean_advantage", "reward", "value")).getMetrics())
        .extracting(metric -> metric.getName() + metric.getAtStepZero() + metric.getOf())
        .containsExactly("mean_advantagefalse[]");
  }

  @Test
  void namesTheTargetsThatGradientsAreAlignedWith() {
    assertThat(with("doge", Map.of("target", "b")).getMetrics())
        .extracting(metric -> metric.getName() + metric.getTargets())
        .containsExactly("alignment[b]", "gradient_norm[]", "learning_rate[]");
    assertThat(
            with(
                    "tree",
                    Map.of(
                        "groups.g.domains", "a",
                        "groups.g.policy.dga.target", "b",
                        "groups.h.domains", "b",
                        "groups.h.policy.odm.warm-up", "0",
                        "stages.1.ratios.g", "1",
                        "stages.1.ratios.h", "1"))
                .getMetrics())
        .extracting(metric -> metric.getName() + metric.getTargets())
        .containsExactly("alignment[b]", "train_loss[]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> with("dga", Map.of("target", "b c")))
        .withMessage("target of policy dga must name domains of the run, [a, b]: [b, c]");
    RunSpec removed = spec().setRemoved(List.of("b")).build();
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                RunSpecs.complete(
                    RunSpec.newBuilder(removed)
                        .setPolicy("dga")
                        .setPolicySettings(Map.of("target", "b"))
                        .build()))
        .withMessage("target of policy dga must name domains of the run, [a]: [b]");
  }

  @Test
  void givesSizesInWholeBlocksAndLeavesOutWhatTheRunLeavesOpen() {
    RunSpec open = with("doge", Map.of());
    assertThat(open.getMetrics()).allMatch(metric -> metric.getTokens() == 0);
    RunSpec sized =
        RunSpecs.complete(RunSpec.newBuilder(open).setEvalTokens(129).setProbeTokens(300).build());
    assertThat(sized.getMetrics())
        .extracting(RequiredMetric::getTokens)
        .containsExactly(384L, 384L, 0L);
    assertThat(RunSpecs.complete(spec().setEvalTokens(129).build()).getMetrics().get(0).getTokens())
        .isEqualTo(256);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "batches|-1|batches must be at least 0: -1",
        "lag|-1|apply.lag must be at least 0: -1",
        "onTimeout|panic|apply.on-timeout must be one of hold, keep-weights: 'panic'",
        "timeoutMillis|0|apply.timeout must be in [1ms, 365d]: 0ms",
        "lead|-1|apply.lead must be at least 0: -1",
        "whenBehind|hope|when-behind must be one of wait, redistribute: 'hope'",
        "reclaim|now|reclaim must be one of never, checkpoint: 'now'",
        "streamPartitions|0|stream-partitions must be in [1, 1024]: 0",
        "evalTokens|-1|eval-tokens must be in [0, 2147483647]: -1",
        "probeTokens|2147483648|probe-tokens must be in [0, 2147483647]: 2147483648",
      })
  void refusesWhatNoFileCouldAskFor(String field, String value, String message) {
    RunSpec spec = spec().build();
    Object now = spec.get(field);
    spec.put(
        field,
        now instanceof Long
            ? (Object) Long.valueOf(value)
            : now instanceof Integer ? Integer.valueOf(value) : value);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RunSpecs.settings(spec))
        .withMessage(message);
  }

  @Test
  void doesNotBelieveWhatASpecificationSaysOfItself() {
    RunSpec honest = RunSpecs.complete(spec().build());
    RunSpec wrong =
        RunSpec.newBuilder(honest)
            .setMetrics(List.of(new RequiredMetric("mood", 1L, true, List.of(), List.of(), 0L)))
            .build();
    assertThat(RunSpecs.complete(wrong)).isEqualTo(honest);
    assertThat(RunSpecs.asAsked(wrong))
        .isEqualTo(RunSpecs.asAsked(honest))
        .isEqualTo(spec().build());
  }

  @Test
  void namesThePairsThatAMetricIsOf() {
    RunSpec balanced = with("r-and-b", Map.of());
    assertThat(balanced.getMetrics().get(0).getOf()).containsExactly("a/a", "a/b", "b/a", "b/b");
    List<RequiredMetric> aimed = with("grape", Map.of("target", "b")).getMetrics();
    assertThat(aimed.get(0).getOf()).containsExactly("b/a", "b/b");
    assertThat(aimed.get(0).getTargets()).containsExactly("b");
    assertThat(aimed.get(1).getOf()).isEmpty();
  }

  @Test
  void refusesMorePairsThanAReportCanHave() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RunSpecs.complete(ofDomains(257, 6)))
        .withMessage(
            "gradient_product of pairs of domains and domains must be at most 65536: 257 x 257");
    assertThat(RunSpecs.complete(ofDomains(180, 4)).getMetrics().get(0).getOf()).hasSize(32_400);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RunSpecs.complete(ofDomains(180, 60)))
        .withMessageStartingWith(
            "domains must be so few that a report of gradient_product of 32400 pairs of domains and"
                + " domains has at most 1000000 bytes: at least ");
  }

  private static RunSpec ofDomains(int count, int letters) {
    List<String> domains =
        IntStream.range(0, count).mapToObj(i -> ("%0" + letters + "d").formatted(i)).toList();
    List<Long> weights = new ArrayList<>(Collections.nCopies(count, 1L));
    weights.set(0, (1L << 40) - count + 1);
    return spec()
        .setPolicy("r-and-b")
        .setPolicySettings(Map.of())
        .setUpdateEvery(10)
        .setDomains(domains)
        .setInitialWeights(weights)
        .setEpochs(Collections.nCopies(count, 1))
        .build();
  }

  @Test
  void refusesAPairThatTheMetricIsNotOf() {
    List<String> pairs = with("r-and-b", Map.of()).getMetrics().get(0).getOf();
    assertThat(FeedbackWire.read(feedback("b/a"), pairs).sums()).containsExactly(0, 0, .5, 0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FeedbackWire.read(feedback("b/c"), pairs))
        .withMessage("domain must be one of [a/a, a/b, b/a, b/b]: 'b/c'");
  }

  private static TrainerFeedback feedback(String of) {
    return TrainerFeedback.newBuilder()
        .setRunId("r.1")
        .setTimeline(0)
        .setStep(10)
        .setTrainerStep(10)
        .setAttempt("x")
        .setWorldSize(1)
        .setRank(0)
        .setMetric("gradient_product")
        .setEntries(List.of(new DomainMeasure(of, .5, 1L)))
        .setTimeMillis(0)
        .build();
  }
}
