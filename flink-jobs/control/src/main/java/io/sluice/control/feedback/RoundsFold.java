package io.sluice.control.feedback;

import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.mixture.log.ControlEntry.RoundDecision;
import io.sluice.mixture.log.ControlEntry.Started;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.log.Snapshot;
import io.sluice.mixture.plan.Weights;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The standing rounds of a log, entry by entry. What follows from one revision without another in
 * between is a stretch; a rewind goes back into that of its batch, unless what it begins with does
 * not follow from the rounds there.
 */
final class RoundsFold {
  private final Deque<Stretch> stretches = new ArrayDeque<>();
  private int timeline;

  private record Round(long step, long after, boolean kept, Weights weights) {}

  /** Rounds that follow from each other, and what the first follows from. */
  private record Stretch(RunSettings settings, Snapshot begin, List<Round> rounds) {
    Stretch(RunSettings settings, Snapshot begin) {
      this(settings, begin, new ArrayList<>());
    }

    /** Leaves the rounds that were closed for batches up to this one, or with their reports. */
    void rewind(long batch) {
      rounds.removeIf(round -> round.after() >= batch && round.step() > batch);
    }

    boolean leadsTo(RunSettings then, Snapshot snapshot) {
      Weights decided =
          rounds.isEmpty() ? begin.decided() : rounds.get(rounds.size() - 1).weights();
      return !then.restartsPolicyOf(settings)
          && then.guards().equals(settings.guards())
          && then.cadence().equals(settings.cadence())
          && snapshot.decided().equals(decided)
          && snapshot.pinned() == begin.pinned()
          && snapshot.baseRound() == begin.baseRound()
          && snapshot.round() == begin.round() + rounds.size();
    }
  }

  /** Takes the next accepted entry, beginning with the start. */
  void accept(ControlEntry entry) {
    if (entry.body() instanceof Started started) {
      stretches.push(new Stretch(started.settings(), started.snapshot()));
    } else if (entry.body() instanceof Revised revised) {
      revise(revised, entry.timeline() != timeline);
    } else if (entry.body() instanceof Grant grant) {
      grant.decision().ifPresent(decision -> stretches.element().rounds().add(of(decision, grant)));
    }
    timeline = entry.timeline();
  }

  private static Round of(RoundDecision decision, Grant grant) {
    return new Round(decision.step(), grant.after(), decision.kept(), decision.weights());
  }

  private void revise(Revised revised, boolean rewinds) {
    long batch = revised.snapshot().batch();
    if (rewinds) {
      while (stretches.size() > 1 && stretches.element().begin().batch() > batch) {
        stretches.pop();
      }
      stretches.element().rewind(batch);
    }
    if (!stretches.element().leadsTo(revised.settings(), revised.snapshot())) {
      stretches.push(new Stretch(revised.settings(), revised.snapshot()));
    }
  }

  /** In force since the last revision that does not follow from the rounds before it. */
  RunSettings settings() {
    return stretches.element().settings();
  }

  /** What that left, or the run began with. */
  Snapshot begin() {
    return stretches.element().begin();
  }

  /** The rounds since then, by step. */
  SortedMap<Long, StandingRounds.Decided> rounds() {
    SortedMap<Long, StandingRounds.Decided> rounds = new TreeMap<>();
    for (Round round : stretches.element().rounds()) {
      rounds.put(round.step(), new StandingRounds.Decided(round.kept(), round.weights()));
    }
    return rounds;
  }
}
