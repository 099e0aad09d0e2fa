package io.sluice.jobs.derive;

import io.sluice.jobs.mix.source.SimulatedSplit;
import io.sluice.jobs.mix.stream.StreamRecord;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.schema.RunSpec;
import io.sluice.schema.StreamHeader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** What the source emits of a run, lane by lane, when all blocks are there. */
final class Emission {
  private final List<SimulatedSplit> splits = new ArrayList<>();
  private final Map<String, long[]> ended;
  private final RunSpec spec;

  /**
   * A sequence.
   *
   * @param block the stored one's own ordinal
   */
  record Sequence(
      int timeline,
      long batch,
      long firstIndex,
      int size,
      int version,
      long index,
      int domain,
      int lane,
      long ordinal,
      long block) {}

  /**
   * The emission of a run.
   *
   * @param ended blocks in each lane of the domains that have ended; others have no end
   */
  Emission(RunSpec spec, Map<String, long[]> ended) {
    this.spec = spec;
    this.ended = ended;
  }

  /** Takes a record of the log; returns what it lets out. */
  List<Sequence> apply(LoggedRun.Logged logged) {
    ControlEntry entry = logged.entry();
    for (int lane = 0; lane < spec.getLanes(); lane++) {
      if (splits.size() == lane) {
        splits.add(SimulatedSplit.start(spec, lane, entry, logged.offset()));
      } else {
        splits.get(lane).apply(entry, logged.offset());
      }
    }
    List<Sequence> emitted = new ArrayList<>();
    for (int lane = 0; lane < splits.size(); lane++) {
      drain(splits.get(lane), lane, emitted);
    }
    return emitted;
  }

  private void drain(SimulatedSplit split, int lane, List<Sequence> emitted) {
    for (int idle = 0; idle < 3; idle++) {
      split.fetch(new Blocks(lane), 200);
      for (StreamRecord found = split.next(); found != null; found = split.next()) {
        emitted.add(sequence(found, lane));
        idle = 0;
      }
    }
  }

  private static Sequence sequence(StreamRecord found, int lane) {
    StreamHeader header = StreamHeader.decode(found.header());
    ByteBuffer block = found.value().duplicate();
    return new Sequence(
        header.timeline(),
        header.batch(),
        header.firstIndex(),
        header.batchSize(),
        header.weightsVersion(),
        header.index(),
        block.getInt(),
        lane,
        header.ordinal(),
        block.getLong());
  }

  /** Blocks of a lane's part of a domain, if it has ended. */
  OptionalLong size(String domain, int lane) {
    long[] sizes = ended.get(domain);
    return sizes == null ? OptionalLong.empty() : OptionalLong.of(sizes[lane]);
  }

  /** A lane's blocks, which say what they are. */
  private final class Blocks implements SimulatedSplit.Blocks {
    private final int lane;

    Blocks(int lane) {
      this.lane = lane;
    }

    @Override
    public long size(int domain) {
      return Emission.this.size(name(domain), lane).orElse(Long.MAX_VALUE);
    }

    @Override
    public boolean ended(int domain) {
      return Emission.this.size(name(domain), lane).isPresent();
    }

    @Override
    public byte[] block(int domain, long stored) {
      return ByteBuffer.allocate(12).putInt(domain).putLong(stored).array();
    }
  }

  /** Domains are named after their places, those that are added later, too. */
  static String name(int domain) {
    return "d" + domain;
  }
}
