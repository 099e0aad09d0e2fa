package io.sluice.jobs.simulation;

import io.sluice.control.wire.ControlWire;
import io.sluice.jobs.mix.source.SimulatedSplit;
import io.sluice.jobs.mix.split.BrokenRunException;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.stream.StreamRecord;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.plan.MixturePlan;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.RunStarted;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A lane's split of a run, and the sink that it is chained to. */
final class Writer {
  /** Sequences that may be on their way to the broker. */
  static final int WINDOW = 12;

  private final World world;
  private final RunModel run;
  private final int lane;
  private final List<ArrayDeque<StreamRecord>> unwritten = new ArrayList<>();
  private byte[] kept = {};
  private @Nullable SimulatedSplit split;
  private long controlRead = ControlLog.START;
  private boolean failed;

  Writer(World world, RunModel run, int lane) {
    this.world = world;
    this.run = run;
    this.lane = lane;
    for (int p = 0; p < run.spec().getStreamPartitions(); p++) {
      unwritten.add(new ArrayDeque<>());
    }
  }

  RunModel run() {
    return run;
  }

  /**
   * Begins without anything that it knew: where the stream ends, as far as its last records tell.
   */
  void forget() {
    Optional<MixSplit> found;
    try {
      found = Resumption.of(world, run, lane);
    } catch (BrokenRunException unclear) {
      // It would end here; so this did not happen.
      run.witness().saw("split stopped that could not tell where its stream ends");
      return;
    }
    failed = false;
    unwritten.forEach(ArrayDeque::clear);
    kept = new byte[0];
    split = found.map(SimulatedSplit::new).orElse(null);
    controlRead = found.map(begun -> begun.cursor().control().offset()).orElse(ControlLog.START);
  }

  /** Reads the log's next record; false at its end. */
  boolean readControl() {
    Long next = world.log().next(controlRead);
    if (next == null) {
      return false;
    }
    controlRead = next;
    world
        .log()
        .read(next)
        .filter(logged -> logged.record().getRunId().equals(run.id()))
        .ifPresent(this::follow);
    return true;
  }

  private void follow(ControlLog.Logged logged) {
    long offset = logged.offset();
    ControlRecord record = world.conduct().sequence(this, logged.record(), offset);
    ControlEntry entry = ControlWire.read(record, logged.value());
    SimulatedSplit current = split;
    if (current != null) {
      boolean jumps = jumps(current, entry);
      current.apply(entry, offset);
      split = jumps ? SimulatedSplit.start(run.spec(), lane, begun(entry), offset) : current;
    } else if (record.getBody() instanceof RunStarted
        && LogPosition.start(run.id()).accepts(entry)) {
      split = SimulatedSplit.start(run.spec(), lane, entry, offset);
    }
  }

  /** Whether it passes over the batches that a rewind leaves to it, as none may. */
  private boolean jumps(SimulatedSplit current, ControlEntry entry) {
    return !world.conduct().finishesBeforeRewind()
        && current.position().accepts(entry)
        && entry.timeline() > current.position().timeline();
  }

  private static ControlEntry begun(ControlEntry rewind) {
    ControlEntry.Revised revised = (ControlEntry.Revised) rewind.body();
    return new ControlEntry(
        rewind.runId(),
        rewind.timeline(),
        rewind.serial(),
        rewind.basedOn(),
        rewind.digests(),
        rewind.why(),
        new ControlEntry.Started(MixturePlan.VERSION, revised.settings(), revised.snapshot()));
  }

  /**
   * Goes back to before the oldest grant that is not used up, and reads the log again from there.
   */
  void reread() {
    SimulatedSplit current = split;
    if (current != null) {
      SimulatedSplit earlier = SimulatedSplit.restore(current.kept());
      split = earlier;
      controlRead = earlier.position().offset();
    }
  }

  /** Where it stands in the log; null before the run's start. */
  @Nullable LogPosition position() {
    return split == null ? null : split.position();
  }

  /** Fetches blocks and hands on up to {@code most} sequences; how many they were. */
  int emit(int most) {
    SimulatedSplit current = split;
    if (current == null || failed) {
      return 0;
    }
    current.fetch(run.corpus().lane(lane), 8);
    int emitted = 0;
    while (emitted < most && onTheirWay() < WINDOW) {
      StreamRecord record = current.next();
      if (record == null) {
        break;
      }
      run.emitted(record);
      unwritten.get(record.partition()).add(record);
      emitted++;
    }
    return emitted;
  }

  private int onTheirWay() {
    return unwritten.stream().mapToInt(ArrayDeque::size).sum();
  }

  /** Writes some of what waits for a partition, in order. */
  void write(int partition, int most) {
    ArrayDeque<StreamRecord> waiting = unwritten.get(partition);
    for (int left = Math.min(most, waiting.size()); left > 0; left--) {
      run.write(waiting.remove());
    }
  }

  void flush() {
    for (int p = 0; p < unwritten.size(); p++) {
      write(p, Integer.MAX_VALUE);
    }
  }

  /**
   * The broker stays away until some records have timed out, then takes what was sent after them.
   * The writer goes on from its checkpoint, as after any failure.
   */
  void stall(Random random) {
    ArrayDeque<StreamRecord> waiting = unwritten.get(random.nextInt(unwritten.size()));
    for (int lost = 1 + random.nextInt(4); lost > 0 && !waiting.isEmpty(); lost--) {
      waiting.remove();
    }
    failed = world.conduct().stopsAtFailure();
    for (int late = random.nextInt(6); late > 0 && !waiting.isEmpty(); late--) {
      run.write(waiting.remove());
    }
  }

  /** Keeps what it has emitted; not after a failure. */
  void checkpoint() {
    if (failed) {
      crash();
      return;
    }
    if (world.conduct().flushesBeforeCheckpoint()) {
      flush();
    }
    SimulatedSplit current = split;
    kept = current == null ? new byte[0] : current.kept();
  }

  /** Loses what is not written, and goes on from its checkpoint. */
  void crash() {
    failed = false;
    unwritten.forEach(ArrayDeque::clear);
    if (kept.length == 0) {
      split = null;
      controlRead = ControlLog.START;
      forget();
    } else {
      SimulatedSplit restored = SimulatedSplit.restore(kept);
      split = restored;
      // A reader follows the log from where its splits stand.
      controlRead = restored.position().offset();
    }
  }

  /** Goes on from another writer's checkpoint while that one lives. */
  void takeOver(Writer other) {
    kept = other.kept;
    crash();
  }

  /** What it waits for, for people. */
  String waits() {
    SimulatedSplit current = split;
    return "lane " + lane + ": " + (current == null ? "no split" : current.awaited());
  }
}
