package io.sluice.control.controller;

import io.sluice.control.topics.RunLog;
import io.sluice.mixture.log.RunState;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunStatus;
import io.sluice.schema.TrainerAttached;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.TrainerProgress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.Nullable;

/** One run's controller of one instance of the Reweighter, on parts in memory. */
public final class SimulatedController {
  private final TestingRunStore store = new TestingRunStore();
  private final RunController controller;
  private final List<Long> cuts = new ArrayList<>();
  private @Nullable RunStatus status;

  /**
   * Who the controller belongs to.
   *
   * @param snapshotEvery entries from one snapshot of a log to the next
   */
  public record Owner(
      String writer, long openedMillis, SimulatedSupply supply, int snapshotEvery) {}

  /**
   * @param kept what {@link #kept()} gave; empty for a new controller
   */
  public SimulatedController(String runId, Owner owner, Map<String, byte[]> kept, long now) {
    kept.forEach(store::put);
    controller =
        new RunController(
            runId,
            store,
            new RunController.Instance(
                owner.writer(),
                owner.openedMillis(),
                owner.supply().index(),
                new LogCatchUp(),
                owner.snapshotEvery()),
            now);
  }

  /**
   * A record of the control log was read.
   *
   * @param value its bytes
   */
  public List<ControlRecord> follow(ControlRecord record, long offset, byte[] value, long now) {
    return proposals(controller.onControl(record, RunLog.OWN, offset, value, now));
  }

  /** A command, or something that a trainer says, was read. */
  public List<ControlRecord> hear(SpecificRecordBase message, long now) {
    if (message instanceof RunCommand command) {
      return proposals(controller.onCommand(command, now));
    }
    if (message instanceof TrainerAttached attached) {
      return proposals(controller.onAttached(attached, now));
    }
    return message instanceof TrainerFeedback feedback
        ? proposals(controller.onFeedback(feedback, now))
        : proposals(controller.onProgress((TrainerProgress) message, now));
  }

  /** Something was read that nobody can make sense of. */
  public List<ControlRecord> unreadable(long now) {
    return proposals(controller.onUndecodable("unreadable", now));
  }

  /** Supply has grown. */
  public List<ControlRecord> supplied(long now) {
    return proposals(controller.onTimer(now));
  }

  /** Rings if it is time to. */
  public List<ControlRecord> ring(long due, long now) {
    return due <= now ? proposals(controller.onTimer(now)) : List.of();
  }

  /** When it wants to be rung. */
  public long wakeAt(long now) {
    return controller.wakeAt(now);
  }

  /** The log as far as it was read; empty before the run's start. */
  public Optional<RunState> fold() {
    return PersistedRun.open(store, store.load(), 0).map(PersistedRun::state);
  }

  /** What a checkpoint holds. */
  public Map<String, byte[]> kept() {
    return store.load();
  }

  /** That, but for what was reported. */
  public Map<String, byte[]> keptWithoutReports() {
    Map<String, byte[]> kept = new HashMap<>(store.load());
    kept.keySet().removeIf(part -> part.startsWith("report/") || part.startsWith("held/"));
    return kept;
  }

  /** First batches that are still needed, as far as it has not said so before. */
  public List<Long> takeCuts() {
    List<Long> taken = List.copyOf(cuts);
    cuts.clear();
    return taken;
  }

  /** What people were last shown; null before that. */
  public @Nullable RunStatus status() {
    return status;
  }

  private List<ControlRecord> proposals(List<RunEffect> actions) {
    List<ControlRecord> proposals = new ArrayList<>();
    for (RunEffect action : actions) {
      if (action instanceof RunEffect.Propose propose) {
        proposals.add(propose.record());
      } else if (action instanceof RunEffect.Publish publish) {
        status = publish.status();
      } else if (action instanceof RunEffect.Reclaim reclaim) {
        cuts.add(reclaim.before());
      }
    }
    return proposals;
  }
}
