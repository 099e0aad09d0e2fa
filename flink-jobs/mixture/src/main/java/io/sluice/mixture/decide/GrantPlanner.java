package io.sluice.mixture.decide;

import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Body;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.PhaseChange;
import io.sluice.mixture.log.ControlEntry.RoundDecision;
import io.sluice.mixture.log.ControlEntry.Started;
import io.sluice.mixture.log.EntryDigests;
import io.sluice.mixture.log.InvariantViolatedException;
import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.log.Snapshot;
import io.sluice.mixture.plan.MixturePlan;
import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.UnknownPolicyException;
import io.sluice.mixture.round.Report;
import io.sluice.mixture.round.StepReports;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Decides the next entry of a run's control log. A pure function of the log's fold and the inputs:
 * what its policy keeps between rounds only saves time, so that what it proposed and lost changes
 * nothing.
 */
public final class GrantPlanner {
  private static final SortedMap<String, Double> NO_LEVELS = Collections.emptySortedMap();

  /** How far a policy without feedback runs ahead when the lead is not given. */
  private static final long LEAD_WITHOUT_FEEDBACK = 256;

  /** Trainers that are silent for so long are not made to wait for a report of theirs. */
  private static final long SILENCE_MILLIS = 10_000;

  private GrantPlanner() {}

  /**
   * The entry that starts a run.
   *
   * @throws IllegalArgumentException if its policy cannot act in it
   */
  public static ControlEntry start(String runId, RunSettings settings, String why) {
    return start(runId, settings, RunPolicy.start(settings), why);
  }

  /**
   * The entry that starts a run.
   *
   * @param snapshot what it begins with: for a fork, its parent's
   */
  public static ControlEntry start(
      String runId, RunSettings settings, Snapshot snapshot, String why) {
    return new ControlEntry(
        runId, 0, 0, -1, why, new Started(MixturePlan.VERSION, settings, snapshot));
  }

  /**
   * The next entry of a started run, or what it waits for, which may be its policy: a slow one
   * works elsewhere, and the caller asks again later.
   */
  public static Outcome next(RunState state, RunPolicy policies, Inputs inputs) {
    return next(state, policies, inputs, false);
  }

  /** Likewise, but lets a slow policy work here and now. */
  public static Outcome nextAtOnce(RunState state, RunPolicy policies, Inputs inputs) {
    return next(state, policies, inputs, true);
  }

  private static Outcome next(RunState state, RunPolicy policies, Inputs inputs, boolean atOnce) {
    Optional<Command> command =
        inputs.commands().stream().filter(c -> isOpen(c, state)).findFirst();
    if (command.isPresent()) {
      Revisions.Answer answer = Revisions.answer(state, command.get());
      return propose(state, answer.opens() ? 1 : 0, answer.why(), answer.body());
    }
    if (state.phase().ended()) {
      return new Outcome.Ended();
    }
    if (state.phase() == RunPhase.PAUSED) {
      return new Outcome.Wait("paused: waits for `resume`", false);
    }
    long granted = state.position().granted();
    long batches = state.settings().batches();
    if (batches > 0 && granted >= batches) {
      String why = "all " + batches + " batches are granted";
      return propose(state, why, new PhaseChange(RunPhase.COMPLETED, ""));
    }
    Policy policy;
    try {
      policy = policies.of(state.settings());
    } catch (UnknownPolicyException e) {
      return new Outcome.Wait(e.missingFrom("the job"), false);
    }
    long lead = lead(state.settings(), policy);
    long reach = reach(state, inputs, lead);
    if (granted >= reach) {
      return new Outcome.Wait(waitsForLead(state, inputs, lead), false);
    }
    long end = state.settings().lastBatchOf(state.round());
    if (granted < end) {
      long free = reach - granted;
      if (reach < end && free < step(inputs, lead) && !isLast(state, inputs, reach)) {
        return new Outcome.Wait(waitsForLead(state, inputs, lead), false);
      }
      return grant(state, inputs, Math.min(reach, end), Optional.empty(), "within the interval");
    }
    return closeRound(state, policies, inputs, reach, atOnce);
  }

  private static boolean isOpen(Command command, RunState state) {
    boolean possible =
        !(command instanceof Command.ChangePhase change) || state.phase().canBecome(change.phase());
    return possible && !state.hasApplied(command.commandId());
  }

  /** Batches that may be granted beyond the trainers' last. */
  private static long lead(RunSettings settings, Policy policy) {
    // Without feedback to wait for, nothing else would hold the stream back.
    long open = policy.metrics().isEmpty() ? LEAD_WITHOUT_FEEDBACK : Long.MAX_VALUE;
    return settings.lead() == 0 ? open : settings.lead();
  }

  /** Last batch that may be granted. */
  private static long reach(RunState state, Inputs inputs, long lead) {
    // A report from beyond the grants is nobody's progress.
    long progress = Math.min(inputs.trainers().progress(), state.position().granted());
    long batches = state.settings().batches();
    long led = lead > Long.MAX_VALUE - progress ? Long.MAX_VALUE : progress + lead;
    long reach = Math.min(StreamCeiling.reach(state, inputs), Math.max(state.drainTo(), led));
    return batches > 0 ? Math.min(batches, reach) : reach;
  }

  /**
   * How many batches of the lead are free before they are granted: half of them, so that the log
   * has an entry for each half and not one for each report. Trainers that report more seldom than
   * that, or are silent, get what there is: they may need it to reach their next report.
   */
  private static long step(Inputs inputs, long lead) {
    Inputs.Trainers trainers = inputs.trainers();
    if (trainers.idleMillis() >= SILENCE_MILLIS) {
      return 1;
    }
    return Math.max(1, Math.min(lead - lead / 2, lead - trainers.reportEvery() + 1));
  }

  /**
   * Whether nothing more can be granted beyond this batch, however far the trainers come: until
   * they let go of a checkpoint, for which they may need what there is.
   */
  private static boolean isLast(RunState state, Inputs inputs, long reach) {
    return reach == state.settings().batches()
        || reach == state.drainTo()
        || reach == StreamCeiling.reach(state, inputs);
  }

  private static String waitsForLead(RunState state, Inputs inputs, long lead) {
    if (reach(state, inputs, lead) == StreamCeiling.reach(state, inputs)) {
      return StreamCeiling.waits(state, inputs);
    }
    long every = inputs.trainers().reportEvery();
    String waits =
        "lead: batch "
            + state.position().granted()
            + " is granted, trainers are at batch "
            + inputs.trainers().progress();
    return lead >= every
        ? waits
        : waits
            + "; they report every "
            + every
            + " batches, so apply.lead must be at least "
            + every
            + ": "
            + lead;
  }

  private static Outcome closeRound(
      RunState state, RunPolicy policies, Inputs inputs, long reach, boolean atOnce) {
    Policy policy = policies.of(state.settings());
    List<StepReports.Winner> heard = new ArrayList<>();
    for (long needed : Report.neededSteps(state, policy)) {
      Optional<StepReports.Winner> winner =
          inputs.reports().winner(needed, metrics(state, policy, needed));
      if (winner.isEmpty()) {
        return unheard(state, policy, inputs, reach, needed);
      }
      heard.add(winner.get());
    }
    long step = (state.round() + 1) * state.settings().updateEvery();
    Policy.Decision decision;
    RoundDecision closed;
    try {
      if (!atOnce && !isReady(state, policy, heard)) {
        return new Outcome.Wait("policy " + policy.name() + " works on step " + step, false);
      }
      decision =
          policies.decide(state, heard.stream().map(StepReports.Winner::observation).toList());
      closed = closed(state, decision, heard);
    } catch (RuntimeException e) {
      // Policies come from other jars too: theirs must end their run, not every run.
      String why = "policy " + policy.name() + " failed on step " + step + ": " + e;
      return propose(state, why, new PhaseChange(RunPhase.FAILED, ""));
    }
    String pinned = state.pinned() ? ": weights are pinned" : "";
    String why =
        reason(policy, step) + pinned + (decision.note().isEmpty() ? "" : ": " + decision.note());
    if (decision.finished()) {
      return propose(state, why, new PhaseChange(RunPhase.COMPLETED, ""));
    }
    long end = Math.min(reach, state.settings().lastBatchOf(closed.round()));
    return grant(state, inputs, end, Optional.of(closed), why);
  }

  private static List<String> metrics(RunState state, Policy policy, long needed) {
    boolean start = needed <= state.round() * state.settings().updateEvery();
    return start ? policy.metricsOfStepZero() : policy.metrics();
  }

  private static String reason(Policy policy, long step) {
    return (policy.metrics().isEmpty() ? "round" : "feedback") + " of step " + step;
  }

  /** A first round, of two reports, is decided at once: it has nothing to work on yet. */
  private static boolean isReady(RunState state, Policy policy, List<StepReports.Winner> heard) {
    return heard.size() > 1 || policy.isReady(state.policyState(), heard.get(0).observation());
  }

  private static RoundDecision closed(
      RunState state, Policy.Decision decision, List<StepReports.Winner> heard) {
    RunSettings settings = state.settings();
    long round = state.round() + 1;
    long step = round * settings.updateEvery();
    Weights taken =
        state.pinned()
            ? state.decided()
            : settings.guards().apply(settings.domains(), state.decided(), decision.shares(), step);
    String attempt = heard.get(heard.size() - 1).attempt();
    return new RoundDecision(
        round, step, false, attempt, taken, decision.state(), decision.scores(), decision.levels());
  }

  private static Outcome unheard(
      RunState state, Policy policy, Inputs inputs, long reach, long needed) {
    RunSettings settings = state.settings();
    long round = state.round() + 1;
    long step = round * settings.updateEvery();
    boolean reached = inputs.trainers().progress() >= step;
    boolean late =
        settings.keepWeightsOnTimeout()
            && reached
            && inputs.waitedMillis() >= settings.timeoutMillis();
    boolean drains = state.position().granted() < state.drainTo();
    if (late || drains) {
      var kept =
          new RoundDecision(
              round,
              step,
              true,
              "",
              state.decided(),
              state.policyState(),
              new double[0],
              NO_LEVELS);
      long end = Math.min(reach, settings.lastBatchOf(round));
      String why =
          "no complete feedback of step "
              + needed
              + (drains ? " before a drain to batch " + state.drainTo() : " in time")
              + ": weights kept"
              + lacking(inputs);
      return grant(state, inputs, end, Optional.of(kept), why);
    }
    List<String> missing = inputs.reports().missing(needed, metrics(state, policy, needed));
    String heard = inputs.reports().heard(needed);
    return new Outcome.Wait(
        "round "
            + round
            + ": waits for "
            + String.join(", ", missing)
            + " of step "
            + needed
            + " (heard "
            + (heard.isEmpty() ? "none" : heard)
            + "; trainers are at batch "
            + inputs.trainers().progress()
            + ")"
            + lacking(inputs),
        reached);
  }

  private static String lacking(Inputs inputs) {
    String lacking = inputs.trainers().lacking();
    return lacking.isEmpty() ? "" : "; " + lacking;
  }

  private static Outcome grant(
      RunState state, Inputs inputs, long to, Optional<RoundDecision> closing, String why) {
    Weights decided = closing.map(RoundDecision::weights).orElse(state.decided());
    GrantBuilder builder = new GrantBuilder(state, decided, inputs.supply());
    List<String> reasons = new ArrayList<>(List.of(why));
    Optional<GrantBuilder.Stop> stop = builder.fill(to, reasons);
    if (builder.isEmpty()) {
      GrantBuilder.Stop reason = stop.orElseThrow();
      return reason.ends()
          ? propose(state, reason.reason(), new PhaseChange(RunPhase.STOPPED, ""))
          : new Outcome.Wait(reason.reason(), false);
    }
    boolean changed = closing.isPresent() && !closing.get().kept() && !state.pinned();
    int version = state.weightsVersion() + (changed ? 1 : 0);
    Grant grant = builder.build(version, closing);
    try {
      state.requireSound(grant);
    } catch (InvariantViolatedException e) {
      return propose(state, String.valueOf(e.getMessage()), new PhaseChange(RunPhase.FAILED, ""));
    }
    return propose(state, String.join("; ", reasons), grant);
  }

  private static Outcome propose(RunState state, String why, Body body) {
    return propose(state, 0, why, body);
  }

  private static Outcome propose(RunState state, int opened, String why, Body body) {
    LogPosition at = state.position();
    return new Outcome.Propose(
        new ControlEntry(
            at.runId(),
            at.timeline() + opened,
            at.serial() + 1,
            at.offset(),
            EntryDigests.basedOn(at.digest()),
            why,
            body));
  }
}
