package io.sluice.jobs.mix.source;

import io.sluice.jobs.mix.fetch.FetchPlan;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.split.MixSplitSerializer;
import io.sluice.jobs.mix.split.RunLayout;
import io.sluice.jobs.mix.split.SplitCursor;
import io.sluice.jobs.mix.stream.StreamGate;
import io.sluice.jobs.mix.stream.StreamRecord;
import io.sluice.jobs.mix.stream.StreamTarget;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.Snapshot;
import io.sluice.schema.ChainHash;
import io.sluice.schema.RunSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A split as a reader works on it, fetching from block partitions in memory. */
public final class SimulatedSplit {
  private static final MixSplitSerializer FORMAT = new MixSplitSerializer();
  private static final long BUDGET = 1 << 20;

  private MixSplit split;
  private FetchPlan plan;
  private BatchSequencer sequencer;
  private final List<Read> putOff = new ArrayList<>();

  private record Read(ControlEntry entry, long offset) {}

  /** One lane's block partitions of a run's domains, as far as they are committed. */
  public interface Blocks {
    /** Blocks that can be read. */
    long size(int domain);

    /** Whether the marker that ends the partition can be read after them. */
    boolean ended(int domain);

    byte[] block(int domain, long stored);
  }

  public SimulatedSplit(MixSplit split) {
    this.split = split;
    this.plan = plan(split);
    this.sequencer = sequencer(split, plan);
  }

  private static FetchPlan plan(MixSplit split) {
    return new FetchPlan(split.layout(), split.lane(), split.cursor(), BUDGET);
  }

  private static BatchSequencer sequencer(MixSplit split, FetchPlan plan) {
    return new BatchSequencer(
        split, new StreamTarget(split.runId(), "stream", ""), new StreamGate(() -> {}), plan);
  }

  /** A lane's split of a run whose first entry was read at an offset. */
  public static SimulatedSplit start(RunSpec spec, int lane, ControlEntry entry, long offset) {
    return new SimulatedSplit(begun(spec, lane, entry, offset));
  }

  /** The same, before anybody works on it. */
  public static MixSplit begun(RunSpec spec, int lane, ControlEntry entry, long offset) {
    ControlEntry.Started started = (ControlEntry.Started) entry.body();
    long chainStart = ChainHash.start(started.planVersion(), entry.runId());
    RunLayout layout = RunLayout.of(spec, "", chainStart);
    LogPosition at = LogPosition.start(entry.runId()).after(entry, offset);
    Snapshot from = started.snapshot();
    SplitCursor cursor = SplitCursor.start(at, layout, from, lane);
    return new MixSplit(entry.runId(), lane, 0, layout, cursor);
  }

  /** The split of a checkpoint. */
  public static SimulatedSplit restore(byte[] kept) {
    try {
      return new SimulatedSplit(FORMAT.deserialize(FORMAT.getVersion(), kept));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a checkpoint holds. */
  public byte[] kept() {
    try {
      return FORMAT.serialize(sequencer.snapshot(plan.sizes()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Applies an entry if it is the next one. */
  public boolean apply(ControlEntry entry, long offset) {
    if (!sequencer.hasRoom()) {
      sequencer.look(entry, offset);
      putOff.add(new Read(entry, offset));
      return true;
    }
    return sequencer.apply(entry, offset);
  }

  /** Reads up to {@code most} blocks of each domain that lacks one. */
  public void fetch(Blocks blocks, int most) {
    plan.advance();
    BitSet lacking = (BitSet) plan.lacking().clone();
    for (int domain = lacking.nextSetBit(0); domain >= 0; domain = lacking.nextSetBit(domain + 1)) {
      for (int left = most; left > 0 && plan.lacking().get(domain); left--) {
        read(blocks, domain);
      }
    }
  }

  private void read(Blocks blocks, int domain) {
    long target = plan.seekTarget(domain);
    if (target >= 0) {
      plan.readingFrom(domain, target);
    }
    long at = plan.readAt(domain);
    if (at < blocks.size(domain)) {
      plan.offer(domain, at, ByteBuffer.wrap(blocks.block(domain, at)));
    } else if (blocks.ended(domain)) {
      plan.offerEnd(domain, blocks.size(domain));
    }
  }

  /** The next sequence, or null while its grant or its block is not there. */
  public @Nullable StreamRecord next() {
    StreamRecord record = sequencer.next();
    if (record == null) {
      sequencer.successor(plan.sizes()).ifPresent(this::goOnWith);
      return null;
    }
    return record.copy();
  }

  private void goOnWith(MixSplit successor) {
    split = successor;
    plan = plan(split);
    sequencer = sequencer(split, plan);
    List<Read> again = List.copyOf(putOff);
    putOff.clear();
    again.forEach(read -> apply(read.entry(), read.offset()));
  }

  /** Whether nothing is left to sequence and nothing can follow. */
  public boolean isFinished() {
    return sequencer.isFinished();
  }

  /** Log offset and serial of the entry that was applied last. */
  public LogPosition position() {
    return sequencer.position();
  }

  /** What it waits for, for people. */
  public String awaited() {
    return split.runId()
        + ": batch "
        + sequencer.batch()
        + ", "
        + (sequencer.awaitedDomain().isEmpty()
            ? "not granted"
            : "a block of domain " + sequencer.awaitedDomain().getAsInt());
  }
}
