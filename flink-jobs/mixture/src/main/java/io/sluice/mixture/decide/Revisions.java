package io.sluice.mixture.decide;

import io.sluice.mixture.log.ControlEntry.Body;
import io.sluice.mixture.log.ControlEntry.PhaseChange;
import io.sluice.mixture.log.ControlEntry.Refused;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.mixture.log.RunProgress;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.log.Snapshot;
import io.sluice.mixture.plan.LaneShare;
import io.sluice.mixture.plan.MixturePlan;
import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.policy.Policy;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * What the log answers to commands. Pure functions of the log's fold and the command, so that an
 * audit can repeat them.
 *
 * <p>A policy that is put in at batch B, or whose rounds or domains change there, starts anew: its
 * state comes from the weights in force, and its rounds count from floor(B / every) + 1, so that
 * trainers read of the change with a batch before they must have measured for it. Until the round
 * after that closes, the weights in force stay.
 */
public final class Revisions {
  /** Shares that people write need not sum to 1 more exactly than this. */
  static final double ROUNDING = 1e-9;

  /** Most batches that a drain may grant. */
  public static final long MOST_DRAINED = 1 << 20;

  private Revisions() {}

  /**
   * An answer and its reason.
   *
   * @param opens whether it opens the next timeline
   */
  record Answer(Body body, String why, boolean opens) {}

  /** What the log says to a command that it has not answered yet. */
  static Answer answer(RunState state, Command command) {
    if (command instanceof Command.ChangePhase change) {
      return new Answer(
          new PhaseChange(change.phase(), change.commandId()), change.reason(), false);
    }
    try {
      return new Answer(
          revised(state, command), command.reason(), command instanceof Command.Rewind);
    } catch (IllegalArgumentException e) {
      return new Answer(
          new Refused(state.phase(), command.commandId()), "refused: " + e.getMessage(), false);
    }
  }

  /**
   * The revision that a command comes to.
   *
   * @throws IllegalArgumentException if it is refused, with the reason
   */
  public static Revised revised(RunState state, Command command) {
    if (state.phase().ended()) {
      throw new IllegalArgumentException(
          "the run has ended, it is "
              + state.phase().wireName()
              + ": fork it to go on from one of its batches");
    }
    if (command instanceof Command.SetWeights set) {
      return revised(state, set.commandId(), state.settings(), reweighted(state, set));
    }
    if (command instanceof Command.Revise revise) {
      requireRevisable(state.settings(), revise.settings(), state.position().granted());
      Snapshot snapshot = resettled(state, revise);
      return revised(state, revise.commandId(), revise.settings(), snapshot);
    }
    if (command instanceof Command.Drain drain) {
      return revised(state, drain.commandId(), state.settings(), drained(state, drain.batches()));
    }
    if (command instanceof Command.Rewind rewind) {
      Rewinds.require(state, rewind);
      return new Revised(
          rewind.commandId(), rewind.settings(), rewind.snapshot(), rewind.skippedTo());
    }
    throw new IllegalArgumentException(command.reason());
  }

  private static Revised revised(
      RunState state, String commandId, RunSettings settings, Snapshot snapshot) {
    return new Revised(commandId, settings, snapshot, state.position().granted());
  }

  private static RunProgress next(RunState state) {
    RunProgress progress = new RunProgress(state.planVersion(), state.snapshot());
    progress.weightsVersion++;
    return progress;
  }

  private static Snapshot drained(RunState state, long batches) {
    if (batches < 1 || batches > MOST_DRAINED) {
      throw new IllegalArgumentException(
          "ahead must be in [1, " + MOST_DRAINED + "] batches: " + batches);
    }
    RunProgress progress = next(state);
    progress.drainTo = progress.batch + batches;
    return progress.snapshot();
  }

  private static Snapshot reweighted(RunState state, Command.SetWeights set) {
    if (set.shares().isEmpty() && set.pinned().isEmpty()) {
      throw new IllegalArgumentException("neither weights nor a pin are given");
    }
    List<String> domains = state.settings().domains();
    BitSet masked = state.masked();
    set.shares()
        .forEach(
            (domain, share) -> {
              int index = domains.indexOf(domain);
              if (index >= 0 && masked.get(index) && share > 0) {
                throw new IllegalArgumentException(
                    "domain " + domain + " has ended or was removed: it can have no weight");
              }
            });
    RunProgress progress = next(state);
    if (!set.shares().isEmpty()) {
      progress.decided = Weights.ofShares(shared(domains, progress.decided.shares(), set.shares()));
    }
    progress.pinned = set.pinned().orElse(progress.pinned);
    return progress.snapshot();
  }

  /**
   * Shares of which some are set, and the others divide the rest in their old proportions.
   *
   * @throws IllegalArgumentException naming the key, what it may be, and what it is
   */
  static double[] shared(List<String> domains, double[] old, SortedMap<String, Double> set) {
    double[] shares = old.clone();
    BitSet named = new BitSet(domains.size());
    double sum = 0;
    for (Map.Entry<String, Double> entry : set.entrySet()) {
      int domain = domains.indexOf(entry.getKey());
      double share = entry.getValue();
      if (domain < 0) {
        throw new IllegalArgumentException(
            "weights must be of domains of " + domains + ": '" + entry.getKey() + "'");
      }
      if (!(share >= 0 && share <= 1)) {
        throw new IllegalArgumentException(
            "weight of " + entry.getKey() + " must be in [0, 1]: " + share);
      }
      shares[domain] = share;
      named.set(domain);
      sum += share;
    }
    double others = 0;
    for (int i = 0; i < shares.length; i++) {
      others += named.get(i) ? 0 : shares[i];
    }
    boolean whole = others == 0;
    if (sum > 1 + ROUNDING || (whole && sum < 1 - ROUNDING)) {
      throw new IllegalArgumentException(
          "weights must sum to "
              + (whole ? "1, since no other domain has any" : "at most 1")
              + ": "
              + sum);
    }
    for (int i = 0; i < shares.length; i++) {
      shares[i] = named.get(i) ? shares[i] : shares[i] * Math.max(0, 1 - sum) / others;
    }
    return shares;
  }

  /** The state under other settings, from the next batch on. */
  private static Snapshot resettled(RunState state, Command.Revise asked) {
    RunProgress progress = next(state);
    admit(progress, state.settings(), asked);
    if (asked.settings().restartsPolicyOf(state.settings())) {
      restart(progress, asked.settings());
    }
    return progress.snapshot();
  }

  /** Gives new domains a place and a share, and takes removed ones out. */
  private static void admit(RunProgress progress, RunSettings old, Command.Revise asked) {
    RunSettings settings = asked.settings();
    SortedMap<String, Double> shares = asked.shares();
    List<String> domains = settings.domains();
    List<String> added = domains.subList(old.domains().size(), domains.size());
    if (!added.containsAll(shares.keySet())) {
      throw new IllegalArgumentException(
          "shares must be of the domains that are new, " + added + ": " + shares.keySet());
    }
    for (Inheritance inheritance : asked.inheritances()) {
      if (shares.containsKey(inheritance.domain())) {
        throw new IllegalArgumentException(
            inheritance.domain() + " inherits weight and can be given no share");
      }
    }
    double[] decided = Arrays.copyOf(progress.decided.shares(), domains.size());
    if (!added.isEmpty()) {
      decided = shared(domains, decided, shares);
      progress.decided = Weights.ofShares(decided);
      progress.plan = progress.plan.resized(domains.size());
      progress.ordinals =
          LaneShare.resized(progress.ordinals, old.domains().size(), domains.size());
    }
    progress.masked.or(settings.removedDomains());
    if (!asked.inheritances().isEmpty()) {
      BitSet leaving = settings.removedDomains();
      leaving.andNot(old.removedDomains());
      progress.decided =
          Heirs.of(domains, leaving, progress.masked, asked.inheritances())
              .handOver(progress.decided);
    }
    if (!progress.decided.anyWithout(progress.masked)) {
      throw new IllegalArgumentException("no domain with weight would be left");
    }
    if (!settings.removed().equals(old.removed())) {
      progress.decided = progress.decided.without(settings.removedDomains());
    }
  }

  private static void restart(RunProgress progress, RunSettings settings) {
    long every = settings.updateEvery();
    Policy policy = RunPolicy.make(settings);
    progress.decided = RunPolicy.starting(policy, progress.decided);
    progress.baseRound = every == 0 ? 0 : progress.batch / every + 1;
    progress.round = progress.baseRound;
    progress.policyState = policy.initialState(progress.decided.shares());
  }

  /**
   * Starts the policy anew where it still waits for the report of its first step, which nobody will
   * measure again: only trainers that begin do so.
   */
  static void restartIfUnheard(RunProgress progress, RunSettings settings) {
    boolean starts =
        settings.updateEvery() > 0
            && progress.round == progress.baseRound
            && progress.round * settings.updateEvery() <= progress.batch
            && progress.batch > 0
            && RunPolicy.make(settings).startsFromStepZero();
    if (starts) {
      restart(progress, settings);
    }
  }

  /**
   * Counts rounds as closed whose reports are gone though nothing that they decided stands: those
   * that were closed after a revision which does not stand. A policy whose first step is gone
   * starts anew.
   *
   * @param heardTo last step whose reports are gone
   */
  static void passOverHeard(RunProgress progress, RunSettings settings, long heardTo) {
    long every = settings.updateEvery();
    if (every == 0) {
      return;
    }
    boolean first = progress.round == progress.baseRound;
    boolean gone = heardTo > progress.round * every;
    progress.round = Math.max(progress.round, Math.min(progress.batch, heardTo) / every);
    // Also step 0: trainers that begin again may say it before the rewind is read, and be refused.
    if (first && gone && RunPolicy.make(settings).startsFromStepZero()) {
      restart(progress, settings);
    }
  }

  /**
   * What a fork begins with: its own run, whose trainers have measured nothing yet.
   *
   * @param parent settings of the run as of the snapshot
   * @param past state of the run as of the batch
   * @param settings of the fork
   * @throws IllegalArgumentException if they cannot continue the run's
   */
  static Snapshot forked(RunSettings parent, Snapshot past, RunSettings settings) {
    requireAppended(parent.domains(), settings.domains());
    if (settings.domains().size() != parent.domains().size()) {
      throw new IllegalArgumentException(
          "domains must be the run's "
              + parent.domains()
              + ", add others afterwards: "
              + settings.domains());
    }
    if (settings.batches() > 0 && settings.batches() < past.batch()) {
      throw new IllegalArgumentException(
          "batches must be at least " + past.batch() + ": " + settings.batches());
    }
    RunProgress progress = new RunProgress(MixturePlan.VERSION, past);
    progress.masked.or(settings.removedDomains());
    if (settings.restartsPolicyOf(parent)) {
      restart(progress, settings);
    } else if (settings.updateEvery() > 0 && !RunPolicy.make(settings).metrics().isEmpty()) {
      // What the run's trainers measured, or will, is not this run's feedback.
      restartIfUnheard(progress, settings);
      progress.round = Math.max(progress.round, past.batch() / settings.updateEvery());
    }
    return progress.snapshot();
  }

  /**
   * Refuses settings that the run's state, or what it has emitted, contradicts.
   *
   * @param granted last batch under the old settings
   */
  static void requireRevisable(RunSettings old, RunSettings settings, long granted) {
    requireAppended(old.domains(), settings.domains());
    if (!settings.removed().containsAll(old.removed())) {
      throw new IllegalArgumentException(
          "removed domains cannot come back, of " + old.removed() + ": " + settings.removed());
    }
    if (settings.seed() != old.seed()) {
      throw new IllegalArgumentException("seed must stay " + old.seed() + ": " + settings.seed());
    }
    if (!settings
        .batchSizes()
        .headMap(granted, true)
        .equals(old.batchSizes().headMap(granted, true))) {
      throw new IllegalArgumentException(
          "batch must stay "
              + old.batchSizes()
              + " up to batch "
              + granted
              + ": "
              + settings.batchSizes());
    }
    if (!settings
        .rowLengths()
        .headMap(granted, true)
        .equals(old.rowLengths().headMap(granted, true))) {
      throw new IllegalArgumentException(
          "sequence-length must stay "
              + old.rowLengths()
              + " up to batch "
              + granted
              + ": "
              + settings.rowLengths());
    }
    MaskRules.requireLater(old.masks(), settings.masks(), granted);
    if (settings.batches() > 0 && settings.batches() < granted) {
      throw new IllegalArgumentException(
          "batches must be at least " + granted + ", which are granted: " + settings.batches());
    }
  }

  private static void requireAppended(List<String> old, List<String> domains) {
    if (domains.size() < old.size() || !domains.subList(0, old.size()).equals(old)) {
      throw new IllegalArgumentException("domains must begin with " + old + ": " + domains);
    }
  }
}
