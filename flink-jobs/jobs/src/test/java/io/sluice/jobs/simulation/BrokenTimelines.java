package io.sluice.jobs.simulation;

import io.sluice.jobs.mix.stream.StreamRecord;
import io.sluice.mixture.log.RunState;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.RewindRun;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunRevised;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.TrainerProgress;
import io.sluice.schema.WireCodec;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Readings of the grant protocol that fail when a run is rewound. */
final class BrokenTimelines {
  private BrokenTimelines() {}

  /** The record of a rewind, bent; every other as it is. */
  private static ControlRecord bend(
      ControlRecord record, Optional<RunState> fold, BiConsumer<RunRevised, RunState> how) {
    boolean rewinds =
        record.getBody() instanceof RunRevised
            && fold.isPresent()
            && record.getTimeline() > fold.get().position().timeline();
    if (!rewinds) {
      return record;
    }
    ControlRecord bent = WireCodec.decode(ControlRecord.class, WireCodec.encode(record));
    how.accept((RunRevised) bent.getBody(), fold.get());
    return bent;
  }

  /** The lead counts from the furthest that trainers have ever been. */
  static final class LeadFromAllTime extends Conduct {
    private final Map<String, Long> furthest = new HashMap<>();

    @Override
    TrainerProgress progress(Instance instance, TrainerProgress progress) {
      Optional<RunState> fold = instance.fold(progress.getRunId());
      if (fold.isEmpty() || progress.getTimeline() > fold.get().position().timeline()) {
        return progress;
      }
      long batch =
          furthest.merge(instance.name() + progress.getRunId(), progress.getBatch(), Math::max);
      return TrainerProgress.newBuilder(progress)
          .setTimeline(fold.get().position().timeline())
          .setBatch(batch)
          .build();
    }
  }

  /** Feedback is looked up under the newest timeline only. */
  static final class FeedbackForgotten extends Conduct {
    @Override
    boolean forgetsReportsAtRewind() {
      return true;
    }
  }

  /** A rewind is taken whatever timeline its sender knew of. */
  static final class RewindUnchecked extends Conduct {
    @Override
    RunCommand command(Instance instance, RunCommand command) {
      Optional<RunState> fold = instance.fold(command.getRunId());
      if (fold.isEmpty() || !(command.getBody() instanceof RewindRun rewind)) {
        return command;
      }
      RewindRun bent = RewindRun.newBuilder(rewind).build();
      bent.setExpectedTimeline(fold.get().position().timeline());
      return RunCommand.newBuilder(command).setBody(bent).build();
    }
  }

  /** The plan of a new timeline goes on from what the old one owed. */
  static final class ErrorNotRewound extends Conduct {
    @Override
    ControlRecord follow(Instance instance, ControlRecord record, long offset) {
      return bend(
          record,
          instance.fold(record.getRunId()),
          (rewind, fold) -> {
            int domains = rewind.getSnapshot().getPlanError().size();
            long[] error = Arrays.copyOf(fold.plan().error(), domains);
            rewind.getSnapshot().setPlanError(Arrays.stream(error).boxed().toList());
          });
    }
  }

  /** Rounds of steps beyond the batch of a rewind stand. */
  static final class RoundsNotRewound extends Conduct {
    @Override
    ControlRecord follow(Instance instance, ControlRecord record, long offset) {
      return bend(
          record,
          instance.fold(record.getRunId()),
          (rewind, fold) ->
              rewind
                  .getSnapshot()
                  .setRound(Math.max(fold.round(), rewind.getSnapshot().getRound())));
    }
  }

  /** A split goes on with the first batch of the new timeline at once. */
  static final class SplitJumps extends Conduct {
    @Override
    boolean finishesBeforeRewind() {
      return false;
    }
  }

  /** A trainer drops sequences of a newer timeline and reads on. */
  static final class NewerTimelineDropped extends Conduct {
    @Override
    boolean heedsRewinds() {
      return false;
    }

    @Override
    SimulatedReader read(RunModel run, SimulatedReader reader, int partition, StreamRecord record) {
      boolean newer = StreamHeader.decode(record.header()).timeline() > reader.timeline();
      return newer ? reader : super.read(run, reader, partition, record);
    }
  }

  /** A sequence is known by its index alone. */
  static final class TimelineIgnored extends Conduct {
    @Override
    SimulatedReader read(RunModel run, SimulatedReader reader, int partition, StreamRecord record) {
      StreamHeader header = StreamHeader.decode(record.header());
      reader.offer(
          partition,
          new StreamHeader(
              reader.timeline(partition),
              header.batch(),
              header.firstIndex(),
              header.batchSize(),
              header.index(),
              header.weightsVersion(),
              header.ordinal(),
              header.chain()),
          record.value().array());
      return reader;
    }
  }

  /** A trainer goes on from a checkpoint of batches that the run was rewound before. */
  static final class DeadBranchRestored extends Conduct {
    @Override
    void resume(SimulatedReader reader, String state) {
      reader.force(state);
    }
  }
}
