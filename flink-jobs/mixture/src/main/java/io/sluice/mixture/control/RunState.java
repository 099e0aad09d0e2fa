package io.sluice.mixture.control;

import io.sluice.mixture.control.ControlEntry.Grant;
import io.sluice.mixture.control.ControlEntry.PhaseChange;
import io.sluice.mixture.control.ControlEntry.Revised;
import io.sluice.mixture.control.ControlEntry.RoundDecision;
import io.sluice.mixture.control.ControlEntry.Started;
import io.sluice.mixture.plan.MixturePlan;
import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.policy.Policy;
import java.util.BitSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The fold of a run's control log: everything that is decided, and nothing else. It changes only by
 * reading an accepted entry, so all instances agree, whoever wrote the entries.
 */
public final class RunState {
  private RunSettings settings;
  private LogPosition position;
  private RunPhase phase;
  private Weights decided;
  private int weightsVersion;
  private long round;
  private long baseRound;
  private boolean pinned;
  private long drainTo;
  private byte[] policyState;
  private MixturePlan plan;
  private long[] ordinals;
  private long nextSequence;
  private BitSet masked;
  private final Set<String> appliedCommands;
  private @Nullable RunSettings policyOf;
  private @Nullable Policy policy;

  /** The state that a snapshot describes. */
  RunState(
      RunSettings settings,
      LogPosition position,
      RunPhase phase,
      Snapshot snapshot,
      Set<String> appliedCommands) {
    this.settings = settings;
    this.position = position;
    this.phase = phase;
    this.appliedCommands = appliedCommands;
    restore(snapshot);
  }

  private void restore(Snapshot snapshot) {
    decided = snapshot.decided();
    weightsVersion = snapshot.weightsVersion();
    round = snapshot.round();
    baseRound = snapshot.baseRound();
    pinned = snapshot.pinned();
    drainTo = snapshot.drainTo();
    policyState = snapshot.policyState().clone();
    plan = MixturePlan.resume(snapshot.planError());
    ordinals = snapshot.ordinals().clone();
    nextSequence = snapshot.nextSequence();
    masked = (BitSet) snapshot.masked().clone();
  }

  /** What is decided as of the last granted batch; a copy. */
  public Snapshot snapshot() {
    return new Snapshot(
        position.granted(),
        nextSequence,
        weightsVersion,
        round,
        baseRound,
        decided,
        pinned,
        drainTo,
        policyState.clone(),
        plan.error(),
        ordinals.clone(),
        (BitSet) masked.clone());
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
    return new RunState(
        started.settings(),
        before.after(entry, offset),
        RunPhase.RUNNING,
        started.snapshot(),
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
    } else if (entry.body() instanceof Revised revised) {
      settings = revised.settings();
      restore(revised.snapshot());
      appliedCommands.add(revised.commandId());
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

  /** What the run's first entry pinned, or the last revision since. */
  public RunSettings settings() {
    return settings;
  }

  /** The policy that these settings make, made once. */
  public Policy policy() {
    Policy made = policy;
    if (made == null || policyOf != settings) {
      made = settings.policy();
      policy = made;
      policyOf = settings;
    }
    return made;
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

  /** The round from which the policy counts: 0, or where it was put in. */
  public long baseRound() {
    return baseRound;
  }

  /** Whether rounds leave the weights as they are. */
  public boolean pinned() {
    return pinned;
  }

  /** Batches up to here are granted at the current weights, however far the trainers are. */
  public long drainTo() {
    return drainTo;
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
