package io.sluice.jobs.derive;

import io.sluice.control.topics.RunLog;
import io.sluice.control.wire.ControlWire;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.plan.LaneShare;
import io.sluice.mixture.plan.MixturePlan;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.ChainHash;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.EntryDigest;
import io.sluice.schema.GoverningEntry;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RunOrigin;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunSnapshot;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStarted;
import io.sluice.schema.TimelineOpening;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A run's own control log, written as the rules demand. */
final class LoggedRun {
  private final String runId;
  private final List<Logged> log = new ArrayList<>();
  private final List<TimelineOpening> openings = new ArrayList<>();
  private final NavigableMap<Long, State> ends = new TreeMap<>();
  private RunSpec spec;
  private Weights weights;
  private int version;
  private int timeline;
  private long granted;
  private long sequences;
  private MixturePlan plan;
  private long[] ordinals;

  /** A record of the log. */
  @SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
  record Logged(long offset, ControlRecord record, byte[] value) {
    ControlEntry entry() {
      return ControlWire.read(record, value);
    }

    /** What it starts the run with. */
    RunSpec spec() {
      return ((RunStarted) record.getBody()).getSpec();
    }
  }

  /** What is decided as of the end of a batch. */
  private record State(RunSpec spec, RunSnapshot snapshot) {}

  /** A run that begins by itself. */
  LoggedRun(String runId, RunSpec spec) {
    this(runId, spec, null);
  }

  /** A run that begins where another was. */
  LoggedRun(String runId, RunSpec spec, @Nullable RunOrigin origin) {
    this.runId = runId;
    this.spec = spec;
    this.weights = ControlWire.weights(spec.getInitialWeights());
    this.version = 1;
    this.plan = MixturePlan.start(spec.getDomains().size());
    this.ordinals = new long[spec.getLanes() * spec.getDomains().size()];
    if (origin != null) {
      goOn(origin.getSnapshot());
    }
    RunSnapshot begin = origin == null ? snapshot() : null;
    openings.add(new TimelineOpening(0, granted, sequences));
    List<Long> zeros = Collections.nCopies(spec.getDomains().size(), 0L);
    write(new RunStarted(spec, MixturePlan.VERSION, "", zeros, origin, begin));
    keep();
  }

  String runId() {
    return runId;
  }

  RunSpec spec() {
    return spec;
  }

  List<Logged> log() {
    return log;
  }

  long granted() {
    return granted;
  }

  /** First batch that it can be rewound to. */
  long first() {
    return ends.firstKey();
  }

  /** What governs after a batch. */
  RunSpec specAt(long batch) {
    return ends.floorEntry(batch).getValue().spec();
  }

  /** Shares of the mixture. */
  double[] shares() {
    return weights.shares();
  }

  /** The timeline that owns a batch. */
  int owner(long batch) {
    int owner = 0;
    for (TimelineOpening opening : openings) {
      owner = opening.getAfter() < batch ? opening.getTimeline() : owner;
    }
    return owner;
  }

  /** Grants so many more batches. */
  LoggedRun grant(int batches) {
    int k = spec.getDomains().size();
    List<Integer> sizes = new ArrayList<>();
    List<Integer> counts = new ArrayList<>();
    long after = granted;
    long first = sequences;
    for (int i = 0; i < batches; i++) {
      int size = size(granted + 1);
      int[] row = plan.next(weights, size);
      LaneShare.of(row, sequences, ordinals).addTo(ordinals);
      granted++;
      sequences += size;
      sizes.add(size);
      Arrays.stream(row).forEach(counts::add);
      keep();
    }
    List<Long> effective = ControlWire.boxed(weights);
    if (effective.size() != k) {
      throw new IllegalStateException("weights are of " + effective.size() + " domains");
    }
    write(
        new MixtureGrant(
            after, granted, first, version, sizes, counts, effective, List.of(), null));
    return this;
  }

  private int size(long batch) {
    int size = 0;
    for (var each : spec.getBatchSizes()) {
      size = each.getFromBatch() <= batch ? each.getSequences() : size;
    }
    return size;
  }

  /** Sets the weights by hand. */
  LoggedRun reweigh(double... shares) {
    weights = Weights.ofShares(shares);
    version++;
    return revise(spec, granted);
  }

  private LoggedRun revise(RunSpec next, long skippedTo) {
    spec = next;
    keep();
    write(new RunRevised("c" + log.size(), spec, snapshot(), skippedTo));
    return this;
  }

  /** Adds a domain, which gets a share of the mixture. */
  LoggedRun add(String domain, double share) {
    int k = spec.getDomains().size();
    List<String> domains = new ArrayList<>(spec.getDomains());
    domains.add(domain);
    List<Integer> epochs = new ArrayList<>(spec.getEpochs());
    epochs.add(1);
    double[] shares = Arrays.copyOf(weights.shares(), k + 1);
    Arrays.setAll(shares, i -> i == k ? share : shares[i] * (1 - share));
    weights = Weights.ofShares(shares);
    version++;
    plan = plan.resized(k + 1);
    ordinals = LaneShare.resized(ordinals, k, k + 1);
    List<Long> initial = new ArrayList<>(spec.getInitialWeights());
    initial.add(0L);
    RunSpec next =
        RunSpec.newBuilder(spec)
            .setDomains(domains)
            .setEpochs(epochs)
            .setInitialWeights(initial)
            .build();
    return revise(next, granted);
  }

  /** Takes a domain out. */
  LoggedRun remove(String domain) {
    double[] shares = weights.shares();
    shares[spec.getDomains().indexOf(domain)] = 0;
    weights = Weights.ofShares(shares);
    version++;
    List<String> removed = new ArrayList<>(spec.getRemoved());
    removed.add(domain);
    return revise(RunSpec.newBuilder(spec).setRemoved(removed).build(), granted);
  }

  /** Opens the next timeline after a batch, with the data from after another. */
  LoggedRun rewind(long batch, long skippedTo) {
    State at = ends.get(batch);
    List<Long> used = ends.get(skippedTo).snapshot().getOrdinals();
    int lanes = spec.getLanes();
    int before = at.snapshot().getPlanError().size();
    long[] skipped =
        LaneShare.resized(
            used.stream().mapToLong(Long::longValue).toArray(), used.size() / lanes, before);
    timeline++;
    spec = at.spec();
    goOn(at.snapshot());
    ordinals = skipped;
    ends.tailMap(batch, false).clear();
    openings.subList(1, openings.size()).removeIf(opening -> opening.getAfter() >= batch);
    openings.add(new TimelineOpening(timeline, granted, sequences));
    return revise(spec, skippedTo);
  }

  /** Says what the log has come to. */
  LoggedRun sumUp() {
    Logged last = log.get(log.size() - 1);
    write(
        LogSnapshot.newBuilder()
            .setDigest(ChainHash.fnv(ChainHash.FNV_OFFSET, last.value()))
            .setPlanVersion(MixturePlan.VERSION)
            .setStreamTopicId("")
            .setSpec(spec)
            .setState("running")
            .setWhy("")
            .setSnapshot(snapshot())
            .setHeardTo(0)
            .setRounds(0)
            .setOpenings(openings)
            .setRevisions(List.of())
            .setGoverning(List.of(new GoverningEntry(0L, 0L, first(), 0L)))
            .setOrigin(null)
            .setAnswered(List.of())
            .setEarlier(List.of())
            .build());
    return this;
  }

  /** Where a fork of a batch begins. */
  RunOrigin origin(long batch) {
    return new RunOrigin(runId, owner(batch), ends.get(batch).snapshot());
  }

  private void goOn(RunSnapshot from) {
    granted = from.getBatch();
    sequences = from.getNextSequence();
    version = from.getWeightsVersion();
    weights = ControlWire.weights(from.getWeights());
    plan = MixturePlan.resume(MixturePlan.VERSION, longs(from.getPlanError()));
    ordinals = longs(from.getOrdinals());
  }

  private static long[] longs(List<Long> values) {
    return values.stream().mapToLong(Long::longValue).toArray();
  }

  private static List<Long> boxed(long[] values) {
    return Arrays.stream(values).boxed().toList();
  }

  private void keep() {
    ends.put(granted, new State(spec, snapshot()));
  }

  private RunSnapshot snapshot() {
    return RunSnapshot.newBuilder()
        .setBatch(granted)
        .setNextSequence(sequences)
        .setWeightsVersion(version)
        .setRound(0)
        .setBaseRound(0)
        .setWeights(ControlWire.boxed(weights))
        .setPinned(false)
        .setPolicyState(ByteBuffer.allocate(0))
        .setPlanError(boxed(plan.error()))
        .setOrdinals(boxed(ordinals))
        .setMasked(spec.getRemoved().stream().map(spec.getDomains()::indexOf).toList())
        .build();
  }

  private void write(Object body) {
    Logged last = log.isEmpty() ? null : log.get(log.size() - 1);
    ControlRecord record =
        ControlRecord.newBuilder()
            .setRunId(runId)
            .setTimeline(timeline)
            .setSerial(log.size())
            .setBasedOn(last == null ? -1 : last.offset())
            .setBasedOnDigest(EntryDigest.of(last == null ? new byte[0] : last.value()))
            .setWriter("w")
            .setTimeMillis(0)
            .setWhy("")
            .setBody(body)
            .build();
    log.add(new Logged(2L * log.size(), record, ControlWire.encode(record, RunLog.OWN)));
  }
}
