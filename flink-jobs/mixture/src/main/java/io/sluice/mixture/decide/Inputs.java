package io.sluice.mixture.decide;

import io.sluice.mixture.round.StepReports;
import java.util.List;

/**
 * What decisions are made from, besides the log.
 *
 * @param reports that have arrived
 * @param supply one for each domain of each lane, lane-major
 * @param trainers how far they are
 * @param commands not yet applied, oldest first
 * @param waitedMillis how long the open round has been waited for since a trainer reached its step
 */
public record Inputs(
    StepReports reports,
    List<DomainSupply> supply,
    Trainers trainers,
    List<Command> commands,
    long waitedMillis) {
  /** Copies the lists. */
  public Inputs {
    supply = List.copyOf(supply);
    commands = List.copyOf(commands);
  }

  /**
   * What is known of a run's trainers.
   *
   * @param progress last batch of the current lineage that a trainer has reported
   * @param kept batch of the oldest checkpoint that they keep, after which the stream is needed;
   *     what the run began after while some rank has named none
   * @param reportEvery batches between two of their progress reports; 0 while that is not known
   * @param idleMillis how long ago the progress last changed, as far as that is known
   * @param lacking metrics that the policy needs and no attached trainer measures, and who they
   *     are, for people; '' if there are none, or nobody is attached
   */
  public record Trainers(
      long progress, long kept, long reportEvery, long idleMillis, String lacking) {
    /** Trainers of whom only the progress is known. */
    public Trainers(long progress) {
      this(progress, 0, 0, 0, "");
    }
  }
}
