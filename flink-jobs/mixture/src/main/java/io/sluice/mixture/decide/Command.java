package io.sluice.mixture.decide;

import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.log.Snapshot;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Something that is asked of a started run. Its log answers each once. */
public sealed interface Command {
  /** Names the command in the answer. */
  String commandId();

  /** Why, for people. */
  String reason();

  /** Another phase. */
  record ChangePhase(String commandId, RunPhase phase, String reason) implements Command {}

  /**
   * Other weights from the next grant on.
   *
   * @param shares in [0, 1] by domain; the others divide the rest in their old proportions
   * @param pinned whether rounds leave the weights as they are; empty: as before
   */
  record SetWeights(
      String commandId, SortedMap<String, Double> shares, Optional<Boolean> pinned, String reason)
      implements Command {
    /** Copies the shares. */
    public SetWeights {
      shares = Collections.unmodifiableSortedMap(new TreeMap<>(shares));
    }
  }

  /**
   * Other settings from the next grant on.
   *
   * @param shares in [0, 1) of the domains that are new; the others divide the rest
   * @param inheritances who takes over the weights of domains that are taken out; where nobody
   *     does, the others divide them
   */
  record Revise(
      String commandId,
      RunSettings settings,
      SortedMap<String, Double> shares,
      List<Inheritance> inheritances,
      String reason)
      implements Command {
    /** Copies shares and inheritances. */
    public Revise {
      shares = Collections.unmodifiableSortedMap(new TreeMap<>(shares));
      inheritances = List.copyOf(inheritances);
    }

    /** The same with another reason. */
    public Revise because(String other) {
      return new Revise(commandId, settings, shares, inheritances, other);
    }
  }

  /**
   * The next timeline, from the end of an earlier batch.
   *
   * @param expectedTimeline refused unless this is the current one
   * @param settings as of the snapshot's batch
   * @param snapshot from {@link BatchSnapshots}, of the log
   * @param skippedTo last batch whose data is passed over; the snapshot's when none is
   */
  record Rewind(
      String commandId,
      int expectedTimeline,
      RunSettings settings,
      Snapshot snapshot,
      long skippedTo,
      String reason)
      implements Command {}

  /** So many further batches at the current weights, however far the trainers are. */
  record Drain(String commandId, long batches, String reason) implements Command {}

  /** A command that could not be read; the reason says why. */
  record Unreadable(String commandId, String reason) implements Command {}
}
