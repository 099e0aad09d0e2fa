package io.sluice.cli.simulate;

import io.sluice.control.feedback.StandingRounds;
import io.sluice.mixture.replay.Replay;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A run's own policy and what the log says that it decided: replayed, it must decide the same to
 * the last bit.
 *
 * @param logged the rounds of the log
 * @param replay empty if it cannot be replayed
 * @param why it cannot
 */
record OwnReplay(List<Replay.Round> logged, Optional<Replay> replay, String why) {
  /**
   * How the replay compares.
   *
   * @param rounds that were compared
   * @param same those with the same weights
   * @param why there are no more; ''
   */
  record Judged(int rounds, int same, String why) {
    @Override
    public String toString() {
      String replayed = "The run's own policy, replayed: ";
      return rounds == 0
          ? replayed + "not done, " + why
          : replayed + "decides what its log says in " + same + " of " + rounds + " rounds" + why;
    }
  }

  static OwnReplay of(WhatIf question) {
    StandingRounds run = question.run();
    List<Replay.Round> logged = new ArrayList<>();
    run.rounds()
        .forEach(
            (step, round) ->
                logged.add(new Replay.Round(step, !round.kept(), round.weights(), false)));
    if (question.every() != run.settings().updateEvery()) {
      return new OwnReplay(logged, Optional.empty(), "its rounds are others");
    }
    try {
      Replay replay = Replay.continued(run.settings(), run.begin());
      return new OwnReplay(logged, Optional.of(replay), "");
    } catch (IllegalArgumentException e) {
      return new OwnReplay(logged, Optional.empty(), String.valueOf(e.getMessage()));
    }
  }

  /** The comparison, once the replay's rounds are closed. */
  Judged judged(Function<Replay, List<Replay.Round>> closed) {
    if (replay.isEmpty()) {
      return new Judged(0, 0, why);
    }
    List<Replay.Round> again = closed.apply(replay.get());
    int same = 0;
    String first = "";
    for (int n = 0; n < logged.size(); n++) {
      if (n < again.size() && again.get(n).weights().equals(logged.get(n).weights())) {
        same++;
      } else if (first.isEmpty()) {
        first = ", first not at step " + logged.get(n).step();
      }
    }
    return new Judged(logged.size(), same, first);
  }
}
