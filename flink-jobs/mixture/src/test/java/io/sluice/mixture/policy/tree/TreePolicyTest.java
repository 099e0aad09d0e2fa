package io.sluice.mixture.policy.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import io.sluice.mixture.policy.Cadence;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policies;
import io.sluice.mixture.policy.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TreePolicyTest {
  private static final List<String> DOMAINS =
      List.of("zh-web", "zh-book", "en-web", "en-math", "synthetic");

  /** Chinese to English to synthetic 1 : 4 : 0, later 1 : 7 : 2. */
  private static final Map<String, String> SYNE =
      Map.of(
          "groups.zh.domains", "zh-web zh-book",
          "groups.zh.policy.topic-perplexity.alpha", "0.4",
          "groups.en.domains", "en-web en-math",
          "groups.en.policy", "dga",
          "groups.syn.domains", "synthetic",
          "stages.1.ratios.zh", "1",
          "stages.1.ratios.en", "4",
          "stages.1.ratios.syn", "0",
          "stages.1.until", "100 batches");

  private static Map<String, String> syne() {
    Map<String, String> settings = new TreeMap<>(SYNE);
    settings.putAll(
        Map.of(
            "stages.2.ratios.zh", "1",
            "stages.2.ratios.en", "7",
            "stages.2.ratios.syn", "2",
            "stages.2.rest", "zh"));
    return settings;
  }

  private static Cadence cadence(long every, long lag) {
    return new Cadence(every, lag, new TreeMap<>(Map.of(1L, 4, 51L, 8)), 1000);
  }

  private static Policy tree(Map<String, String> settings, List<String> domains, Cadence cadence) {
    return Policies.create("tree", settings, domains).inRun(cadence);
  }

  private static Observation measured(Policy policy, long step, double... values) {
    Observation observation = Observation.at(step);
    for (String metric : policy.metrics()) {
      observation = observation.with(metric, values);
    }
    return observation;
  }

  private static double sum(double[] shares, int... domains) {
    return Arrays.stream(domains).mapToDouble(i -> shares[i]).sum();
  }

  @ParameterizedTest
  @CsvSource({"10, 0", "25, 0", "45, 10"})
  void switchesTheRatioExactlyAtItsBatch(long every, long lag) {
    Policy policy = tree(syne(), DOMAINS, cadence(every, lag));
    double[] shares = policy.startingShares(new double[] {.3, .1, .3, .3, 0});
    assertThat(shares).containsExactly(new double[] {.15, .05, .4, .4, 0}, offset(1e-15));
    byte[] state = policy.initialState(shares);
    Random random = new Random(2);
    for (long step = 0; step <= 200; step += every) {
      double[] losses = random.doubles(5, 1, 3).toArray();
      Policy.Decision decision = policy.decide(state, measured(policy, step, losses));
      state = decision.state();
      double zh = sum(decision.shares(), 0, 1);
      double syn = decision.shares()[4];
      if (step + lag < 100) {
        assertThat(new double[] {zh, syn}).containsExactly(new double[] {.2, 0}, offset(1e-12));
        assertThat(decision.note()).isEmpty();
      } else {
        assertThat(new double[] {zh, syn}).containsExactly(new double[] {.1, .2}, offset(1e-12));
        assertThat(decision.note())
            .isEqualTo(step + lag == 100 ? "stage 2 of 2 after batch 100" : "");
      }
      assertThat(decision.levels().keySet()).containsExactly("en", "syn", "zh");
      assertThat(decision.levels().get("zh")).isEqualTo(zh, offset(1e-12));
    }
  }

  @Test
  void letsPoliciesRestWhileOthersGoOn() {
    Policy policy = tree(syne(), DOMAINS, cadence(50, 0));
    byte[] state = policy.initialState(policy.startingShares(new double[] {1, 1, 1, 1, 1}));
    double[][] losses = {{2, 2, .1, .2, 1}, {3, 1, .1, .2, 1}, {1, 3, .1, .2, 1}, {3, 1, 1, 2, 1}};
    List<double[]> shares = new ArrayList<>();
    for (int round = 0; round < losses.length; round++) {
      Policy.Decision decision = policy.decide(state, measured(policy, round * 50L, losses[round]));
      state = decision.state();
      shares.add(decision.shares());
    }
    assertThat(shares.get(1)[0] / shares.get(1)[1]).isGreaterThan(1.5);
    for (int round = 2; round < 4; round++) {
      double[] now = shares.get(round);
      double[] before = shares.get(round - 1);
      assertThat(now[0] / now[1]).isEqualTo(before[0] / before[1], offset(1e-12));
      assertThat(now[3] / now[2]).isGreaterThan(before[3] / before[2]);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"linear", "cosine"})
  void movesRatiosAlongASchedule(String change) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("groups.a.domains", "zh-web zh-book");
    settings.put("groups.b.domains", "en-web en-math synthetic");
    settings.putAll(Map.of("stages.1.ratios.a", "1", "stages.1.ratios.b", "1"));
    settings.put("stages.1.until", "20 batches");
    settings.putAll(Map.of("stages.2.to.a", "1", "stages.2.to.b", "4"));
    settings.put("stages.2.change", change);
    settings.put("stages.2.for", "40 batches");
    Policy policy = tree(settings, DOMAINS, cadence(10, 0));
    assertThat(policy.metrics()).isEmpty();
    assertThat(policy.hasRounds()).isTrue();
    byte[] state = policy.initialState(new double[] {.2, .2, .2, .2, .2});
    double[] expected = {.5, .5, .425, .35, .275, .2, .2};
    for (int round = 1; round <= 7; round++) {
      Policy.Decision decision = policy.decide(state, Observation.at(round * 10L));
      state = decision.state();
      double way = Math.max(0, Math.min(1, (round - 2) / 4.0));
      double cosine = .5 - .3 * (1 - Math.cos(Math.PI * way)) / 2;
      assertThat(decision.levels().get("a"))
          .isEqualTo(change.equals("linear") ? expected[round - 1] : cosine, offset(1e-12));
    }
  }

  @Test
  void endsAStageByTokensWithTheFirstRoundAfterThem() {
    Map<String, String> settings = syne();
    settings.put("stages.1.until", "204 sequences");
    Policy policy = tree(settings, DOMAINS, cadence(10, 0));
    byte[] state = policy.initialState(new double[] {.2, .2, .2, .2, .2});
    List<Double> synthetic = new ArrayList<>();
    for (long step = 0; step <= 70; step += 10) {
      Policy.Decision decision = policy.decide(state, measured(policy, step, 1, 1, 1, 1, 1));
      state = decision.state();
      synthetic.add(decision.levels().get("syn"));
    }
    assertThat(synthetic).containsExactly(0., 0., 0., 0., 0., 0., .2, .2);
  }

  @Test
  void endsAStageWhenLossesSaySo() {
    Map<String, String> settings = syne();
    settings.remove("stages.1.until");
    settings.put("stages.1.when.below.en-web", "1.5");
    settings.put("stages.1.when.plateau", "0.01");
    settings.put("stages.1.when.rounds", "2");
    assertThat(stagesOf(settings, 2, 1.7, 1.49, 3)).containsExactly(0., 0., .2, .2);
    assertThat(stagesOf(settings, 2, 1.9, 1.899, 1.898, 1.7)).containsExactly(0., 0., 0., .2, .2);
    assertThat(stagesOf(settings, 2, Double.NaN, 2, 1.999)).containsExactly(0., 0., 0., .2);
  }

  /** Ratio of the synthetic group after each loss of every domain. */
  private static List<Double> stagesOf(Map<String, String> settings, double... losses) {
    Policy policy = tree(settings, DOMAINS, cadence(10, 0));
    byte[] state = policy.initialState(new double[] {.2, .2, .2, .2, .2});
    state = policy.decide(state, measured(policy, 0, 9, 9, 9, 9, 9)).state();
    List<Double> synthetic = new ArrayList<>();
    for (int round = 0; round < losses.length; round++) {
      double[] all = new double[5];
      Arrays.fill(all, losses[round]);
      Policy.Decision decision = policy.decide(state, measured(policy, (round + 1) * 10L, all));
      state = decision.state();
      synthetic.add(decision.levels().get("syn"));
    }
    return synthetic;
  }

  @Test
  void nestsTreesAndOrdersBuckets() {
    Map<String, String> settings = new TreeMap<>();
    settings.put("groups.en.domains", "en-web en-math");
    settings.put("groups.zh.domains", "zh-web zh-book synthetic");
    settings.put("groups.zh.policy.tree.groups.web.domains", "zh-web");
    settings.put("groups.zh.policy.tree.groups.rest.domains", "synthetic zh-book");
    settings.put("groups.zh.policy.tree.groups.rest.policy.curriculum.until", "40 batches");
    settings.put("groups.zh.policy.tree.stages.1.ratios.web", "3");
    settings.put("groups.zh.policy.tree.stages.1.ratios.rest", "1");
    settings.putAll(Map.of("stages.1.ratios.en", "1", "stages.1.ratios.zh", "1"));
    Policy policy = tree(settings, DOMAINS, cadence(10, 0));
    double[] shares = policy.startingShares(new double[] {.2, .2, .2, .2, .2});
    assertThat(shares).containsExactly(new double[] {.375, 0, .25, .25, .125}, offset(1e-15));
    Policy.Decision decision = policy.decide(policy.initialState(shares), Observation.at(20));
    assertThat(decision.shares())
        .containsExactly(new double[] {.375, .125, .25, .25, 0}, offset(1e-15));
    assertThat(decision.levels())
        .isEqualTo(Map.of("en", .5, "zh", .5, "zh/web", .75, "zh/rest", .25));
  }

  @Test
  void doesNotDependOnTheOrderOfTheDomains() {
    List<String> shuffled = new ArrayList<>(DOMAINS);
    Collections.shuffle(shuffled, new Random(3));
    assertThat(byName(shuffled)).isEqualTo(byName(DOMAINS));
  }

  private static Map<String, Double> byName(List<String> order) {
    Policy policy = tree(syne(), order, cadence(10, 0));
    double[] shares = policy.startingShares(new double[] {.2, .2, .2, .2, .2});
    byte[] state = policy.initialState(shares);
    for (long step = 0; step <= 130; step += 10) {
      double[] losses = new double[5];
      for (int i = 0; i < 5; i++) {
        losses[i] = 1 + (DOMAINS.indexOf(order.get(i)) * 7L + step) % 11 / 10.0;
      }
      Policy.Decision decision = policy.decide(state, measured(policy, step, losses));
      state = decision.state();
      shares = decision.shares();
      assertThat(Arrays.stream(shares).sum()).isEqualTo(1, offset(1e-12));
    }
    Map<String, Double> byName = new HashMap<>();
    for (int i = 0; i < 5; i++) {
      byName.put(order.get(i), shares[i]);
    }
    return byName;
  }

  @Test
  void waitsForWhatItsGroupsNeed() {
    Policy policy = tree(syne(), DOMAINS, cadence(10, 0));
    assertThat(policy.metrics()).containsExactly("alignment", "eval_loss");
    assertThat(policy.metricsOfStepZero()).containsExactly("eval_loss");
    assertThat(policy.startsFromStepZero()).isTrue();
    byte[] state = policy.initialState(policy.startingShares(new double[] {1, 1, 1, 1, 1}));
    Observation zero = Observation.at(0).with("eval_loss", 1, 1, 1, 1, 1);
    assertThat(policy.decide(state, zero).shares())
        .containsExactly(new double[] {.1, .1, .4, .4, 0}, offset(1e-15));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          groups.en.domains    | en-web          | .groups must have every domain in a group: missing [en-math]
          groups.zh.domains    | zh-web zh-book en-web | .groups must have en-web in one group only: en, zh
          groups.zh.domains    | zh-web code     | .groups.zh.domains must name domains of [zh-web, zh-book, en-web, en-math, synthetic], each once: 'zh-web code'
          groups.en.policy     | dgb             | .groups.en.policy must be one of
          groups.zh.policy     | dga             | .groups.zh.policy must name one policy: [dga, topic-perplexity]
          groups.en.weight     | 1               | .groups.en.weight is not a setting; known are [domains, policy, weights.<domain>]
          groups.zh.policy.topic-perplexity.alpha | 2 | .groups.zh.policy.topic-perplexity.alpha must be in [0.0, 1): 2
          groups.en.policy     | external        | ok
          stages.1.ratios.zh   | -1              | .stages.1.ratios.zh must be in [0.0, 1.0E12]: -1
          stages.1.ratios.xx   | 1               | .stages.1.ratios must name groups of [en, syn, zh]: [xx]
          stages.1.until       | soon            | .stages.1.until must be a whole number of batches
          stages.1.until       | 101 batches     | .stages.1.until must be where a round takes effect, every 10 batches with lag 0: 101; the nearest are 100 and 110, or every: 1 or 101
          stages.1.until       | 96 batches      | .stages.1.until must be where a round takes effect, every 10 batches with lag 0: 96; the nearest are 90 and 100, or every: 8 or 12
          stages.1.for         | 100             | .stages.1.until and for must not both be given
          stages.2.until       | 90              | .stages.2 must not end, because no stage comes after it
          stages.2.to.zh       | 1               | .stages.2.to must name every domain of [en, syn, zh]: missing en
          stages.2.speed       | 1               | .stages.2.speed is not a setting
          stages.2.rest        | fr              | .stages.2.rest must name groups of [en, syn, zh]: 'fr'
          stages.1.when.rounds | 4               | .stages.1.when.below.<domain> or plateau must be given: neither is
          stages.4.until       | 500             | .stages must be numbered from 1, without gaps: [1, 2, 4]
          steps                | 4               | .steps is not a setting; known are [every, groups.<group>.domains
          """)
  void saysWhatIsWrong(String key, String value, String message) {
    Map<String, String> settings = syne();
    settings.put(key, value);
    if (message.equals("ok")) {
      assertThat(tree(settings, DOMAINS, cadence(10, 0)).metrics()).contains("proposed_weight");
    } else {
      assertThatThrownBy(() -> tree(settings, DOMAINS, cadence(10, 0)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("policy.tree" + message);
    }
  }

  @Test
  void ordersItsStages() {
    Map<String, String> settings = syne();
    settings.put("stages.2.until", "90 batches");
    settings.put("stages.3.ratios.zh", "1");
    settings.put("stages.3.ratios.en", "0");
    settings.put("stages.3.ratios.syn", "0");
    assertThatThrownBy(() -> tree(settings, DOMAINS, cadence(10, 0)))
        .hasMessage(
            "policy.tree.stages.2.until must be after batch 100, where the stage before ends:"
                + " batch 90");
    settings.remove("stages.1.until");
    settings.put("stages.1.when.plateau", "0.1");
    assertThatThrownBy(() -> tree(settings, DOMAINS, cadence(10, 0)))
        .hasMessageStartingWith("policy.tree.stages.2.until must be given as 'for' instead");
    settings.put("stages.1.until", "50 batches");
    assertThat(tree(settings, DOMAINS, cadence(10, 0)).hasRounds()).isTrue();
  }

  /** A group sees of a matrix the part that is of its own domains, in its own order. */
  @Test
  void groupsSeeThePairsOfTheirOwnDomains() {
    List<String> domains = List.of("a", "b", "c", "d");
    Map<String, String> settings =
        Map.of(
            "groups.x.domains", "c a",
            "groups.x.policy", "r-and-b",
            "groups.y.domains", "b d",
            "groups.y.policy.r-and-b.lambda", "1",
            "stages.1.ratios.x", "1",
            "stages.1.ratios.y", "1");
    Policy tree =
        Policies.create("tree", settings, domains)
            .inRun(new Cadence(1, 0, new TreeMap<>(Map.of(1L, 1)), 9));
    List<String> names = tree.axis(Metrics.GRADIENT_PRODUCT).names(domains);
    assertThat(names).containsExactly("c/c", "c/a", "a/c", "a/a", "b/b", "b/d", "d/b", "d/d");
    double[] products = {4, 1, 1, 2, 1, 0, 0, 3};
    double[] shares =
        tree.decide(
                tree.initialState(new double[] {.25, .25, .25, .25}),
                Observation.at(1).with(Metrics.GRADIENT_PRODUCT, products))
            .shares();
    Policy alone = Policies.create("r-and-b", Map.of(), List.of("c", "a"));
    double[] own =
        alone
            .decide(
                alone.initialState(new double[] {.5, .5}),
                Observation.at(1).with(Metrics.GRADIENT_PRODUCT, 4, 1, 1, 2))
            .shares();
    assertThat(new double[] {shares[2], shares[0]})
        .containsExactly(new double[] {own[0] / 2, own[1] / 2}, offset(1e-15));
    assertThat(shares[3]).isGreaterThan(shares[1]);
  }

  @Test
  void groupsMeasureOneKindOfThings() {
    Map<String, String> settings =
        Map.of(
            "groups.x.domains", "a",
            "groups.x.policy", "r-and-b",
            "groups.y.domains", "b",
            "groups.y.policy", "grape",
            "stages.1.ratios.x", "1",
            "stages.1.ratios.y", "1");
    assertThatThrownBy(() -> Policies.create("tree", settings, List.of("a", "b")))
        .hasMessage(
            "policy.tree.groups must need gradient_product of one kind of things: "
                + "[pairs of domains and domains, pairs of targets and domains]");
  }
}
