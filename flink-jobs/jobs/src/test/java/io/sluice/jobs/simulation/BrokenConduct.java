package io.sluice.jobs.simulation;

import io.sluice.jobs.mix.stream.StreamRecord;
import io.sluice.schema.RunSpec;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.Supply;
import io.sluice.schema.TrainerProgress;

/** Readings of the grant protocol that fail, as far as supply, stream and trainers go. */
final class BrokenConduct {
  private BrokenConduct() {}

  /** The stream may run ahead of what is granted, not of the trainers. */
  static final class LeadFromGrants extends Conduct {
    @Override
    TrainerProgress progress(Instance instance, TrainerProgress progress) {
      TrainerProgress wrong = TrainerProgress.newBuilder(progress).build();
      instance
          .fold(progress.getRunId())
          .ifPresent(fold -> wrong.setBatch(fold.position().granted()));
      return wrong;
    }
  }

  /** Trainers say how far they are less often than the lead lets them go. */
  static final class ProgressTooRare extends Conduct {
    @Override
    long progressInterval(RunSpec spec) {
      return spec.getLead() + 1;
    }
  }

  /** More blocks are reported than are committed. */
  static final class SupplyOverReported extends Conduct {
    @Override
    Supply supply(Supply supply) {
      return supply.getEnded()
          ? supply
          : Supply.newBuilder(supply).setBlocks(supply.getBlocks() + 5).build();
    }
  }

  /** What is there now is all that there will be. */
  static final class EndFromCurrentOffset extends Conduct {
    @Override
    Supply supply(Supply supply) {
      return Supply.newBuilder(supply).setEnded(true).build();
    }
  }

  /** An ended domain still gets seats. */
  static final class EndedDomainSeated extends Conduct {
    @Override
    Supply supply(Supply supply) {
      return supply.getEnded()
          ? Supply.newBuilder(supply).setEnded(false).setBlocks(1_000_000).build()
          : supply;
    }
  }

  /** A checkpoint does not wait for what was emitted before it. */
  static final class CheckpointUnflushed extends Conduct {
    @Override
    boolean flushesBeforeCheckpoint() {
      return false;
    }
  }

  /** A writer goes on after a failed write. */
  static final class FailurePassedOver extends Conduct {
    @Override
    boolean stopsAtFailure() {
      return false;
    }
  }

  /** A writer without state goes on after the last record of each partition. */
  static final class LastHeaderBelieved extends Conduct {
    @Override
    long windowOfStream() {
      return -1;
    }
  }

  /** A trainer's checkpoint does not wait for its feedback. */
  static final class FeedbackUnacknowledged extends Conduct {
    @Override
    boolean awaitsAcknowledgement() {
      return false;
    }
  }

  /** What a trainer has said, and was told to have arrived, it never says again. */
  static final class ProgressSentOnce extends Conduct {
    @Override
    boolean repeats() {
      return false;
    }
  }

  /** A sequence that comes too early ends the reading. */
  static final class EarlySequenceFatal extends Conduct {
    @Override
    SimulatedReader read(RunModel run, SimulatedReader reader, int partition, StreamRecord record) {
      long index = StreamHeader.decode(record.header()).index();
      if (index > reader.expected(partition)) {
        throw new Violation(run.id() + ": the stream cannot be read on from sequence " + index);
      }
      return super.read(run, reader, partition, record);
    }
  }

  /** A sequence that comes too early is where reading goes on. */
  static final class MissingSequencesSkipped extends Conduct {
    @Override
    SimulatedReader read(RunModel run, SimulatedReader reader, int partition, StreamRecord record) {
      StreamHeader header = StreamHeader.decode(record.header());
      SimulatedReader next =
          header.index() > reader.expected(partition) ? reader.jumpingTo(header) : reader;
      return super.read(run, next, partition, record);
    }
  }

  /** A stream is reclaimed up to where its trainers are. */
  static final class ReclaimToProgress extends Conduct {
    @Override
    long cut(RunModel run, long before) {
      ControlTruth control = run.control();
      return run.progress(control.lineage().current(), control.granted()) + 1;
    }
  }
}
