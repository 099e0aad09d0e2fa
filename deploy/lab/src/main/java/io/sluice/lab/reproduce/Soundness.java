package io.sluice.lab.reproduce;

import io.sluice.control.error.CheckFailedException;
import io.sluice.lab.reproduce.arm.Arm;
import io.sluice.lab.reproduce.arm.ArmOutcome;
import io.sluice.lab.reproduce.arm.Scale;
import io.sluice.lab.reproduce.arm.Trial;
import io.sluice.lab.reproduce.corpus.Passage;
import io.sluice.refine.twin.Signature;
import io.sluice.refine.twin.SignatureScheme;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What must hold of a trial and of an arm, lest a claim be judged by something else. */
final class Soundness {
  /** A stream follows its weights to a sequence a domain; more is left for short runs. */
  private static final double OFF = 0.02;

  private Soundness() {}

  /**
   * Refuses a trial whose training text has passages like those of its test.
   *
   * @throws CheckFailedException naming one
   */
  static void requireNoLeak(Trial trial) {
    Set<Long> tested = new HashSet<>();
    trial.test().domains().values().stream()
        .flatMap(List::stream)
        .forEach(passage -> tested.addAll(hashes(passage)));
    Set<String> seen = new HashSet<>();
    for (List<Passage> domain : trial.training().domains().values()) {
      for (Passage passage : domain) {
        // Domains may be made of the same passages, and have several copies of one.
        if (seen.add(passage.text()) && !Collections.disjoint(tested, hashes(passage))) {
          throw new CheckFailedException(
              "training text of trial "
                  + trial.id()
                  + " has what is tested, or its like: "
                  + passage.id());
        }
      }
    }
  }

  /** What passages that are like each other have in common: a band of their signatures, or all. */
  private static List<Long> hashes(Passage passage) {
    Signature signature = SignatureScheme.DEFAULT.sign(passage.text());
    List<Long> hashes = new ArrayList<>(List.of(signature.text()));
    for (int band = 0; signature.hasWords() && band < SignatureScheme.DEFAULT.bands(); band++) {
      hashes.add(signature.band(band));
    }
    return hashes;
  }

  /** What is wrong with an arm; empty if nothing is. */
  static String fault(Scale scale, Arm arm, ArmOutcome outcome) {
    if (!outcome.passed()) {
      return "the audit of its stream failed: " + outcome.audit();
    }
    double sequences = outcome.sequences().values().stream().mapToDouble(d -> d).sum();
    double wanted = (double) scale.batch() * arm.steps();
    if (sequences != wanted) {
      return String.format("it trained on %.0f of %.0f sequences", sequences, wanted);
    }
    for (Map.Entry<String, Double> weight : outcome.averageWeights().entrySet()) {
      double share = outcome.sequences().getOrDefault(weight.getKey(), 0.0) / sequences;
      if (Math.abs(share - weight.getValue()) > OFF) {
        return String.format(
            "domain %s has %.3f of its stream, its weights say %.3f",
            weight.getKey(), share, weight.getValue());
      }
    }
    return "";
  }
}
