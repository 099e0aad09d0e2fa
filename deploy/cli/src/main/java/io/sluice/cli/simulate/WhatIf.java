package io.sluice.cli.simulate;

import io.sluice.control.error.BadInputException;
import io.sluice.control.feedback.RunRecording;
import io.sluice.control.feedback.StandingRounds;
import io.sluice.control.runs.PolicySettingsSection;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.policy.Cadence;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.replay.Replay;
import io.sluice.mixture.simulate.Candidate;
import io.sluice.mixture.simulate.Comparison;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RequiredMetric;
import io.sluice.schema.RunSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * What policies would have decided on what was measured in a run.
 *
 * @param every batches between two rounds
 * @param base step of the round before the first
 * @param steps of the rounds
 */
record WhatIf(StandingRounds run, long every, long base, List<Long> steps) {
  private static final int MOST_NAMED = 20;

  /**
   * The question for a run.
   *
   * @param asked batches between two rounds; null for the run's
   * @throws BadInputException if there is no round
   */
  static WhatIf of(StandingRounds run, @Nullable Long asked) {
    long own = run.settings().updateEvery();
    long granted = run.run().state().position().granted();
    long every = asked == null ? own : asked;
    if (every < 1 || every > Math.max(granted, own)) {
      throw new BadInputException(
          "--every must be in [1, %d]%s: %s"
              .formatted(
                  Math.max(granted, 1),
                  own == 0 ? ", and given, since run '" + run.run().name() + "' has no rounds" : "",
                  asked == null ? "not given" : asked));
    }
    WhatIf question = every == own ? new WhatIf(run, own, run.base(), run.steps()) : at(run, every);
    if (question.steps().isEmpty()) {
      throw new BadInputException(
          "run '%s' must have closed a round after batch %d to be asked: it is at batch %d"
              .formatted(run.run().name(), question.base(), granted));
    }
    return question;
  }

  private static WhatIf at(StandingRounds run, long every) {
    long base = -Math.floorDiv(-run.begin().batch(), every) * every;
    long last = run.run().state().position().granted() / every;
    List<Long> steps =
        LongStream.rangeClosed(base / every + 1, last).mapToObj(round -> round * every).toList();
    return new WhatIf(run, every, base, steps);
  }

  /**
   * The candidates' decisions beside the run's and the static mixture's.
   *
   * @throws BadInputException if a candidate needs what was not sent
   */
  WhatIfReport answer(KafkaAccess access, List<Candidate> candidates) {
    Map<String, Replay> replays = new LinkedHashMap<>();
    replays.put(Comparison.STATIC, begun(constant()));
    candidates.forEach(candidate -> replays.put(candidate.label(), begun(completed(candidate))));
    OwnReplay own = OwnReplay.of(this);
    List<Replay> all = new ArrayList<>(replays.values());
    own.replay().ifPresent(all::add);
    RunRecording recording = read(access, all);
    List<WhatIfReport.Row> rows = new ArrayList<>();
    rows.add(new WhatIfReport.Row("run", run.begin().decided(), own.logged()));
    replays.forEach(
        (label, replay) -> {
          require(label, replay, recording);
          rows.add(new WhatIfReport.Row(label, replay.weights(), rounds(replay, recording)));
        });
    return new WhatIfReport(
        this, rows, recording.losses(), recording.sent(), own.judged(r -> rounds(r, recording)));
  }

  private RunRecording read(KafkaAccess access, List<Replay> replays) {
    Set<Long> wantedSteps = new TreeSet<>(steps);
    wantedSteps.add(base);
    Set<String> metrics = new TreeSet<>(Set.of(Metrics.EVAL_LOSS));
    Set<Map<String, List<String>>> measured = new HashSet<>();
    for (Replay replay : replays) {
      metrics.addAll(replay.metrics());
      measured.add(replay.measured());
    }
    return RunRecording.read(access, run, wantedSteps, metrics, measured);
  }

  List<Replay.Round> rounds(Replay replay, RunRecording recording) {
    Map<String, List<String>> measured = replay.measured();
    return replay.rounds(base, steps, (step, metrics) -> recording.at(step, metrics, measured));
  }

  private Replay begun(Candidate candidate) {
    RunSettings settings = run.settings();
    Cadence cadence = new Cadence(every, settings.lag(), settings.batchSizes(), settings.batches());
    return Replay.begun(candidate, settings.domains(), cadence, run.initial());
  }

  private static Candidate constant() {
    return new Candidate(Comparison.STATIC, Comparison.STATIC, Map.of(), Map.of());
  }

  /** With what the run's file says, where the candidate does not. */
  private Candidate completed(Candidate candidate) {
    RunSpec spec = run.run().spec();
    Map<String, String> settings = new TreeMap<>();
    if (candidate.policy().equals(run.settings().policyName())) {
      settings.putAll(run.settings().policySettings());
    }
    settings.putAll(
        PolicySettingsSection.inSequences(candidate.settings(), spec::getSequenceLength));
    return new Candidate(
        candidate.label(),
        candidate.policy(),
        settings,
        candidate.guards().isEmpty() ? spec.getSmoothing() : candidate.guards());
  }

  private static String of(@Nullable List<String> names) {
    if (names == null) {
      return "";
    }
    boolean all = names.size() <= MOST_NAMED;
    return " of "
        + (all ? names : names.subList(0, MOST_NAMED) + " and " + (names.size() - MOST_NAMED));
  }

  private void require(String label, Replay replay, RunRecording recording) {
    Map<String, List<String>> measured = replay.measured();
    List<String> missing =
        replay.metrics().stream().filter(metric -> !recording.has(metric, measured)).toList();
    if (!missing.isEmpty()) {
      throw new BadInputException(
          ("policy %s needs %s, which the trainers of run '%s' did not send at the steps of its"
                  + " rounds, every %d: they sent %s")
              .formatted(
                  label,
                  missing.stream()
                      .map(metric -> metric + of(measured.get(metric)))
                      .collect(Collectors.joining(", ")),
                  run.run().name(),
                  every,
                  recording.sent()));
    }
    for (RequiredMetric sent :
        Objects.requireNonNullElse(run.run().spec().getMetrics(), List.<RequiredMetric>of())) {
      Set<String> wanted = new TreeSet<>(replay.targetDomains(sent.getName()));
      Set<String> had = new TreeSet<>(sent.getTargets());
      if (!wanted.isEmpty() && !had.isEmpty() && !wanted.equals(had)) {
        throw new BadInputException(
            "policy %s needs %s against %s, and run '%s' has it against %s"
                .formatted(label, sent.getName(), wanted, run.run().name(), had));
      }
    }
  }
}
