package io.sluice.mixture.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoliciesTest {
  private static final List<String> DOMAINS = List.of("a", "b");

  @Test
  void findsThePoliciesOfOtherJars() {
    assertThat(Policies.names()).contains("loss-share", "velocitune", "dga").isSorted();
    Policy policy = Policies.create("loss-share", Map.of("power", "2"), DOMAINS);
    Policy.Decision decision =
        policy.decide(
            policy.initialState(new double[] {.5, .5}),
            Observation.at(1).with(Metrics.EVAL_LOSS, 2, 3));
    assertThat(decision.shares()).containsExactly(4, 9);
    assertThatThrownBy(() -> Policies.create("loss-share", Map.of("powr", "2"), DOMAINS))
        .hasMessage("policy.loss-share.powr is not a setting; known are [every, power]");
  }

  @Test
  void namesThePoliciesThatThereAre() {
    assertThatThrownBy(() -> Policies.create("dga2", Map.of(), DOMAINS))
        .hasMessage(
            "policy must be one of "
                + Policies.names()
                + ", or be in a jar of --plugins DIR: 'dga2'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          dynamic-batch-loading | preset | best  | .preset must be official or paper: 'best'
          dga                   | beta   | 1.5   | .beta must be in [0.0, 1.0]: 1.5
          dga                   | eta    | much  | .eta must be a number: 'much'
          dga-distribution      | eta    | 1     | .basis.<name> must be given as 'domain=share …', at least once
          dga-distribution      | basis.x | c=1  | .basis.x must be 'domain=share …' with domains of [a, b]: 'c=1'
          dga-distribution      | basis.x | a=0  | .basis.x must have a share above 0: all are 0
          importance-sampling   | histogram.a | 0 | .histogram must have a share above 0: all are 0
          topic-perplexity      | alpha  | 1     | .alpha must be in [0.0, 1): 1
          odm                   | warm-up | 1.5  | .warm-up must be a whole number: 1.5
          odm                   | update | paper | .update must be smoothed-mean or smoothed-mean-single or exp3: 'paper'
          doremi                | result | mean  | .result must be current or average: 'mean'
          doge                  | mu     | 0     | .mu must be in [1.0E-9, 1.0E9]: 0
          recorded              | at.one | a=1   | .at.one must name a step, 0 or more: 'one'
          recorded              | use    | course | .at.<step> must be given as 'domain=weight …', at least once
          """)
  void saysWhatIsWrongWithASetting(String policy, String key, String value, String message) {
    assertThatThrownBy(() -> Policies.create(policy, Map.of(key, value), DOMAINS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("policy." + policy + message);
  }

  @Test
  void needsATargetForEveryDomain() {
    assertThatThrownBy(() -> Policies.create("dynamic-batch-loading", Map.of(), DOMAINS))
        .hasMessage(
            "policy.dynamic-batch-loading.targets.<domain> or target-fraction must be given, one of"
                + " the two: neither given");
  }

  @Test
  void refusesStateOfAnotherVersionAndStateThatIsCut() {
    Policy policy = Policies.create("dga", Map.of(), DOMAINS);
    byte[] state = policy.initialState(new double[] {.5, .5});
    Observation seen = Observation.at(1).with(Metrics.ALIGNMENT, 1, 2);
    byte[] newer = state.clone();
    newer[0] = 9;
    assertThatThrownBy(() -> policy.decide(newer, seen))
        .hasMessage("dga state must be of version 1: 9");
    byte[] cut = java.util.Arrays.copyOf(state, state.length - 1);
    assertThatThrownBy(() -> policy.decide(cut, seen))
        .hasMessage("dga state of " + cut.length + " bytes is cut");
    assertThatThrownBy(() -> policy.decide(new byte[0], seen))
        .hasMessage("dga state must be of version 1: no bytes");
  }
}
