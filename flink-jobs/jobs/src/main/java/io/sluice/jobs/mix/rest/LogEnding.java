package io.sluice.jobs.mix.rest;

import io.sluice.mixture.log.LogSummary;
import io.sluice.mixture.log.RunPhase;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.RunStateChanged;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the log of a run that has ended says at its end.
 *
 * @param answered ids of the last commands that it has answered
 */
record LogEnding(RunPhase phase, Set<String> answered) {
  LogEnding {
    answered = Set.copyOf(answered);
  }

  /**
   * As a log's last entry says it.
   *
   * @return empty if that does not say it, or not of a run that has ended
   */
  static Optional<LogEnding> of(Object last) {
    Optional<LogEnding> said = Optional.empty();
    if (last instanceof LogSnapshot snapshot) {
      said = Optional.of(of(snapshot.getState(), snapshot.getAnswered()));
    } else if (last instanceof RunStateChanged change) {
      // A log of few entries ends without a snapshot.
      said = Optional.of(of(change.getState(), List.of(change.getCommandId())));
    }
    return said.filter(ending -> ending.phase.ended());
  }

  private static LogEnding of(String state, List<String> answered) {
    return new LogEnding(RunPhase.ofWireName(state), Set.copyOf(answered));
  }

  /** As all entries of a log fold to it; empty of a run that has not ended. */
  static Optional<LogEnding> of(LogSummary fold) {
    return fold.phase().ended()
        ? Optional.of(new LogEnding(fold.phase(), Set.copyOf(fold.answered())))
        : Optional.empty();
  }

  /**
   * Whether nothing more comes of what was asked of the run. A log answers commands in order: with
   * one it has answered those before. Only the end for a failure may be asked for out of turn. And
   * what the run cannot come to any more a controller has refused without an entry.
   *
   * @param asked oldest first
   */
  boolean settles(List<AskedCommand> asked) {
    for (int i = asked.size() - 1; i >= 0; i--) {
      AskedCommand each = asked.get(i);
      if (answered.contains(each.id())) {
        if (each.phase() != RunPhase.FAILED) {
          return true;
        }
      } else if (!each.heard() || each.phase() == null || phase.canBecome(each.phase())) {
        return false;
      }
    }
    return true;
  }
}
