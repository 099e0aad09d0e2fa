package io.sluice.jobs.mix.source;

import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.split.Pace;
import io.sluice.jobs.mix.split.RunLayout;
import io.sluice.jobs.mix.split.SplitCursor;
import io.sluice.jobs.mix.stream.StreamTarget;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Body;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.PhaseChange;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.mixture.log.Lineage;
import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.LogSummary;
import io.sluice.mixture.log.RunLimits;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.log.Snapshot;
import io.sluice.mixture.plan.LaneShare;
import io.sluice.mixture.plan.MixturePlan;
import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.smoothing.Guards;
import io.sluice.schema.ChainHash;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** A run's control log, written as the rules demand. */
public final class TestingRun {
  public static final int PARTITIONS = 3;
  private static final long SEED = 42;

  private final String runId;
  private final RunLayout layout;
  private MixturePlan plan;
  private final List<Entry> log = new ArrayList<>();
  private LogPosition position;
  private final List<MixSplit> splits = new ArrayList<>();
  private List<String> domains;
  private long sequences;
  private long[] ordinals;
  private final NavigableMap<Long, Snapshot> ends = new TreeMap<>();
  private Lineage lineage = Lineage.start();
  private RunPhase phase = RunPhase.RUNNING;

  /** An entry at its offset. */
  public record Entry(ControlEntry entry, long offset) {}

  public TestingRun(String run, int domains) {
    this(run, domains, 7);
  }

  /** A run whose first entry is at an offset of the log. */
  public TestingRun(String run, int domains, long offset) {
    this(run, names(domains), offset, start(domains, 1));
  }

  /** A run over a dataset of several lanes. */
  public static TestingRun ofLanes(String run, int domains, int lanes) {
    return new TestingRun(run, names(domains), 7, start(domains, lanes));
  }

  /** A run that begins with the state that another one had. */
  public TestingRun(String run, List<String> domains, long offset, Snapshot from) {
    runId = run + ".1";
    this.domains = domains;
    int lanes = from.ordinals().length / domains.size();
    long chainStart = ChainHash.start(MixturePlan.VERSION, runId);
    layout =
        new RunLayout(
            run, "", "data", 0xFEEDL, domains, PARTITIONS, lanes, SEED, chainStart, Pace.FREE);
    position = new LogPosition(runId, 0, 0, offset, from.batch());
    for (int lane = 0; lane < lanes; lane++) {
      SplitCursor cursor = SplitCursor.start(position, layout, from, lane);
      splits.add(new MixSplit(runId, lane, 0, layout, cursor));
    }
    plan = MixturePlan.start(domains.size());
    ordinals = new long[domains.size()];
    goOn(from);
  }

  private void goOn(Snapshot from) {
    plan = MixturePlan.resume(MixturePlan.VERSION, from.planError());
    sequences = from.nextSequence();
    ordinals = from.ordinals().clone();
    ends.tailMap(from.batch(), true).clear();
    ends.put(from.batch(), from);
  }

  public static List<String> names(int domains) {
    return IntStream.range(0, domains).mapToObj(i -> "d" + i).toList();
  }

  private static Snapshot start(int domains, int lanes) {
    return snapshot(0, 0, new long[domains], new long[lanes * domains]);
  }

  /** A snapshot whose policy has nothing to tell. */
  public static Snapshot snapshot(long batch, long sequences, long[] error, long[] ordinals) {
    return new Snapshot(
        batch,
        sequences,
        1,
        0,
        0,
        Weights.uniform(error.length),
        false,
        0,
        new byte[0],
        error,
        ordinals,
        new BitSet());
  }

  public RunLayout layout() {
    return layout;
  }

  StreamTarget target() {
    return new StreamTarget(runId, "stream." + layout.run(), "");
  }

  public MixSplit split() {
    return splits.get(0);
  }

  /** One for each lane. */
  public List<MixSplit> splits() {
    return splits;
  }

  public List<Entry> log() {
    return log;
  }

  public LogPosition position() {
    return position;
  }

  /** Grants batches of a size, mixed by weights. */
  public TestingRun grant(Weights weights, int batches, int size) {
    int[] sizes = new int[batches];
    Arrays.fill(sizes, size);
    long after = position.granted();
    long first = sequences;
    int k = domains.size();
    int[] counts = new int[batches * k];
    for (int batch = 0; batch < batches; batch++) {
      int[] row = plan.next(weights, size);
      System.arraycopy(row, 0, counts, batch * k, k);
      LaneShare.of(row, sequences, ordinals).addTo(ordinals);
      sequences += size;
      long done = after + batch + 1;
      ends.put(done, snapshot(done, sequences, plan.error(), ordinals.clone()));
    }
    return write(
        new Grant(
            after,
            after + batches,
            first,
            1,
            sizes,
            counts,
            weights,
            new long[0],
            Optional.empty()));
  }

  /** What was decided as of the end of a granted batch. */
  public Snapshot end(long batch) {
    return ends.get(batch);
  }

  /** Opens the next timeline after a batch, with the data from after another. */
  public TestingRun rewind(long batch, long skippedTo) {
    Snapshot at = end(batch);
    domains = domains.subList(0, at.planError().length);
    Snapshot from = snapshot(batch, at.nextSequence(), at.planError(), end(skippedTo).ordinals());
    return revise(position.timeline() + 1, new Revised("c", settings(), from, skippedTo));
  }

  /** Adds a domain after the last granted batch. */
  public TestingRun addDomain(String name) {
    domains = new ArrayList<>(domains);
    domains.add(name);
    int k = domains.size();
    long[] error = Arrays.copyOf(plan.error(), k);
    Snapshot from =
        snapshot(position.granted(), sequences, error, LaneShare.resized(ordinals, k - 1, k));
    return revise(position.timeline(), new Revised("c", settings(), from, from.batch()));
  }

  /** Revises the run after its last granted batch in a way that the stream does not show. */
  public TestingRun reweigh() {
    Snapshot from = end(position.granted());
    return revise(position.timeline(), new Revised("c", settings(), from, from.batch()));
  }

  public TestingRun revise(int timeline, Revised body) {
    LogPosition before = position;
    if (timeline != before.timeline()) {
      lineage = lineage.opened(timeline, body.snapshot().batch());
    }
    position = new LogPosition(runId, timeline, before.serial(), before.offset(), before.granted());
    write(body);
    goOn(body.snapshot());
    return this;
  }

  public RunSettings settings() {
    return new RunSettings(
        domains,
        new TreeMap<>(Map.of(1L, 8)),
        Collections.emptyNavigableMap(),
        Collections.emptySortedMap(),
        0,
        SEED,
        Weights.uniform(domains.size()),
        "static",
        Map.of(),
        0,
        0,
        false,
        1,
        0,
        Guards.average(1),
        Collections.nCopies(domains.size(), 1),
        false,
        Set.of(),
        layout.lanes(),
        RunLimits.NONE);
  }

  public TestingRun phase(RunPhase next) {
    phase = next;
    return write(new PhaseChange(phase, "c"));
  }

  /** Says what the log has come to. */
  public TestingRun sumUp() {
    return write(
        new LogSummary(
            MixturePlan.VERSION,
            settings(),
            phase,
            lineage,
            end(position.granted()),
            0,
            new TreeMap<>(),
            List.of()));
  }

  /** The run as if it had a log of its own. */
  public List<MixSplit> splitsWithOwnLog() {
    return splits.stream()
        .map(s -> new MixSplit(runId, s.lane(), MixSplit.OWN_LOG, layout, s.cursor()))
        .toList();
  }

  TestingRun write(Body body) {
    ControlEntry entry = next(body);
    long offset = position.offset() + 3;
    log.add(new Entry(entry, offset));
    position = position.after(entry, offset);
    return this;
  }

  /** The entry that would come next. */
  ControlEntry next(Body body) {
    return new ControlEntry(
        runId, position.timeline(), position.serial() + 1, position.offset(), "test", body);
  }

  /** Bytes of a block, which tell it apart from every other. */
  public static byte[] block(int domain, long stored) {
    return ("block " + domain + ":" + stored).getBytes(StandardCharsets.UTF_8);
  }

  /** What {@link #block} encoded. */
  public static String text(ByteBuffer block) {
    return StandardCharsets.UTF_8.decode(block.duplicate()).toString();
  }
}
