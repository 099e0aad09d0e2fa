package io.sluice.lab.reproduce.experiment;

import io.sluice.lab.reproduce.arm.Arm;
import io.sluice.lab.reproduce.arm.ArmOutcome;
import io.sluice.lab.reproduce.arm.Outcomes;
import io.sluice.lab.reproduce.arm.Scale;
import io.sluice.lab.reproduce.arm.TestedModel;
import io.sluice.lab.reproduce.arm.Trial;
import io.sluice.lab.reproduce.corpus.ByteEntropy;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An arm that has ended, as its measures are taken.
 *
 * @param all outcomes of its trial
 */
public record Judged(Scale scale, Trial trial, Arm arm, ArmOutcome outcome, Outcomes all) {
  /** Of four answers one is right. */
  private static final double GUESSED = 0.25;

  /**
   * The same as if the arm's model knew only how often each byte comes in the test's own text, and
   * guessed answers.
   */
  public Judged unlearned() {
    Map<String, Double> losses = new TreeMap<>();
    for (String domain : outcome.test().losses().keySet()) {
      losses.put(domain, ByteEntropy.of(trial.test().domains().getOrDefault(domain, List.of())));
    }
    Map<String, Double> accuracy = new TreeMap<>();
    outcome.test().accuracy().keySet().forEach(kind -> accuracy.put(kind, GUESSED));
    return new Judged(scale, trial, arm, outcome.tested(new TestedModel(losses, accuracy)), all);
  }
}
