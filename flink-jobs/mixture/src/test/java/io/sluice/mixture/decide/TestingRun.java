package io.sluice.mixture.decide;

import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.RunLimits;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.round.Report;
import io.sluice.mixture.round.StepReports;
import io.sluice.mixture.smoothing.Guards;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** One run with its log in memory: every proposal is accepted, at offsets with gaps. */
public final class TestingRun {
  public static final String ID = "r-1";

  public final List<ControlEntry> log = new ArrayList<>();
  final StepReports reports = new StepReports();
  public final List<Command> commands = new ArrayList<>();
  List<DomainSupply> supply;
  Inputs.Trainers trainers = new Inputs.Trainers(0);
  long waitedMillis;
  public RunState state;
  public final RunPolicy policies = new RunPolicy();
  private long offset = 10;

  public TestingRun(RunSettings settings) {
    this(GrantPlanner.start(ID, settings, "applied"));
  }

  public TestingRun(ControlEntry start) {
    supply = new ArrayList<>();
    RunSettings settings = ((ControlEntry.Started) start.body()).settings();
    for (int part = 0; part < settings.lanes() * settings.domains().size(); part++) {
      supply.add(new DomainSupply(1_000_000, false));
    }
    log.add(start);
    state = RunState.started(start, offset);
  }

  /** Velocitune over domains a and b: rounds every 10 steps, batches of 8. */
  public static Settings velocitune() {
    return new Settings();
  }

  /** Settings with one thing changed at a time. */
  public static final class Settings {
    String policy = "velocitune";
    public Map<String, String> policySettings = Map.of("target-fraction", "0.5");
    long batches;
    long every = 10;
    long lag;
    boolean keep;
    long lead;
    RunLimits limits = RunLimits.NONE;
    double newWeight = 1;
    List<Integer> epochs = List.of(1, 1);
    boolean redistribute;
    int lanes = 1;
    Weights initial = Weights.uniform(2);

    public RunSettings build() {
      return new RunSettings(
          List.of("a", "b"),
          new TreeMap<>(Map.of(1L, 8, 26L, 12)),
          Collections.emptyNavigableMap(),
          Collections.emptySortedMap(),
          batches,
          42,
          initial,
          policy,
          policySettings,
          every,
          lag,
          keep,
          60_000,
          lead,
          Guards.average(newWeight),
          epochs,
          redistribute,
          Set.of(),
          lanes,
          limits);
    }
  }

  public Inputs inputs() {
    return new Inputs(reports, supply, trainers, commands, waitedMillis);
  }

  void at(long progress) {
    trainers = new Inputs.Trainers(progress);
  }

  public Outcome next() {
    return GrantPlanner.next(state, policies, inputs());
  }

  /** Proposes and accepts until nothing more can be decided; what it then waits for. */
  public Outcome settle() {
    Outcome outcome = next();
    while (outcome instanceof Outcome.Propose propose) {
      append(propose.entry());
      outcome = next();
    }
    return outcome;
  }

  public void append(ControlEntry entry) {
    offset += 3;
    log.add(entry);
    if (!state.apply(entry, offset)) {
      throw new AssertionError("not accepted: " + entry);
    }
  }

  long offset() {
    return offset;
  }

  /** Both domains' mean losses at a step, from one rank. */
  public void report(long step, double lossA, double lossB) {
    report(report(step, "attempt-" + step, 1, 0, lossA, lossB));
  }

  public void report(Report report) {
    reports.offer(report);
  }

  public static Report report(
      long step, String attempt, int worldSize, int rank, double lossA, double lossB) {
    return new Report(
        0,
        step,
        attempt,
        worldSize,
        rank,
        "eval_loss",
        new double[] {lossA * 100, lossB * 50},
        new long[] {100, 50});
  }

  List<Grant> grants() {
    return log.stream()
        .map(ControlEntry::body)
        .filter(Grant.class::isInstance)
        .map(Grant.class::cast)
        .toList();
  }
}
