package io.sluice.jobs.simulation;

import io.sluice.jobs.mix.stream.StreamRecord;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunSpec;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.Supply;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.TrainerProgress;
import java.util.List;
import java.util.Optional;

/**
 * How the parts of the loop keep to the grant protocol where they meet: as it says. Each broken
 * reading of it overrides what it gets wrong.
 */
class Conduct {
  /** What a controller makes of a record of the control log that is its run's. */
  ControlRecord follow(Instance instance, ControlRecord record, long offset) {
    return record;
  }

  /** The snapshot that a reader of a run's log begins with; empty: it begins at the start. */
  Optional<ControlLog.Logged> beginning(ControlLog log, String runId) {
    return log.believed(runId);
  }

  /** What a controller makes of a command. */
  RunCommand command(Instance instance, RunCommand command) {
    return command;
  }

  /** Whether a controller forgets at a rewind what was reported before. */
  boolean forgetsReportsAtRewind() {
    return false;
  }

  /** What a controller makes of a report. */
  List<TrainerFeedback> report(Instance instance, TrainerFeedback feedback) {
    return List.of(feedback);
  }

  /** What a controller makes of a trainer's progress. */
  TrainerProgress progress(Instance instance, TrainerProgress progress) {
    return progress;
  }

  /** What an instance makes of a bound of supply. */
  Supply supply(Supply supply) {
    return supply;
  }

  /** What an instance sends of what its controllers propose. */
  List<ControlRecord> propose(Instance instance, List<ControlRecord> proposals) {
    return proposals;
  }

  /** Whether an instance's controllers believe that a sent proposal has won. */
  boolean trustsOwnProposals(Instance instance) {
    return instance.isPipelining();
  }

  /** An instance has gone on from a checkpoint at which it awaited these proposals. */
  void restored(Instance instance, List<ControlRecord> inFlight) {}

  /** What a split makes of a record of the control log that is its run's. */
  ControlRecord sequence(Writer writer, ControlRecord record, long offset) {
    return record;
  }

  /** Whether a split first finishes the batches that a rewind leaves to it. */
  boolean finishesBeforeRewind() {
    return true;
  }

  /** Whether a writer stops for good when a write has failed. */
  boolean stopsAtFailure() {
    return true;
  }

  /** Records of a partition that a writer may have on their way, as one without state thinks. */
  long windowOfStream() {
    return Writer.WINDOW;
  }

  /** Whether the stream is flushed before a checkpoint. */
  boolean flushesBeforeCheckpoint() {
    return true;
  }

  /** Whether a trainer's checkpoint waits until its feedback is acknowledged. */
  boolean awaitsAcknowledgement() {
    return true;
  }

  /** The first batch that is left of a run's stream when a controller says that one. */
  long cut(RunModel run, long before) {
    return before;
  }

  /** Batches between two reports of a trainer's progress. */
  long progressInterval(RunSpec spec) {
    return 1;
  }

  /** Whether a trainer that waits says again what it said last. */
  boolean repeats() {
    return true;
  }

  /** Whether a trainer heeds the log when that says that the run was rewound. */
  boolean heedsRewinds() {
    return true;
  }

  /** A rank goes on from a checkpoint, if that is the run's. */
  void resume(SimulatedReader reader, String state) {
    reader.resume(state);
  }

  /** What a trainer does with a record; it goes on with the reader that is returned. */
  SimulatedReader read(RunModel run, SimulatedReader reader, int partition, StreamRecord record) {
    reader.offer(partition, StreamHeader.decode(record.header()), record.value().array());
    return reader;
  }
}
