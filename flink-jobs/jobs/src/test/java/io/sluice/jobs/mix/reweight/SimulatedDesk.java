package io.sluice.jobs.mix.reweight;

import io.sluice.mixture.control.RunState;
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

/** One run's desk of one instance of the Reweighter, on parts in memory. */
public final class SimulatedDesk {
  private final TestingDeskStore store = new TestingDeskStore();
  private final RunDesk desk;
  private final List<Long> cuts = new ArrayList<>();
  private @Nullable RunStatus status;

  /** Who the desk belongs to. */
  public record Owner(String writer, long openedMillis, SimulatedSupply supply) {}

  /**
   * @param kept what {@link #kept()} gave; empty for a new desk
   */
  public SimulatedDesk(String runId, Owner owner, Map<String, byte[]> kept, long now) {
    kept.forEach(store::put);
    desk =
        new RunDesk(
            runId,
            store,
            new RunDesk.Instance(owner.writer(), owner.openedMillis(), owner.supply().book()),
            now);
  }

  /** A record of the control log was read. */
  public List<ControlRecord> follow(ControlRecord record, long offset, long now) {
    return proposals(desk.onControl(record, offset, now));
  }

  /** A command, or something that a trainer says, was read. */
  public List<ControlRecord> hear(SpecificRecordBase message, long now) {
    if (message instanceof RunCommand command) {
      return proposals(desk.onCommand(command, now));
    }
    if (message instanceof TrainerAttached attached) {
      return proposals(desk.onAttached(attached, now));
    }
    return message instanceof TrainerFeedback feedback
        ? proposals(desk.onFeedback(feedback, now))
        : proposals(desk.onProgress((TrainerProgress) message, now));
  }

  /** Something was read that nobody can make sense of. */
  public List<ControlRecord> unreadable(long now) {
    return proposals(desk.onUndecodable("unreadable", now));
  }

  /** Supply has grown. */
  public List<ControlRecord> supplied(long now) {
    return proposals(desk.onSupply(now));
  }

  /** Rings if it is time to. */
  public List<ControlRecord> ring(long due, long now) {
    return due <= now ? proposals(desk.onTimer(now)) : List.of();
  }

  /** When it wants to be rung. */
  public long wakeAt(long now) {
    return desk.wakeAt(now);
  }

  /** The log as far as it was read; empty before the run's start. */
  public Optional<RunState> fold() {
    return RunFold.open(store, store.load()).map(RunFold::state);
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

  private List<ControlRecord> proposals(List<DeskAction> actions) {
    List<ControlRecord> proposals = new ArrayList<>();
    for (DeskAction action : actions) {
      if (action instanceof DeskAction.Propose propose) {
        proposals.add(propose.record());
      } else if (action instanceof DeskAction.Publish publish) {
        status = publish.status();
      } else if (action instanceof DeskAction.Cut cut) {
        cuts.add(cut.reclaim().before);
      }
    }
    return proposals;
  }
}
