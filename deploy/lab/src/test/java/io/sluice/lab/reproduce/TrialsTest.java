package io.sluice.lab.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.error.CheckFailedException;
import io.sluice.lab.reproduce.arm.Arm;
import io.sluice.lab.reproduce.arm.ArmOutcome;
import io.sluice.lab.reproduce.arm.ArmRunner.Prepared;
import io.sluice.lab.reproduce.arm.ArmWorker;
import io.sluice.lab.reproduce.arm.Mixture;
import io.sluice.lab.reproduce.arm.Outcomes;
import io.sluice.lab.reproduce.arm.TestingOutcomes;
import io.sluice.lab.reproduce.arm.TestingPrepared;
import io.sluice.lab.reproduce.arm.Texts;
import io.sluice.lab.reproduce.arm.Trial;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class TrialsTest {
  private static final Mixture MIXTURE = Mixture.fixed(Map.of("a", 1.0));

  private final List<String> ran = Collections.synchronizedList(new ArrayList<>());
  private final List<String> told = new ArrayList<>();
  private final Set<Set<String>> tunings = new HashSet<>();

  @Test
  void anArmRunsOnceThoseThatItNeedsHaveEnded() throws InterruptedException {
    Arm base = Arm.of("base", 10, MIXTURE);
    Arm policy = Arm.of("policy", 10, MIXTURE).on("base");
    Arm average =
        Arm.of("average", 10, MIXTURE).on("base").after(List.of("policy"), ended -> MIXTURE);
    var outcomes = run(List.of(average, policy, base), Set.of(), 3);
    assertThat(ran).containsExactly("1 base []", "1 policy [base]", "1 average [base, policy]");
    assertThat(outcomes.get("1")).containsOnlyKeys("base", "policy", "average");
    assertThat(told).containsExactly("base, 2 left", "policy, 1 left", "average, 0 left");
  }

  @Test
  void whatNeedsAnArmThatFailedIsNotRunAndTheRestIs() throws InterruptedException {
    Arm policy = Arm.of("policy", 10, MIXTURE);
    Arm average = Arm.of("average", 10, MIXTURE).after(List.of("policy"), ended -> MIXTURE);
    Arm uniform = Arm.of("uniform", 10, MIXTURE);
    var outcomes = run(List.of(policy, average, uniform), Set.of("policy"), 2);
    assertThat(outcomes.get("1")).containsOnlyKeys("uniform");
    assertThat(ran).containsExactlyInAnyOrder("1 policy []", "1 uniform []");
    assertThat(told).anyMatch(line -> line.startsWith("policy failed: it fell over"));
  }

  @Test
  void everyArmKnowsWhatTheExperimentWasTunedBy() throws InterruptedException {
    run(List.of(Arm.of("base", 10, MIXTURE), Arm.of("policy", 10, MIXTURE)), Set.of(), 1);
    assertThat(tunings).containsExactly(Set.of("tried"));
  }

  @Test
  void seedsDoNotMix() throws InterruptedException {
    Arm base = Arm.of("base", 10, MIXTURE);
    Arm policy = Arm.of("policy", 10, MIXTURE).on("base");
    Trials trials =
        new Trials(
            () -> worker(Set.of()),
            List.of(prepared(1, List.of(base, policy)), prepared(2, List.of(base, policy))),
            Map.of(),
            ended -> {});
    assertThat(trials.run(1)).containsOnlyKeys("1", "2");
    assertThat(ran).containsExactly("1 base []", "1 policy [base]", "2 base []", "2 policy [base]");
  }

  private Map<String, Map<String, ArmOutcome>> run(List<Arm> arms, Set<String> failing, int workers)
      throws InterruptedException {
    return new Trials(
            () -> worker(failing),
            List.of(prepared(1, arms)),
            Map.of("tried", TestingOutcomes.sound()),
            ended ->
                told.add(
                    ended.arm().name()
                        + (ended.failure().isEmpty() ? "" : " failed: " + ended.failure())
                        + ", "
                        + ended.left()
                        + " left"))
        .run(workers);
  }

  private ArmWorker worker(Set<String> failing) {
    return new ArmWorker() {
      @Override
      public ArmOutcome run(Prepared prepared, Arm arm, Outcomes ended) {
        ran.add(
            prepared.trial().id()
                + " "
                + arm.name()
                + " "
                + ended.byArm().keySet().stream().sorted().toList());
        tunings.add(ended.tuning().keySet());
        if (failing.contains(arm.name())) {
          throw new CheckFailedException("it fell over");
        }
        return TestingOutcomes.sound();
      }

      @Override
      public void close() {}
    };
  }

  private static Prepared prepared(long seed, List<Arm> arms) {
    Texts none = Texts.test(Map.of());
    return TestingPrepared.of(new Trial("", seed, none, none, arms));
  }
}
