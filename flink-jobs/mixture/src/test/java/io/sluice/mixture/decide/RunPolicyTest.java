package io.sluice.mixture.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.UnknownPolicyException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RunPolicyTest {
  @Test
  void makesThePolicyOnceUntilTheSettingsChange() {
    TestingRun run = new TestingRun(TestingRun.velocitune().build());
    Policy first = run.policies.of(run.state.settings());
    run.report(0, 4, 4);
    run.report(10, 3, 4);
    run.settle();
    assertThat(run.state.round()).isEqualTo(1);
    assertThat(run.policies.of(run.state.settings())).isSameAs(first);
    TestingRun.Settings other = TestingRun.velocitune();
    other.policySettings = Map.of("target-fraction", "0.7");
    run.commands.add(
        new Command.Revise("c1", other.build(), new TreeMap<>(), List.of(), "other targets"));
    run.settle();
    assertThat(run.policies.of(run.state.settings()))
        .isNotSameAs(first)
        .isSameAs(run.policies.of(run.state.settings()));
  }

  @Test
  void saysThatAPolicyIsNotThere() {
    TestingRun.Settings settings = TestingRun.velocitune();
    settings.policy = "elsewhere";
    RunSettings named = settings.build();
    RunPolicy policies = new RunPolicy();
    assertThat(policies.find(named)).isEmpty();
    assertThatThrownBy(() -> policies.of(named))
        .isInstanceOf(UnknownPolicyException.class)
        .hasMessageStartingWith("policy must be one of [")
        .hasMessageEndingWith("], or be in a jar of --plugins DIR: 'elsewhere'");
  }
}
