package io.sluice.control.controller;

import io.sluice.control.wire.FeedbackWire;
import io.sluice.mixture.decide.RunPolicy;
import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.round.Refusals;
import io.sluice.mixture.round.Report;
import io.sluice.mixture.round.StepReports;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.WireCodec;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the trainers have measured, as far as it can still decide something.
 *
 * <p>Nobody has trained on more batches than are granted. A report of more is either wrong, or the
 * control log has not been read as far as the feedback: it is held, in the order of arrival, until
 * the log has been. So is every report while the run's policy, which says what is measured, is not
 * on the class path. What a run keeps is bounded: the rounds that its grants reach, and {@link
 * #MAX_HELD} held reports.
 */
final class FeedbackStore {
  static final int MAX_HELD = 4096;
  private static final long MAX_HELD_BYTES = 64 << 20;
  private static final String HELD = "held/";

  private final StepReports reports;
  private final StoredQueue<Place> held;
  private final RunPolicy policies;
  private final RunJournal notes;
  private final TrainerRegistry trainers;

  /** Where in the log a report can be judged. */
  private record Place(int timeline, long step) {
    static Place of(TrainerFeedback feedback) {
      return new Place(feedback.getTimeline(), feedback.getStep());
    }

    /**
     * Whether the log has not been read as far as the feedback. Then nothing of it can be judged:
     * the run may have another policy by its step.
     */
    boolean isAhead(LogPosition at) {
      return timeline > at.timeline() || (timeline == at.timeline() && step > at.granted());
    }
  }

  /**
   * The reports that were kept.
   *
   * @param parts everything in the store
   * @param policies which say what is measured
   * @param notes where refusals are written down
   * @param trainers who say what they measure
   */
  FeedbackStore(
      RunStore store,
      Map<String, byte[]> parts,
      RunPolicy policies,
      RunJournal notes,
      TrainerRegistry trainers) {
    this.reports = StoredReports.open(store, parts);
    this.held = new StoredQueue<>(store, HELD, parts, bytes -> Place.of(decode(bytes)));
    this.policies = policies;
    this.notes = notes;
    this.trainers = trainers;
  }

  /**
   * Takes a report.
   *
   * @param state null before the run's start is read
   */
  void hear(TrainerFeedback feedback, @Nullable RunState state) {
    if (state == null) {
      hold(feedback);
    } else if (!state.phase().ended()) {
      judge(feedback, state);
    }
  }

  private void judge(TrainerFeedback feedback, RunState state) {
    if (isUndecided(state) || Place.of(feedback).isAhead(state.position())) {
      hold(feedback);
    } else if (state.settings().updateEvery() > 0) {
      weigh(feedback, state, policies.of(state.settings()));
    }
  }

  /** Whether nobody can say yet what becomes of any report. */
  private boolean isUndecided(RunState state) {
    return state.settings().updateEvery() > 0 && policies.find(state.settings()).isEmpty();
  }

  private void weigh(TrainerFeedback feedback, RunState state, Policy policy) {
    String metric = feedback.getMetric();
    boolean asked = policy.metrics().contains(metric);
    if (!asked && (Metrics.isKnown(metric) || trainers.measure(metric))) {
      // For people, or for other policies: nothing is wrong with it.
      return;
    }
    Report report;
    try {
      report = FeedbackWire.read(feedback, policy.axis(metric).names(state.settings().domains()));
    } catch (IllegalArgumentException e) {
      refuse(feedback, "feedback " + e.getMessage());
      return;
    }
    report
        .refusal(state, policy)
        .or(() -> offer(report))
        .ifPresent(reason -> refuse(feedback, reason));
  }

  /** Takes a report; a reason if it does not count. */
  private Optional<String> offer(Report report) {
    return switch (reports.offer(report)) {
      case COUNTED -> Optional.empty();
      case DUPLICATE -> Optional.of(Refusals.REPEATED);
      case DECIDED -> Optional.of(Refusals.DECIDED + heard(report));
      case TOO_MANY -> Optional.of("too many measurements of the step are open" + heard(report));
      case WORLD_SIZE_DIFFERS ->
          Optional.of("world size differs from the attempt's first report" + heard(report));
    };
  }

  private String heard(Report report) {
    return " (" + reports.heard(report.step()) + ")";
  }

  /** The oldest goes first when there is too much: its round is the likeliest to be closed. */
  private void hold(TrainerFeedback feedback) {
    held.add(WireCodec.encode(feedback));
    while (held.size() > MAX_HELD || held.bytes() > MAX_HELD_BYTES) {
      refuse(
          decode(held.removeFirst()),
          "more than " + MAX_HELD + " reports are of batches that are not granted");
    }
  }

  private static TrainerFeedback decode(byte[] bytes) {
    return WireCodec.decode(TrainerFeedback.class, bytes);
  }

  private void refuse(TrainerFeedback feedback, String reason) {
    notes.refuseFeedback(
        reason,
        "step %d, rank %d of %d: "
            .formatted(feedback.getStep(), feedback.getRank(), feedback.getWorldSize()));
  }

  /** Forgets what is decided, and takes up what was held for it. */
  void follow(RunState state) {
    if (state.phase().ended()) {
      reports.clear();
      held.takeIf(place -> true);
      return;
    }
    reports.follow(state, policies.find(state.settings()));
    if (!isUndecided(state)) {
      held.takeIf(place -> !place.isAhead(state.position()))
          .forEach(bytes -> hear(decode(bytes), state));
    }
  }

  /** The reports that can still decide something. */
  StepReports reports() {
    return reports;
  }
}
