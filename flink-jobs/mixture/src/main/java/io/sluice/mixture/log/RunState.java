package io.sluice.mixture.log;

import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.PhaseChange;
import io.sluice.mixture.log.ControlEntry.Refused;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.mixture.log.ControlEntry.Started;
import io.sluice.mixture.plan.MixturePlan;
import io.sluice.mixture.plan.Weights;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The fold of a run's control log: everything that is decided, and nothing else. It changes only by
 * reading an accepted entry, so all instances agree, whoever wrote the entries.
 */
public final class RunState {
  /** How many of the last commands are known to be answered. */
  private static final int MAX_COMMANDS = 1024;

  /** How many revisions of the current lineage are remembered. */
  private static final int MAX_REVISIONS = 1024;

  private final int planVersion;
  private RunSettings settings;
  private LogPosition position;
  private RunPhase phase;
  private Lineage lineage;
  private RunProgress progress;
  private long heardTo;
  private final TreeMap<Long, Integer> revisions;
  private final Set<String> appliedCommands;

  /** The state that a snapshot describes. */
  RunState(
      int planVersion,
      RunSettings settings,
      LogPosition position,
      RunPhase phase,
      Lineage lineage,
      Snapshot snapshot,
      long heardTo,
      SortedMap<Long, Integer> revisions,
      Set<String> appliedCommands) {
    this.planVersion = planVersion;
    this.settings = settings;
    this.position = position;
    this.phase = phase;
    this.lineage = lineage;
    this.progress = new RunProgress(planVersion, snapshot);
    this.heardTo = heardTo;
    this.revisions = new TreeMap<>(revisions);
    this.appliedCommands = new LinkedHashSet<>(appliedCommands);
  }

  /** What is decided as of the last granted batch; a copy. */
  public Snapshot snapshot() {
    return progress.snapshot();
  }

  /**
   * The state after a run's first entry.
   *
   * @param offset of the entry in the log
   */
  public static RunState started(ControlEntry entry, long offset) {
    LogPosition before = LogPosition.start(entry.runId());
    if (!before.accepts(entry) || !(entry.body() instanceof Started started)) {
      throw new BrokenLogException(before, entry.step(), "the first entry must start the run");
    }
    return new RunState(
        started.planVersion(),
        started.settings(),
        before.after(entry, offset),
        RunPhase.RUNNING,
        Lineage.start(),
        started.snapshot(),
        started.snapshot().round() * started.settings().updateEvery(),
        Collections.emptySortedMap(),
        Set.of());
  }

  /**
   * The state after an entry that says what all before it fold to.
   *
   * @param offset of the entry in the log
   * @throws IllegalArgumentException if the entry says nothing of the kind, or contradicts itself
   */
  public static RunState adopted(ControlEntry entry, long offset) {
    if (!(entry.body() instanceof LogSummary summary)
        || entry.serial() < 1
        || entry.basedOn() < 0
        || entry.basedOn() >= offset
        || entry.timeline() != summary.lineage().newest()) {
      throw new IllegalArgumentException(
          "entry "
              + entry.serial()
              + " of run "
              + entry.runId()
              + " at offset "
              + offset
              + " must sum up what is before it");
    }
    return new RunState(
        summary.planVersion(),
        summary.settings(),
        new LogPosition(
            entry.runId(),
            entry.timeline(),
            entry.serial(),
            offset,
            summary.snapshot().batch(),
            entry.digests().next()),
        summary.phase(),
        summary.lineage(),
        summary.snapshot(),
        summary.heardTo(),
        summary.revisions(),
        new LinkedHashSet<>(summary.answered()));
  }

  /** What the entries so far fold to, for one that says so. */
  public LogSummary summary() {
    return new LogSummary(
        planVersion,
        settings,
        phase,
        lineage,
        snapshot(),
        heardTo,
        revisions,
        List.copyOf(appliedCommands));
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
    if (entry.body() instanceof LogSummary said) {
      said.require(entry.serial(), summary());
    } else if (entry.body() instanceof Grant grant) {
      requireSound(grant);
      progress.take(grant, grant.to());
    } else if (entry.body() instanceof PhaseChange change) {
      phase = change.phase();
      answered(change.commandId());
    } else if (entry.body() instanceof Refused refused) {
      answered(refused.commandId());
    } else if (entry.body() instanceof Revised revised) {
      boolean rewinds = entry.timeline() != position.timeline();
      if (!rewinds && revised.snapshot().weightsVersion() != progress.weightsVersion + 1) {
        throw new InvariantViolatedException(
            "weights version of revision " + revised.commandId(),
            progress.weightsVersion + 1,
            revised.snapshot().weightsVersion());
      }
      settings = revised.settings();
      progress = new RunProgress(planVersion, revised.snapshot());
      if (rewinds) {
        lineage = lineage.opened(entry.timeline(), revised.snapshot().batch());
        heardTo = Math.min(heardTo, revised.snapshot().batch());
        revisions.tailMap(revised.snapshot().batch(), false).clear();
      }
      remember(revised.snapshot());
      answered(revised.commandId());
    }
    // Without rounds, nothing that is reported is kept.
    long every = settings.updateEvery();
    heardTo = Math.max(heardTo, every == 0 ? progress.batch : progress.round * every);
    position = position.after(entry, offset);
    return true;
  }

  /**
   * Checks a grant that would be the next entry.
   *
   * @throws InvariantViolatedException if it breaks a rule that does not need the plan
   */
  public void requireSound(Grant grant) {
    new GrantRules(settings, progress, grant).check();
  }

  private void remember(Snapshot revised) {
    revisions.put(revised.batch(), revised.weightsVersion());
    if (revisions.size() > MAX_REVISIONS) {
      revisions.pollFirstEntry();
    }
  }

  private void answered(String commandId) {
    if (!commandId.isEmpty() && appliedCommands.add(commandId)) {
      if (appliedCommands.size() > MAX_COMMANDS) {
        appliedCommands.remove(appliedCommands.iterator().next());
      }
    }
  }

  /** Of the plan; pinned by the run's first entry. */
  public int planVersion() {
    return planVersion;
  }

  /** What the run's first entry pinned, or the last revision since. */
  public RunSettings settings() {
    return settings;
  }

  /** Which timeline each batch belongs to. */
  public Lineage lineage() {
    return lineage;
  }

  /**
   * Last step of the current lineage whose reports have been decided on, or passed over: nobody
   * keeps them, so that a rewind to a later batch must count its round as closed.
   */
  public long heardTo() {
    return heardTo;
  }

  /**
   * Mixture version that the last revision at or before a batch left behind: what knows of an older
   * one as of that batch does not know of the revision.
   */
  public int revisedVersion(long batch) {
    Map.Entry<Long, Integer> last = revisions.floorEntry(batch);
    return last == null ? 1 : last.getValue();
  }

  /** Batch to mixture version, of the revisions in the current lineage. */
  SortedMap<Long, Integer> revisions() {
    return revisions;
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
    return progress.decided;
  }

  /** 1 for the initial weights. */
  public int weightsVersion() {
    return progress.weightsVersion;
  }

  /** Last closed round; 0 before the first. */
  public long round() {
    return progress.round;
  }

  /** The round from which the policy counts: 0, or where it was put in. */
  public long baseRound() {
    return progress.baseRound;
  }

  /** Whether rounds leave the weights as they are. */
  public boolean pinned() {
    return progress.pinned;
  }

  /** Batches up to here are granted at the current weights, however far the trainers are. */
  public long drainTo() {
    return progress.drainTo;
  }

  /** State of the policy after the last closed round. */
  public byte[] policyState() {
    return progress.policyState.clone();
  }

  /** Whether the policy's state after the last closed round is this one. */
  public boolean hasPolicyState(byte[] other) {
    return Arrays.equals(progress.policyState, other);
  }

  /** The plan after the last granted batch; a copy. */
  public MixturePlan plan() {
    return progress.plan.copy();
  }

  /**
   * Blocks that are granted so far, counted through all epochs: lanes × domains, lane-major; a
   * copy.
   */
  public long[] ordinals() {
    return progress.ordinals.clone();
  }

  /** The same of each domain, its lanes together. */
  public long[] sequences() {
    long[] sequences = new long[settings().domains().size()];
    for (int i = 0; i < progress.ordinals.length; i++) {
      sequences[i % sequences.length] += progress.ordinals[i];
    }
    return sequences;
  }

  /** Global index of the first sequence that is not granted. */
  public long nextSequence() {
    return progress.nextSequence;
  }

  /** Domains that have ended: they get no seat again; a copy. */
  public BitSet masked() {
    return (BitSet) progress.masked.clone();
  }

  /**
   * The weights of the next batches, as far as is known: domains whose data is used up, of which
   * others have the seats, are at zero.
   */
  public Weights effective() {
    BitSet masked = masked();
    return decided().anyWithout(masked) ? decided().without(masked) : decided();
  }

  /** Whether a command has already been decided on. */
  public boolean hasApplied(String commandId) {
    return appliedCommands.contains(commandId);
  }

  Set<String> appliedCommands() {
    return appliedCommands;
  }
}
