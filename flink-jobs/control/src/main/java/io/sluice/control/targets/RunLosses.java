package io.sluice.control.targets;

import io.sluice.control.error.BadInputException;
import io.sluice.control.feedback.DomainReports;
import io.sluice.control.feedback.RunFeedback;
import io.sluice.control.history.MixtureVersions;
import io.sluice.control.history.RunFold;
import io.sluice.control.history.RunLogs;
import io.sluice.control.history.RunStart;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.round.StepReports;
import io.sluice.schema.KafkaAccess;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The held-out losses that a run's trainers reported, merged over their ranks: those of the batches
 * that stand, so that of what was rewound only the last time counts.
 */
public final class RunLosses {
  private final RunFold run;
  private final RunSettings settings;
  private final Weights begins;
  private final boolean weightsMoved;
  private final StepReports reports = new StepReports();
  private final DomainReports read;

  private RunLosses(RunFold run, Weights begins, boolean weightsMoved) {
    this.run = run;
    this.begins = begins;
    this.settings = run.state().settings();
    this.weightsMoved = weightsMoved;
    this.read = new DomainReports(settings.domains());
  }

  /**
   * The losses of the run that was last started under a name, from its feedback topic.
   *
   * @throws BadInputException if there is no such run
   */
  public static LossHistory read(KafkaAccess access, String run) {
    RunLosses losses = of(access, run);
    losses.readFeedback(access);
    return losses.history();
  }

  /**
   * The losses of an estimation run that has ended, without those of its warm-up.
   *
   * @throws BadInputException if there is no such run, or it goes on
   */
  public static LossHistory ofEnded(KafkaAccess access, String run) {
    RunLosses losses = of(access, run);
    RunFold fold = losses.run;
    if (!fold.state().phase().ended()) {
      throw new BadInputException(
          "targets must be from a run that has ended: "
              + run
              + " is "
              + fold.state().phase().wireName());
    }
    losses.readFeedback(access);
    String warmUp = fold.spec().getPolicySettings().getOrDefault("warm-up", "0");
    boolean estimates = fold.spec().getPolicy().equals("estimate-targets");
    return losses.history().after(estimates ? (long) Double.parseDouble(warmUp) : 0);
  }

  private static RunLosses of(KafkaAccess access, String run) {
    RunLogs logs = RunLogs.of(access);
    RunStart start = logs.require(run);
    MixtureVersions versions = new MixtureVersions();
    Set<Weights> weights = new HashSet<>();
    List<Weights> begins = new ArrayList<>();
    RunFold fold =
        logs.fold(
            start,
            entry -> {
              if (entry.body() instanceof ControlEntry.Started started) {
                begins.add(started.snapshot().decided());
              }
              versions
                  .next(entry)
                  // Two are as good as many.
                  .filter(version -> weights.size() < 2)
                  .ifPresent(version -> weights.add(version.weights()));
            });
    return new RunLosses(fold, begins.get(0), weights.size() > 1);
  }

  private void readFeedback(KafkaAccess access) {
    RunFeedback.read(
        access,
        run,
        feedback -> {
          if (feedback.getMetric().equals(Metrics.EVAL_LOSS)) {
            reports.offer(read.read(feedback));
          }
        });
  }

  private LossHistory history() {
    SortedMap<Long, LossHistory.Round> rounds = new TreeMap<>();
    for (long step : reports.steps()) {
      reports
          .winner(step, List.of(Metrics.EVAL_LOSS))
          .ifPresent(winner -> rounds.put(step, round(step, winner.observation())));
    }
    long batches = settings.batches();
    return new LossHistory(
        settings.domains(),
        // A domain that was added later began with nothing.
        Arrays.copyOf(begins.shares(), settings.domains().size()),
        rounds,
        batches == 0 ? OptionalDouble.empty() : OptionalDouble.of(tokensAt(batches)),
        weightsMoved);
  }

  private LossHistory.Round round(long step, Observation heard) {
    return new LossHistory.Round(
        tokensAt(step), heard.means(Metrics.EVAL_LOSS), heard.counts(Metrics.EVAL_LOSS));
  }

  /** Tokens of the first {@code step} batches, whose size may change on the way. */
  private double tokensAt(long step) {
    return (double) settings.cadence().sequencesIn(step) * run.spec().getSequenceLength();
  }
}
