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
    LATEST_RECORD_WINS(BrokenReadings.LatestRecordWins::new),
    NEWEST_SNAPSHOT_BELIEVED(BrokenReadings.NewestSnapshotBelieved::new),
    SNAPSHOT_NOT_COMPARED(BrokenReadings.SnapshotNotCompared::new),
    OWN_PROPOSALS_TRUSTED(BrokenReadings.OwnProposalsTrusted::new),
    BASE_IGNORED(BrokenReadings.BaseIgnored::new),
    IN_FLIGHT_RESTORED(BrokenReadings.InFlightRestored::new),
    OWN_POLICY_STATE_KEPT(BrokenReadings.OwnPolicyStateKept::new),
    TIME_OUT_DECIDED_LOCALLY(BrokenReadings.TimeOutDecidedLocally::new),
    OWN_PLAN_KEPT(BrokenReadings.OwnPlanKept::new),
    OWN_SETTINGS(BrokenReadings.OwnSettings::new),
    EFFECTIVE_WEIGHTS_KEPT(BrokenReadings.EffectiveWeightsKept::new),
    ATTEMPT_IGNORED(BrokenReadings.AttemptIgnored::new),
    LAST_VALUE_WINS(BrokenReadings.LastValueWins::new),
    OPEN_ROUND_FED(BrokenReadings.OpenRoundFed::new),
    LEAD_FROM_GRANTS(BrokenConduct.LeadFromGrants::new),
    PROGRESS_TOO_RARE(BrokenConduct.ProgressTooRare::new),
    SUPPLY_OVER_REPORTED(BrokenConduct.SupplyOverReported::new),
    END_FROM_CURRENT_OFFSET(BrokenConduct.EndFromCurrentOffset::new),
    ENDED_DOMAIN_SEATED(BrokenConduct.EndedDomainSeated::new),
    CHECKPOINT_UNFLUSHED(BrokenConduct.CheckpointUnflushed::new),
    FAILURE_PASSED_OVER(BrokenConduct.FailurePassedOver::new),
    LAST_HEADER_BELIEVED(BrokenConduct.LastHeaderBelieved::new),
    FEEDBACK_UNACKNOWLEDGED(BrokenConduct.FeedbackUnacknowledged::new),
    PROGRESS_SENT_ONCE(BrokenConduct.ProgressSentOnce::new),
    EARLY_SEQUENCE_FATAL(BrokenConduct.EarlySequenceFatal::new),
    MISSING_SEQUENCES_SKIPPED(BrokenConduct.MissingSequencesSkipped::new),
    RECLAIM_TO_PROGRESS(BrokenConduct.ReclaimToProgress::new),
    LEAD_FROM_ALL_TIME(BrokenTimelines.LeadFromAllTime::new),
    FEEDBACK_FORGOTTEN(BrokenTimelines.FeedbackForgotten::new),
    REWIND_UNCHECKED(BrokenTimelines.RewindUnchecked::new),
    ERROR_NOT_REWOUND(BrokenTimelines.ErrorNotRewound::new),
    ROUNDS_NOT_REWOUND(BrokenTimelines.RoundsNotRewound::new),
    SPLIT_JUMPS(BrokenTimelines.SplitJumps::new),
    NEWER_TIMELINE_DROPPED(BrokenTimelines.NewerTimelineDropped::new),
    TIMELINE_IGNORED(BrokenTimelines.TimelineIgnored::new),
    DEAD_BRANCH_RESTORED(BrokenTimelines.DeadBranchRestored::new);

    private final Supplier<Conduct> conduct;

    Reading(Supplier<Conduct> conduct) {
      this.conduct = conduct;
    }
  }

  @ParameterizedTest
  @EnumSource(Reading.class)
  void isFound(Reading reading, TestReporter reporter) {
    OptionalInt found = OptionalInt.empty();
    for (int first = 1; first <= SEEDS && found.isEmpty(); first += AT_ONCE) {
      found =
          IntStream.range(first, first + AT_ONCE)
              .parallel()
              .filter(seed -> breaks(seed, reading))
              .min();
    }
    assertThat(found).as("a seed of %d that %s fails", SEEDS, reading).isPresent();
    reporter.publishEntry(reading.name(), "found by seed " + found.getAsInt());
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
