package io.sluice.lab.reproduce;

import io.sluice.lab.reproduce.arm.Arm;
import io.sluice.lab.reproduce.arm.ArmOutcome;
import io.sluice.lab.reproduce.arm.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** How far an experiment's arms are: a line for each that has ended. */
final class ArmProgress {
  private final Consumer<String> say;
  private final LongSupplier nanoTime;
  private final List<Trials.Ended> ended = new ArrayList<>();
  private int arms;
  private long begun;

  /**
   * Progress of nothing yet.
   *
   * @param say told a line at a time
   */
  ArmProgress(Consumer<String> say, LongSupplier nanoTime) {
    this.say = say;
    this.nanoTime = nanoTime;
  }

  /** Begins to count the time of so many arms. */
  void begin(int arms) {
    this.arms = arms;
    begun = nanoTime.getAsLong();
  }

  /** Leaves out so many arms, which had ended before. */
  void without(int before) {
    arms -= before;
  }

  /** Says that an arm has ended, and about how long the others will take. */
  void ended(Trials.Ended one) {
    ended.add(one);
    double seconds = (nanoTime.getAsLong() - begun) / 1e9;
    double left = seconds / ended.size() * (arms - ended.size());
    say.accept(
        String.format(
            Locale.ROOT,
            "%3d of %d, about %.0f min left: seed %d, %s: %s",
            ended.size(),
            arms,
            left / 60,
            one.trial().seed(),
            one.trial().named(one.arm()),
            cameTo(one)));
  }

  /** The arms that have ended, in this order. */
  List<Trials.Ended> all() {
    return List.copyOf(ended);
  }

  /** Why an arm failed that was run and has no outcome. */
  Optional<String> failure(Trial trial, Arm arm) {
    return ended.stream()
        .filter(each -> each.trial().id().equals(trial.id()) && each.arm().equals(arm))
        .map(Trials.Ended::failure)
        .findFirst();
  }

  private static String cameTo(Trials.Ended one) {
    ArmOutcome outcome = one.outcome();
    if (outcome == null) {
      return "FAILED: " + one.failure();
    }
    // What the test says is for the end.
    return String.format(Locale.ROOT, "held-out loss %.4f", heldOutLoss(outcome));
  }

  private static double heldOutLoss(ArmOutcome outcome) {
    return outcome.lastLosses().values().stream().mapToDouble(d -> d).average().orElse(0);
  }
}
