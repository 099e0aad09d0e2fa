package io.sluice.client.run;

import io.sluice.client.error.RankTakenException;
import io.sluice.schema.ReadBatches;
import java.util.List;
import java.util.Optional;

/** Who sends feedback, and under which timelines. */
public interface FeedbackSource {
  /** The run under the specification of today. */
  RunInfo run();

  /** The rank, and whether it is the replica that reports. */
  TrainerRank rank();

  /** The timeline that owns a step. */
  int timelineOf(long step);

  /** The newest timeline that is followed. */
  int timeline();

  /** Whether the trainer is known to wait for a batch. */
  boolean waits();

  /** What the trainer's loop waited for until now; empty when that is not measured. */
  Optional<ExposedTime> exposed();

  /**
   * Digests of the batches up to this one that were handed out and not asked for yet, each once, in
   * parts that a record can say; none when nothing is read.
   */
  default List<ReadBatches> read(long batch) {
    return List.of();
  }

  /**
   * Fails once another process has the rank.
   *
   * @throws RankTakenException then
   */
  void requireHeld();

  /** One rank of one timeline. */
  static FeedbackSource fixed(RunInfo run, Reporter reporter) {
    return new FeedbackSource() {
      @Override
      public RunInfo run() {
        return run;
      }

      @Override
      public TrainerRank rank() {
        return TrainerRank.of(reporter.rank(), reporter.worldSize());
      }

      @Override
      public int timelineOf(long step) {
        return reporter.timeline();
      }

      @Override
      public int timeline() {
        return reporter.timeline();
      }

      @Override
      public boolean waits() {
        return false;
      }

      @Override
      public Optional<ExposedTime> exposed() {
        return Optional.empty();
      }

      @Override
      public void requireHeld() {
        // Nobody else is asked.
      }
    };
  }
}
