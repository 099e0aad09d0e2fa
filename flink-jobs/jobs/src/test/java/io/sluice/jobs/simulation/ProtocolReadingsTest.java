package io.sluice.jobs.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every reading of the grant protocol that fails is found by the simulation. */
class ProtocolReadingsTest {
  private static final int SEEDS = 1_000;

  /** Whatever the number of processors, the seed that is found is the same. */
  private static final int AT_ONCE = 4;

  private enum Reading {
    LATEST_RECORD_WINS(2, BrokenReadings.LatestRecordWins::new),
    NEWEST_SNAPSHOT_BELIEVED(2, BrokenReadings.NewestSnapshotBelieved::new),
    SNAPSHOT_NOT_COMPARED(1, BrokenReadings.SnapshotNotCompared::new),
    OWN_PROPOSALS_TRUSTED(1, BrokenReadings.OwnProposalsTrusted::new),
    BASE_IGNORED(6, BrokenReadings.BaseIgnored::new),
    IN_FLIGHT_RESTORED(14, BrokenReadings.InFlightRestored::new),
    OWN_POLICY_STATE_KEPT(1, BrokenReadings.OwnPolicyStateKept::new),
    TIME_OUT_DECIDED_LOCALLY(159, BrokenReadings.TimeOutDecidedLocally::new),
    OWN_PLAN_KEPT(1, BrokenReadings.OwnPlanKept::new),
    OWN_SETTINGS(2, BrokenReadings.OwnSettings::new),
    EFFECTIVE_WEIGHTS_KEPT(1, BrokenReadings.EffectiveWeightsKept::new),
    ATTEMPT_IGNORED(4, BrokenReadings.AttemptIgnored::new),
    LAST_VALUE_WINS(1, BrokenReadings.LastValueWins::new),
    OPEN_ROUND_FED(3, BrokenReadings.OpenRoundFed::new),
    LEAD_FROM_GRANTS(6, BrokenConduct.LeadFromGrants::new),
    PROGRESS_TOO_RARE(1, BrokenConduct.ProgressTooRare::new),
    SUPPLY_OVER_REPORTED(2, BrokenConduct.SupplyOverReported::new),
    END_FROM_CURRENT_OFFSET(1, BrokenConduct.EndFromCurrentOffset::new),
    ENDED_DOMAIN_SEATED(1, BrokenConduct.EndedDomainSeated::new),
    CHECKPOINT_UNFLUSHED(16, BrokenConduct.CheckpointUnflushed::new),
    FAILURE_PASSED_OVER(15, BrokenConduct.FailurePassedOver::new),
    LAST_HEADER_BELIEVED(21, BrokenConduct.LastHeaderBelieved::new),
    FEEDBACK_UNACKNOWLEDGED(10, BrokenConduct.FeedbackUnacknowledged::new),
    PROGRESS_SENT_ONCE(33, BrokenConduct.ProgressSentOnce::new),
    EARLY_SEQUENCE_FATAL(1, BrokenConduct.EarlySequenceFatal::new),
    MISSING_SEQUENCES_SKIPPED(14, BrokenConduct.MissingSequencesSkipped::new),
    RECLAIM_TO_PROGRESS(1, BrokenConduct.ReclaimToProgress::new),
    LEAD_FROM_ALL_TIME(28, BrokenTimelines.LeadFromAllTime::new),
    FEEDBACK_FORGOTTEN(4, BrokenTimelines.FeedbackForgotten::new),
    REWIND_UNCHECKED(3, BrokenTimelines.RewindUnchecked::new),
    ERROR_NOT_REWOUND(5, BrokenTimelines.ErrorNotRewound::new),
    ROUNDS_NOT_REWOUND(20, BrokenTimelines.RoundsNotRewound::new),
    SPLIT_JUMPS(11, BrokenTimelines.SplitJumps::new),
    NEWER_TIMELINE_DROPPED(7, BrokenTimelines.NewerTimelineDropped::new),
    TIMELINE_IGNORED(5, BrokenTimelines.TimelineIgnored::new),
    DEAD_BRANCH_RESTORED(7, BrokenTimelines.DeadBranchRestored::new);

    /** Finds it, and is tried first; where it no longer does, all are. */
    private final int seed;

    private final Supplier<Conduct> conduct;

    Reading(int seed, Supplier<Conduct> conduct) {
      this.seed = seed;
      this.conduct = conduct;
    }
  }

  @ParameterizedTest
  @EnumSource(Reading.class)
  void isFound(Reading reading, TestReporter reporter) {
    int found = breaks(reading.seed, reading) ? reading.seed : search(reading);
    reporter.publishEntry(reading.name(), "found by seed " + found + ", known is " + reading.seed);
  }

  private static int search(Reading reading) {
    OptionalInt found = OptionalInt.empty();
    for (int first = 1; first <= SEEDS && found.isEmpty(); first += AT_ONCE) {
      found =
          IntStream.range(first, first + AT_ONCE)
              .parallel()
              .filter(seed -> breaks(seed, reading))
              .min();
    }
    assertThat(found).as("a seed of %d that %s fails", SEEDS, reading).isPresent();
    return found.getAsInt();
  }

  private static boolean breaks(long seed, Reading reading) {
    try {
      Simulation.run(seed, reading.conduct.get(), new Witness());
      return false;
    } catch (AssertionError found) {
      return true;
    }
  }
}
