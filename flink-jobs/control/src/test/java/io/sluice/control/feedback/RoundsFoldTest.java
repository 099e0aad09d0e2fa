package io.sluice.control.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mixture.decide.BatchSnapshots;
import io.sluice.mixture.decide.Command;
import io.sluice.mixture.decide.DomainSupply;
import io.sluice.mixture.decide.GrantPlanner;
import io.sluice.mixture.decide.Inputs;
import io.sluice.mixture.decide.Outcome;
import io.sluice.mixture.decide.RunPolicy;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.RunLimits;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.round.StepReports;
import io.sluice.mixture.smoothing.Guards;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RoundsFoldTest {
  private static final RunSettings SETTINGS =
      new RunSettings(
          List.of("a", "b"),
          new TreeMap<>(Map.of(1L, 8)),
          Collections.emptyNavigableMap(),
          Collections.emptySortedMap(),
          0,
          7,
          Weights.uniform(2),
          "recorded",
          Map.of("at.10", "a=3 b=1", "at.20", "a=1 b=7", "at.40", "a=2 b=1"),
          10,
          3,
          false,
          1,
          2,
          Guards.NONE,
          List.of(1, 1),
          false,
          Set.of(),
          1,
          RunLimits.NONE);

  private final RoundsFold rounds = new RoundsFold();
  private final RunPolicy policies = new RunPolicy();
  private BatchSnapshots log;
  private long offset;

  @BeforeEach
  void begin() {
    ControlEntry start = GrantPlanner.start("r.1", SETTINGS, "");
    log = new BatchSnapshots(start, 0);
    rounds.accept(start);
  }

  private boolean next(long progress, Command... commands) {
    Inputs inputs =
        new Inputs(
            new StepReports(),
            Collections.nCopies(2, new DomainSupply(1 << 20, false)),
            new Inputs.Trainers(progress),
            List.of(commands),
            0);
    boolean goesOn =
        GrantPlanner.nextAtOnce(log.state(), policies, inputs) instanceof Outcome.Propose propose
            && accept(propose.entry());
    return goesOn && commands.length == 0;
  }

  private boolean accept(ControlEntry entry) {
    offset++;
    rounds.accept(entry);
    return log.apply(entry, offset);
  }

  private void train(long last) {
    boolean goesOn = true;
    while (goesOn && log.state().position().granted() < last) {
      goesOn = next(Math.min(last, log.state().position().granted()));
    }
  }

  private void rewind(String id, long batch) {
    BatchSnapshots.Past past = log.rewound(batch, batch);
    int timeline = log.state().position().timeline();
    next(0, new Command.Rewind(id, timeline, past.settings(), past.snapshot(), batch, ""));
  }

  @Test
  void hasEveryRoundOfARunThatNobodyTouches() {
    train(60);
    assertThat(rounds.rounds()).containsOnlyKeys(10L, 20L, 30L, 40L, 50L);
    assertThat(rounds.rounds().get(30L).weights()).isEqualTo(Weights.ofShares(1, 7));
    assertThat(rounds.begin().batch()).isZero();
  }

  @Test
  void goesBackIntoTheRoundsOfARewoundBatch() {
    train(60);
    rewind("one", 21);
    assertThat(rounds.rounds())
        .as("that of step 20 stands, though it governs later batches")
        .containsOnlyKeys(10L, 20L);
    train(46);
    assertThat(rounds.rounds()).containsOnlyKeys(10L, 20L, 30L, 40L);
    assertThat(rounds.begin().batch()).isZero();
  }

  @Test
  void beginsAgainWhereWeightsAreSetByHandUntilThatIsRewound() {
    train(36);
    TreeMap<String, Double> half = new TreeMap<>(Map.of("a", 0.5));
    next(36, new Command.SetWeights("set", half, Optional.empty(), ""));
    long changed = rounds.begin().batch();
    assertThat(changed).isBetween(36L, 43L);
    assertThat(rounds.rounds()).isEmpty();
    assertThat(rounds.begin().decided()).isEqualTo(Weights.uniform(2));
    train(60);
    assertThat(rounds.rounds()).containsOnlyKeys(40L, 50L);
    rewind("behind", 47);
    assertThat(rounds.begin().batch()).isEqualTo(changed);
    assertThat(rounds.rounds()).containsOnlyKeys(40L);
    rewind("before", 15);
    assertThat(rounds.begin().batch()).isZero();
    assertThat(rounds.rounds()).containsOnlyKeys(10L);
  }

  @Test
  void followsThroughWhatMovesNoWeight() {
    train(36);
    next(36, new Command.Drain("drain", 1, ""));
    train(60);
    assertThat(rounds.rounds()).containsOnlyKeys(10L, 20L, 30L, 40L, 50L);
  }
}
