package io.sluice.jobs.simulation;

import static io.sluice.jobs.simulation.Violation.unless;

import io.sluice.control.wire.ControlWire;
import io.sluice.control.wire.RunSpecs;
import io.sluice.mixture.decide.RunPolicy;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.EntryDigest;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunSnapshot;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStarted;
import io.sluice.schema.RunStateChanged;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a run's control log means, told from the log alone, and whether it may mean that. */
final class ControlTruth {
  private final RunModel run;
  private final RoundTruth rounds;
  private final List<ControlLog.Logged> accepted = new ArrayList<>();
  private final Lineage lineage;
  private final Map<Place, Batch> batches = new HashMap<>();
  private final TreeMap<Long, Recorded> progressAt = new TreeMap<>();
  private final List<Recorded> closed = new ArrayList<>();
  private final Set<String> answered = new HashSet<>();
  private ExpectedProgress now;
  private int revision;
  private long heardTo;
  private boolean redistributed;
  private String phase = "";

  /** A batch in the timeline that granted it. */
  record Place(int timeline, long number) {}

  /** A granted batch. */
  record Batch(int timeline, long number, long firstIndex, int size, int version, int[] counts) {}

  /**
   * What held at some time.
   *
   * @param revision how many revisions came before
   */
  private record Recorded(ExpectedProgress progress, int revision) {}

  /**
   * @param start what the run begins with
   */
  ControlTruth(RunModel run, ExpectedProgress start) {
    this.run = run;
    this.rounds = new RoundTruth(run);
    this.now = start;
    this.lineage = new Lineage(start.batch());
    this.redistributed = start.batch() > 0;
    stand();
  }

  private void stand() {
    long every = now.settings().updateEvery();
    heardTo = Math.max(heardTo, every == 0 ? now.batch() : now.round() * every);
    progressAt.put(now.batch(), new Recorded(now, revision));
  }

  /** The log got another record of the run. */
  void append(ControlLog.Logged logged) {
    ControlRecord record = logged.record();
    if (!isNext(record)) {
      run.witness().saw("control record ignored");
      return;
    }
    long serial = record.getSerial();
    boolean starts = record.getBody() instanceof RunStarted;
    unless(starts == (serial == 0), "entry %d of %s starts it", serial, run.id());
    accepted.add(logged);
    if (record.getBody() instanceof RunRevised revised) {
      revise(record, revised);
      return;
    }
    unless(record.getTimeline() == lineage.current(), "%s: timeline of %s", run.id(), record);
    if (record.getBody() instanceof LogSnapshot snapshot) {
      check(snapshot);
      return;
    }
    if (record.getBody() instanceof MixtureGrant grant) {
      unless(phase.equals("running"), "%s grants while it is %s", run.id(), phase);
      run.attached().checkComplaint(record.getWhy());
      grant(grant);
    } else if (record.getBody() instanceof RunStateChanged change) {
      change(change, record.getWhy());
    } else {
      RunStarted started = (RunStarted) record.getBody();
      RunSpec resolved = RunSpecs.complete(run.spec());
      unless(started.getSpec().equals(resolved), "%s starts with another spec", run.id());
      phase = "running";
    }
  }

  /** A snapshot says what the log before it came to. */
  private void check(LogSnapshot snapshot) {
    RunSnapshot said = snapshot.getSnapshot();
    String expected =
        List.of(
                phase,
                now.batch(),
                now.nextSequence(),
                now.version(),
                now.round(),
                Arrays.toString(now.used()),
                RunSpecs.complete(now.spec()))
            .toString();
    String found =
        List.of(
                snapshot.getState(),
                said.getBatch(),
                said.getNextSequence(),
                said.getWeightsVersion(),
                said.getRound(),
                said.getOrdinals(),
                snapshot.getSpec())
            .toString();
    unless(expected.equals(found), "%s: snapshot says %s, not %s", run.id(), found, expected);
    unless(
        answered.containsAll(snapshot.getAnswered()),
        "%s: %s were not answered",
        run.id(),
        snapshot.getAnswered());
    run.witness().saw("log summed up");
  }

  /** Whether a record is the one that applies next. */
  boolean isNext(ControlRecord record) {
    long serial = accepted.size() - 1L;
    long offset = accepted.isEmpty() ? -1 : accepted.get(accepted.size() - 1).offset();
    Long digest = record.getBasedOnDigest();
    if (digest != null) {
      byte[] before = accepted.isEmpty() ? new byte[0] : accepted.get(accepted.size() - 1).value();
      unless(
          record.getSerial() != serial + 1
              || record.getBasedOn() != offset
              || digest == EntryDigest.of(before),
          "%s is based on another entry than the one at offset %d",
          record,
          offset);
    }
    return record.getSerial() == serial + 1 && record.getBasedOn() == offset;
  }

  private void change(RunStateChanged change, String why) {
    if (change.getRefused()) {
      unless(change.getState().equals(phase), "%s: %s while it is %s", run.id(), change, phase);
      unless(answered.add(change.getCommandId()), "%s: %s again", run.id(), change);
      boolean stale = why.contains("the snapshot is older than the log");
      run.witness().saw(stale ? "rewind from an older log refused" : "command refused");
      return;
    }
    unless(
        !ended() || change.getState().equals("deleted"),
        "%s is %s after its end",
        run.id(),
        change);
    unless(!change.getState().equals("failed"), "%s failed: %s", run.id(), why);
    phase = change.getState();
    answered.add(change.getCommandId());
    run.witness().saw("run " + phase);
  }

  private void grant(MixtureGrant grant) {
    unless(grant.getAfter() == granted(), "%s: a grant after %d", run.id(), grant.getAfter());
    if (grant.getDecision() != null) {
      now = rounds.decide(now, lineage, grant.getDecision());
      closed.add(new Recorded(now, revision));
      stand();
    }
    checkReach(grant.getTo());
    unless(grant.getWeightsVersion() == now.version(), "%s: version %s", run.id(), grant);
    Weights effective = ControlWire.weights(grant.getEffectiveWeights());
    checkMask(effective);
    for (int row = 0; row < grant.getTo() - grant.getAfter(); row++) {
      plan(grant, row, effective);
    }
  }

  /** I5 for the grants themselves: not beyond the lead, nor beyond what the round governs. */
  private void checkReach(long to) {
    long reached = run.progress(lineage.current(), granted());
    boolean hears = !RunPolicy.make(now.settings()).metrics().isEmpty();
    long lead = now.settings().lead() == 0 && !hears ? 256 : now.settings().lead();
    unless(
        lead == 0 || to <= Math.max(now.drainTo(), reached + lead),
        "%s: batch %d is granted, trainers are at %d, lead is %d",
        run.id(),
        to,
        reached,
        lead);
    long end = Math.max(now.drainTo(), now.settings().lastBatchOf(now.round()));
    unless(to <= end, "%s: batch %d is beyond round %d", run.id(), to, now.round());
  }

  private void checkMask(Weights effective) {
    ExpectedProgress masked = now.granted(new int[effective.size()], effective);
    for (int i = 0; i < effective.size(); i++) {
      if (masked.masked().get(i) && !now.masked().get(i)) {
        unless(run.corpus().ended(i), "%s: domain %d is masked and has not ended", run.id(), i);
        run.witness().saw("domain masked");
      }
    }
    unless(
        effective.equals(now.decided().without(masked.masked())),
        "%s: effective weights %s are not the decided %s without %s",
        run.id(),
        effective,
        now.decided(),
        masked.masked());
  }

  /** I2: the counts keep the plan's bounds, the batch sizes, and what there is. */
  private void plan(MixtureGrant grant, int row, Weights effective) {
    long number = grant.getAfter() + row + 1;
    int size = grant.getBatchSizes().get(row);
    RunSettings settings = now.settings();
    unless(size == settings.batchSize(number), "%s: batch %d has %d", run.id(), number, size);
    long first = now.nextSequence();
    unless(row > 0 || grant.getFirstSequence() == first, "%s: %s starts wrong", run.id(), grant);
    int[] counts = new int[effective.size()];
    int total = 0;
    for (int i = 0; i < counts.length; i++) {
      counts[i] = grant.getCounts().get(row * counts.length + i);
      total += counts[i];
    }
    unless(total == size, "%s: batch %d: counts are %d of %d", run.id(), number, total, size);
    long[] before = now.used();
    now = now.granted(counts, effective);
    checkBounds(grant);
    for (int i = 0; i < counts.length; i++) {
      checkSeats(i, counts[i], effective);
    }
    checkBlocks(before);
    checkLanes(first, before);
    stand();
    int timeline = lineage.current();
    batches.put(
        new Place(timeline, number),
        new Batch(timeline, number, first, size, now.version(), counts));
  }

  /** Where a domain was behind, nothing reaches beyond what the grant says was there. */
  private void checkBounds(MixtureGrant grant) {
    List<Long> bounds = grant.getSupply();
    if (bounds.isEmpty()) {
      return;
    }
    int lanes = now.settings().lanes();
    run.witness().saw(lanes == 1 ? "seats redistributed" : "seats redistributed over lanes");
    redistributed = true;
    unless(now.spec().getWhenBehind().equals("redistribute"), "%s: %s", run.id(), grant);
    unless(bounds.size() == now.used().length, "%s: %s", run.id(), grant);
    for (int i = 0; i < bounds.size(); i++) {
      long used = now.used()[i];
      boolean within = used <= Math.max(bounds.get(i), used(grant.getAfter(), i));
      unless(within, "%s: place %d: %d of %d", run.id(), i, used, bounds.get(i));
    }
  }

  private long used(long batch, int place) {
    return progressAt.get(batch).progress().used()[place];
  }

  private void checkSeats(int domain, int count, Weights effective) {
    double bound = -1;
    for (int i = 1; i <= effective.size(); i++) {
      bound += 1.0 / i;
    }
    double owed = now.error()[domain] / (double) Weights.UNIT;
    unless(
        effective.part(domain) > 0 || count == 0,
        "%s: domain %d has a seat in batch %d",
        run.id(),
        domain,
        now.batch());
    boolean kept = redistributed || (owed > -1 && owed <= bound);
    unless(kept, "%s: domain %d is owed %s", run.id(), domain, owed);
  }

  /** A lane gets no block that is not there. */
  private void checkBlocks(long[] before) {
    int domains = now.error().length;
    for (int place = 0; place < before.length; place++) {
      int lane = place / domains;
      int domain = place % domains;
      long used = now.used()[place];
      int epochs = now.settings().epochs().get(domain);
      unless(
          used == before[place] || used <= run.corpus().usable(lane, domain, epochs),
          "%s: domain %d, lane %d: %d are granted",
          run.id(),
          domain,
          lane,
          used);
    }
  }

  /** A lane has the seats of its stream partitions. */
  private void checkLanes(long first, long[] before) {
    int lanes = now.settings().lanes();
    int domains = now.error().length;
    long[] seats = new long[lanes];
    for (long index = first; index < now.nextSequence(); index++) {
      seats[(int) (index % lanes)]++;
    }
    for (int place = 0; place < before.length; place++) {
      long more = now.used()[place] - before[place];
      seats[place / domains] -= more;
      unless(more >= 0, "%s: place %d has %d sequences more", run.id(), place, more);
    }
    for (long left : seats) {
      unless(left == 0, "%s: lanes lack %s", run.id(), Arrays.toString(seats));
    }
    if (lanes > 1) {
      run.witness().saw("batch shared by lanes");
    }
  }

  private void revise(ControlRecord record, RunRevised revised) {
    unless(!ended(), "%s is revised after its end", run.id());
    unless(answered.add(revised.getCommandId()), "%s: %s again", run.id(), revised);
    Object asked = run.asked(revised.getCommandId());
    RevisionTruth truth = new RevisionTruth(run, revised);
    if (record.getTimeline() == lineage.current()) {
      now = truth.inPlace(now, asked);
    } else {
      unless(record.getTimeline() == lineage.current() + 1, "%s: %s", run.id(), record);
      rewind(truth, revised.getSnapshot().getBatch(), revised.getSkippedTo(), asked);
    }
    revision++;
    stand();
  }

  private void rewind(RevisionTruth truth, long batch, long skippedTo, Object asked) {
    unless(
        progressAt.firstKey() <= batch && batch <= skippedTo && skippedTo <= granted(),
        "%s is rewound to batch %d, with the data of %d",
        run.id(),
        batch,
        skippedTo);
    now = truth.rewound(past(batch), progressAt.get(skippedTo).progress(), heardTo, asked);
    heardTo = Math.min(heardTo, batch);
    progressAt.tailMap(batch, false).clear();
    closed.removeIf(round -> round.progress().batch() >= batch && step(round) > batch);
    lineage.open(batch);
  }

  private static long step(Recorded round) {
    return round.progress().round() * round.progress().settings().updateEvery();
  }

  /**
   * As of a batch of the lineage: what was changed at it by hand stands, and so does every round of
   * a step up to it.
   */
  private ExpectedProgress past(long batch) {
    Recorded recorded = progressAt.get(batch);
    ExpectedProgress past = recorded.progress();
    for (Recorded round : closed) {
      ExpectedProgress then = round.progress();
      boolean stands =
          round.revision() == recorded.revision()
              && then.round() > past.round()
              && step(round) <= batch;
      past = stands ? past.deciding(then) : past;
    }
    return past;
  }

  long granted() {
    return now.batch();
  }

  /** A batch of the current lineage, from 1. */
  Batch batch(long number) {
    return batches.get(new Place(lineage.owner(number), number));
  }

  /** A granted batch; null if that timeline has not granted it. */
  @Nullable Batch batch(int timeline, long number) {
    return batches.get(new Place(timeline, number));
  }

  /** Who owns which batch. */
  Lineage lineage() {
    return lineage;
  }

  /** Records that apply, in order. */
  List<ControlLog.Logged> accepted() {
    return accepted;
  }

  /** What is decided as of the last granted batch. */
  ExpectedProgress now() {
    return now;
  }

  /** First batch that the run can be rewound to. */
  long first() {
    return progressAt.firstKey();
  }

  /** Whether the log has answered a command. */
  boolean hasAnswered(String commandId) {
    return answered.contains(commandId);
  }

  String phase() {
    return phase;
  }

  boolean ended() {
    return !phase.isEmpty() && !phase.equals("running") && !phase.equals("paused");
  }
}
