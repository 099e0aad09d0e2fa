package io.sluice.jobs.simulation;

import static io.sluice.jobs.simulation.Violation.unless;

import io.sluice.control.wire.RunSpecs;
import io.sluice.control.wire.Snapshots;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.log.Snapshot;
import io.sluice.mixture.plan.LaneShare;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.DomainInheritance;
import io.sluice.schema.DomainShare;
import io.sluice.schema.DrainRun;
import io.sluice.schema.ReviseRun;
import io.sluice.schema.RewindRun;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunSpec;
import io.sluice.schema.SetWeights;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** What a revision of a run must say: what somebody asked for, and what follows from that. */
final class RevisionTruth {
  private static final double ROUNDING = 1e-9;

  private final RunModel run;
  private final RunRevised revised;
  private final Snapshot says;
  private final RunSettings settings;

  RevisionTruth(RunModel run, RunRevised revised) {
    this.run = run;
    this.revised = revised;
    this.says = Snapshots.read(revised.getSnapshot());
    this.settings = RunSpecs.settings(revised.getSpec());
  }

  /** What holds after a revision in the current timeline. */
  ExpectedProgress inPlace(ExpectedProgress before, Object asked) {
    if (asked instanceof SetWeights set) {
      run.witness().saw("weights set");
      double[] shares = shared(before.decided(), before.settings().domains(), set.getShares());
      boolean pinned = set.getPinned() == null ? before.pinned() : set.getPinned();
      return adopt(before.revised(before.spec(), decided(shares), pinned, before.drainTo()));
    }
    if (asked instanceof DrainRun drain) {
      run.witness().saw("run drained");
      long to = before.batch() + drain.getBatches();
      return adopt(before.revised(before.spec(), before.decided(), before.pinned(), to));
    }
    if (asked instanceof ReviseRun revise) {
      RunSpec resolved = RunSpecs.complete(revise.getSpec());
      unless(revised.getSpec().equals(resolved), "%s: %s", run.id(), revised);
      return resettled(before, revise);
    }
    throw new Violation(run.id() + ": nobody has asked for " + revised);
  }

  private ExpectedProgress resettled(ExpectedProgress before, ReviseRun revise) {
    run.witness().saw("run revised");
    ExpectedProgress grown = before.grown(settings.domains().size());
    double[] shares = shared(grown.decided(), settings.domains(), revise.getShares());
    inherit(grown.decided(), shares, revise.getInheritances());
    BitSet removed = new BitSet();
    revise.getSpec().getRemoved().forEach(name -> removed.set(settings.domains().indexOf(name)));
    // A policy may give shares to domains that were taken out before: their mask holds anyway.
    if (!revise.getSpec().getRemoved().equals(before.spec().getRemoved())) {
      removed.stream().forEach(domain -> shares[domain] = 0);
    }
    ExpectedProgress next =
        grown
            .without(removed)
            .revised(revise.getSpec(), decided(shares), before.pinned(), before.drainTo());
    RunSettings old = before.settings();
    boolean restarts =
        !settings.policyName().equals(old.policyName())
            || !settings.policySettings().equals(old.policySettings())
            || settings.updateEvery() != old.updateEvery()
            || settings.lag() != old.lag()
            || !settings.domains().equals(old.domains())
            || !revise.getSpec().getRemoved().equals(before.spec().getRemoved());
    return adopt(restarts ? next.restarted() : next);
  }

  /** What heirs and those that leave have is the same in all, and nobody else's weight moves. */
  private void inherit(Weights before, double[] shares, List<DomainInheritance> inheritances) {
    if (inheritances.isEmpty()) {
      return;
    }
    run.witness().saw("run regrouped");
    List<String> domains = settings.domains();
    BitSet touched = new BitSet();
    BitSet leaving = new BitSet();
    for (DomainInheritance each : inheritances) {
      int heir = domains.indexOf(each.getDomain());
      int parent = domains.indexOf(each.getParent());
      touched.set(heir);
      leaving.set(parent);
      shares[heir] += before.share(parent) * each.getShare();
    }
    leaving.stream().forEach(parent -> shares[parent] = 0);
    touched.or(leaving);
    boolean others =
        settings.removedDomains().stream()
            .anyMatch(gone -> !leaving.get(gone) && before.part(gone) > 0);
    for (int i = touched.nextClearBit(0); i < domains.size(); i = touched.nextClearBit(i + 1)) {
      unless(
          others || says.decided().part(i) == before.part(i),
          "%s: the weight of %s moved from %s to %s though others were regrouped",
          run.id(),
          domains.get(i),
          before,
          says.decided());
    }
  }

  /** The logged weights, if they are these shares but for rounding. */
  private Weights decided(double[] shares) {
    double sum = Arrays.stream(shares).sum();
    for (int i = 0; i < shares.length; i++) {
      double logged = says.decided().part(i) / (double) Weights.UNIT;
      unless(
          Math.abs(shares[i] / sum - logged) < ROUNDING,
          "%s: weights %s are not those asked for: %s",
          run.id(),
          says.decided(),
          Arrays.toString(shares));
    }
    return says.decided();
  }

  private static double[] shared(Weights old, List<String> domains, List<DomainShare> set) {
    double[] shares = old.shares();
    BitSet named = new BitSet();
    double given = 0;
    for (DomainShare share : set) {
      int domain = domains.indexOf(share.getDomain());
      shares[domain] = share.getShare();
      named.set(domain);
      given += share.getShare();
    }
    double others = 0;
    for (int i = 0; i < shares.length; i++) {
      others += named.get(i) ? 0 : shares[i];
    }
    for (int i = 0; i < shares.length; i++) {
      shares[i] = named.get(i) ? shares[i] : shares[i] * (1 - given) / others;
    }
    return shares;
  }

  /**
   * What holds after a rewind: the state of its batch, and the data of the one that is skipped to.
   *
   * @param past what held as of its batch, with the rounds of steps up to it
   * @param skipped as of the batch whose data is passed over
   * @param heardTo last step whose reports are gone: its round is closed, whatever it decided
   */
  ExpectedProgress rewound(
      ExpectedProgress past, ExpectedProgress skipped, long heardTo, Object asked) {
    boolean expected =
        asked instanceof RewindRun rewind
            && rewind.getExpectedTimeline() == run.control().lineage().current();
    unless(expected, "%s: nobody has asked for %s", run.id(), revised);
    run.witness().saw(past.batch() < skipped.batch() ? "run rewound with a skip" : "run rewound");
    long[] used = LaneShare.resized(skipped.used(), skipped.error().length, past.error().length);
    return adopt(past.drained(0).using(used).heard(heardTo));
  }

  private ExpectedProgress adopt(ExpectedProgress next) {
    unless(says(next), "%s: %s is not what follows: %s", run.id(), next.saying(says), next);
    return next;
  }

  private boolean says(ExpectedProgress next) {
    return says.batch() == next.batch()
        && says.nextSequence() == next.nextSequence()
        && says.weightsVersion() == next.version()
        && says.round() == next.round()
        && says.baseRound() == next.baseRound()
        && says.decided().equals(next.decided())
        && says.pinned() == next.pinned()
        && says.drainTo() == next.drainTo()
        && Arrays.equals(says.policyState(), next.policyState())
        && Arrays.equals(says.planError(), next.error())
        && Arrays.equals(says.ordinals(), next.used())
        && says.masked().equals(next.masked());
  }
}
