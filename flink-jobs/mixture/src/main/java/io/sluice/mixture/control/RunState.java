package io.sluice.mixture.control;

import io.sluice.mixture.control.ControlEntry.Grant;
import io.sluice.mixture.control.ControlEntry.PhaseChange;
import io.sluice.mixture.control.ControlEntry.RoundDecision;
import io.sluice.mixture.control.ControlEntry.Started;
import io.sluice.mixture.plan.MixturePlan;
import io.sluice.mixture.plan.Weights;
import java.util.BitSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * The fold of a run's control log: everything that is decided, and nothing else. It changes only by
 * reading an accepted entry, so all instances agree, whoever wrote the entries.
 */
public final class RunState {
  private final RunSettings settings;
  private LogPosition position;
  private RunPhase phase;
  private Weights decided;
  private int weightsVersion;
  private long round;
  private byte[] policyState;
  private final MixturePlan plan;
  private final long[] ordinals;
  private long nextSequence;
  private final BitSet masked;
  private final Set<String> appliedCommands;

  RunState(
      RunSettings settings,
      LogPosition position,
      RunPhase phase,
      Weights decided,
      int weightsVersion,
      long round,
      byte[] policyState,
      MixturePlan plan,
      long[] ordinals,
      long nextSequence,
      BitSet masked,
      Set<String> appliedCommands) {
    this.settings = settings;
    this.position = position;
    this.phase = phase;
    this.decided = decided;
    this.weightsVersion = weightsVersion;
    this.round = round;
    this.policyState = policyState;
    this.plan = plan;
    this.ordinals = ordinals;
    this.nextSequence = nextSequence;
    this.masked = masked;
    this.appliedCommands = appliedCommands;
  }

  /**
   * The state after a run's first entry.
   *
   * @param offset of the entry in the log
   */
  public static RunState started(ControlEntry entry, long offset) {
    LogPosition before = LogPosition.start(entry.runId());
    if (!before.accepts(entry) || !(entry.body() instanceof Started started)) {
      throw new BrokenLogException(before, entry, "the first entry must start the run");
    }
    RunSettings settings = started.settings();
    int domains = settings.domains().size();
    return new RunState(
        settings,
        before.after(entry, offset),
        RunPhase.RUNNING,
        settings.initialWeights(),
        1,
        0,
        settings.policy().initialState(settings.initialWeights().shares()),
        MixturePlan.start(domains),
        new long[domains],
        0,
        new BitSet(domains),
        new TreeSet<>());
  }

  /**
   * Applies the entry if it is the next one.
   *
   * @return whether it was
   */
  public boolean apply(ControlEntry entry, long offset) {
    if (!position.accepts(entry)) {
      return false;
    }
    if (entry.body() instanceof Grant grant) {
      apply(grant);
    } else if (entry.body() instanceof PhaseChange change) {
      phase = change.phase();
      appliedCommands.add(change.commandId());
    }
    position = position.after(entry, offset);
    return true;
  }

  private void apply(Grant grant) {
    if (grant.decision().isPresent()) {
      RoundDecision decision = grant.decision().get();
      round = decision.round();
      if (!decision.kept()) {
        decided = decision.weights();
        policyState = decision.policyState().clone();
      }
    }
    weightsVersion = grant.weightsVersion();
    for (int i = 0; i < ordinals.length; i++) {
      if (decided.part(i) > 0 && grant.effective().part(i) == 0) {
        masked.set(i);
      }
    }
    for (long batch = grant.after() + 1; batch <= grant.to(); batch++) {
      int size = grant.batchSizes()[(int) (batch - grant.after() - 1)];
      int[] counts = grant.countsOf(batch);
      plan.replay(grant.effective(), size, counts);
      nextSequence += size;
      for (int i = 0; i < ordinals.length; i++) {
        ordinals[i] += counts[i];
      }
    }
  }

  /** What the run's first entry pinned. */
  public RunSettings settings() {
    return settings;
  }

  /** Place in the control log. */
  public LogPosition position() {
    return position;
  }

  /** Whether the run grants batches. */
  public RunPhase phase() {
    return phase;
  }

  /** Weights before masking. */
  public Weights decided() {
    return decided;
  }

  /** 1 for the initial weights. */
  public int weightsVersion() {
    return weightsVersion;
  }

  /** Last closed round; 0 before the first. */
  public long round() {
    return round;
  }

  /** State of the policy after the last closed round. */
  public byte[] policyState() {
    return policyState.clone();
  }

  /** The plan after the last granted batch; a copy. */
  public MixturePlan plan() {
    return plan.copy();
  }

  /** Blocks of each domain that are granted so far, counted through all epochs; a copy. */
  public long[] ordinals() {
    return ordinals.clone();
  }

  /** Global index of the first sequence that is not granted. */
  public long nextSequence() {
    return nextSequence;
  }

  /** Domains that have ended: they get no seat again; a copy. */
  public BitSet masked() {
    return (BitSet) masked.clone();
  }

  /** Whether a command has already been decided on. */
  public boolean hasApplied(String commandId) {
    return appliedCommands.contains(commandId);
  }

  Set<String> appliedCommands() {
    return appliedCommands;
  }
}
