package io.sluice.jobs.mix.source;

import io.sluice.jobs.mix.stream.StreamTarget;
import io.sluice.mixture.control.ControlEntry;
import io.sluice.mixture.control.ControlEntry.Body;
import io.sluice.mixture.control.ControlEntry.Grant;
import io.sluice.mixture.control.ControlEntry.PhaseChange;
import io.sluice.mixture.control.LogPosition;
import io.sluice.mixture.control.RunPhase;
import io.sluice.mixture.plan.MixturePlan;
import io.sluice.mixture.plan.Weights;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A run's control log, written as the rules demand. */
final class TestingRun {
  static final int PARTITIONS = 3;

  private final String runId;
  private final RunLayout layout;
  private final MixturePlan plan;
  private final List<Entry> log = new ArrayList<>();
  private LogPosition position;
  private final MixSplit split;
  private long sequences;

  /** An entry at its offset. */
  record Entry(ControlEntry entry, long offset) {}

  TestingRun(String run, int domains) {
    this(run, domains, 7);
  }

  /** A run whose first entry is at an offset of the log. */
  TestingRun(String run, int domains, long offset) {
    runId = run + "-1";
    layout =
        new RunLayout(
            run,
            "",
            "data",
            0xFEEDL,
            IntStream.range(0, domains).mapToObj(i -> "d" + i).toList(),
            PARTITIONS,
            42);
    plan = MixturePlan.start(domains);
    position = new LogPosition(runId, 0, 0, offset, 0);
    split = new MixSplit(runId, 0, 0, layout, SplitCursor.start(position, layout));
  }

  RunLayout layout() {
    return layout;
  }

  StreamTarget target() {
    return new StreamTarget(runId, "stream." + layout.run(), "");
  }

  MixSplit split() {
    return split;
  }

  List<Entry> log() {
    return log;
  }

  LogPosition position() {
    return position;
  }

  /** Grants batches of a size, mixed by weights. */
  TestingRun grant(Weights weights, int batches, int size) {
    int[] sizes = new int[batches];
    Arrays.fill(sizes, size);
    int[] counts =
        IntStream.range(0, batches)
            .mapToObj(batch -> plan.next(weights, size))
            .flatMapToInt(Arrays::stream)
            .toArray();
    long after = position.granted();
    Grant grant =
        new Grant(after, after + batches, sequences, 1, sizes, counts, weights, Optional.empty());
    sequences += (long) batches * size;
    return write(grant);
  }

  TestingRun phase(RunPhase phase) {
    return write(new PhaseChange(phase, "c"));
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
    return new ControlEntry(runId, 0, position.serial() + 1, position.offset(), "test", body);
  }

  /** Bytes of a block, which tell it apart from every other. */
  static byte[] block(int domain, long stored) {
    return ("block " + domain + ":" + stored).getBytes(StandardCharsets.UTF_8);
  }
}
