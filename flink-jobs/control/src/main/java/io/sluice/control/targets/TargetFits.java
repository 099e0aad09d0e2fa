package io.sluice.control.targets;

import io.sluice.control.error.BadInputException;
import io.sluice.mixture.targets.SettlingRule;
import io.sluice.mixture.targets.TargetEstimate;
import java.util.ArrayList;
import java.util.List;

/**
 * The target losses that a run's measurements give.
 *
 * @param at tokens that the targets are for
 * @param status of the whole estimation
 * @param lastMove the most that the last measurement moved a target, in nats; NaN before there are
 *     enough to tell
 */
public record TargetFits(
    double at, List<DomainTarget> domains, SettlingRule.Status status, double lastMove) {
  public static final SettlingRule RULE = SettlingRule.DEFAULT;

  /**
   * What one domain came to.
   *
   * @param initialLoss before training; infinite if it was not measured
   * @param tokens at each measurement since
   * @param losses at each measurement since
   */
  public record DomainTarget(
      String domain,
      double initialLoss,
      double[] tokens,
      double[] losses,
      TargetEstimate estimate) {}

  public TargetFits {
    domains = List.copyOf(domains);
  }

  /**
   * Fits every domain.
   *
   * @throws BadInputException if a domain was never measured after training began
   */
  public static TargetFits of(LossHistory history, double at) {
    List<DomainTarget> targets = new ArrayList<>();
    for (int i = 0; i < history.domains().size(); i++) {
      targets.add(target(history, i, at));
    }
    double[] initial = targets.stream().mapToDouble(DomainTarget::initialLoss).toArray();
    List<LossHistory.Round> complete =
        history.rounds().values().stream()
            .filter(round -> round.tokens() > 0 && round.isComplete())
            .toList();
    double[] tokens = complete.stream().mapToDouble(LossHistory.Round::tokens).toArray();
    List<double[]> losses = new ArrayList<>();
    for (int i = 0; i < initial.length; i++) {
      int domain = i;
      losses.add(complete.stream().mapToDouble(round -> round.losses()[domain]).toArray());
    }
    int points = tokens.length;
    double moved = RULE.lastMove(tokens, losses, initial, at);
    double used = points == 0 ? 0 : tokens[points - 1] / at;
    return new TargetFits(at, targets, RULE.status(points, moved, used), moved);
  }

  private static DomainTarget target(LossHistory history, int domain, double at) {
    double initial = Double.POSITIVE_INFINITY;
    List<Double> tokens = new ArrayList<>();
    List<Double> losses = new ArrayList<>();
    for (LossHistory.Round round : history.rounds().values()) {
      double loss = round.losses()[domain];
      if (!Double.isNaN(loss) && round.tokens() == 0) {
        initial = loss;
      } else if (!Double.isNaN(loss)) {
        tokens.add(round.tokens());
        losses.add(loss);
      }
    }
    String name = history.domains().get(domain);
    if (losses.isEmpty()) {
      throw new BadInputException(
          "losses of " + name + " must be measured at least once after training began: none");
    }
    double[] x = tokens.stream().mapToDouble(d -> d).toArray();
    double[] y = losses.stream().mapToDouble(d -> d).toArray();
    return new DomainTarget(name, initial, x, y, TargetEstimate.of(x, y, initial, at));
  }
}
