package io.sluice.service.seal;

import io.sluice.schema.DatasetSpec;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.Segment;
import io.sluice.schema.StoredPart;
import io.sluice.schema.WireCodec;
import io.sluice.schema.segment.BlockRows;
import io.sluice.schema.segment.SealedLanes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Rows of a domain's lane that follow what is sealed of it. */
final class LaneBuffer {
  /** Fewer blocks that are sealed are read and dropped, which is faster than another fetch. */
  private static final long LEAST_JUMP = 64;

  /** Bytes of a row beside its tokens, of each of its parts, and of each of its runs. */
  private static final int SIDE = 32;

  private static final int PART = 12;
  private static final int RUN = 4;

  private final String domain;
  private final int lane;
  private final BlockRows rows;
  private final List<BlockRows.Row> open = new ArrayList<>();
  private long first;
  private long bytes;
  private long oldest;
  private boolean ended;
  private Optional<Segment> last;

  LaneBuffer(String domain, int lane, BlockRows rows, SealedLanes sealed) {
    this.domain = domain;
    this.lane = lane;
    this.rows = rows;
    this.first = sealed.rows(domain, lane);
    this.last = sealed.last(domain, lane);
  }

  String domain() {
    return domain;
  }

  int lane() {
    return lane;
  }

  /** Ordinal of the first row. */
  long first() {
    return first;
  }

  /** Ordinal of the next block that is wanted. */
  long next() {
    return first + open.size();
  }

  List<BlockRows.Row> rows() {
    return open;
  }

  /** Bytes of the rows, and of what a segment says of them. */
  long bytes() {
    return bytes;
  }

  /** Whether it is to be said of a row that the lane ends with it. */
  boolean hasEnd() {
    return ended && next() > 0 && !(open.isEmpty() && last.orElseThrow().getEnded());
  }

  /** When the oldest row came; empty without a row. */
  Optional<Long> oldest() {
    return open.isEmpty() ? Optional.empty() : Optional.of(oldest);
  }

  /**
   * Takes the next record of the lane.
   *
   * @return how many offsets further the next block that is wanted is at least; 0 for the next
   */
  long take(ConsumerRecord<byte[], byte[]> message, long now) {
    long ordinal = message.timestamp();
    if (ordinal > next()) {
      throw new SealingException(
          "block "
              + next()
              + " of domain "
              + domain
              + ", lane "
              + lane
              + ", is gone: the next that is there is "
              + ordinal);
    }
    if (ordinal < next()) {
      long missing = next() - ordinal;
      return missing < LEAST_JUMP ? 0 : missing;
    }
    if (message.value() != null
        && WireCodec.isOf(EndOfDomain.class, ByteBuffer.wrap(message.value()))) {
      ended = true;
    } else {
      add(rows.of(domain, message.value()), now);
    }
    return 0;
  }

  private void add(BlockRows.Row row, long now) {
    if (open.isEmpty()) {
      oldest = now;
    }
    open.add(row);
    int[] runs = row.side().runs();
    bytes +=
        row.data().length
            + SIDE
            + (long) PART * row.side().lengths().length
            + (runs == null ? 0 : (long) RUN * runs.length);
  }

  /** What is to be said of the rows that wait; of the last one if none does and the lane ends. */
  Segment segment(DatasetSpec spec, StoredPart data, StoredPart side, long now) {
    return Segment.newBuilder()
        .setDataset(spec.getName())
        .setFingerprint(spec.getFingerprint())
        .setDomain(domain)
        .setLane(lane)
        .setFirst(first)
        .setRows(open.size())
        .setEnded(ended)
        .setData(data)
        .setSide(side)
        .setTimeMillis(now)
        .build();
  }

  /** The last segment again, now that the lane ends with it; empty if there is nothing to say. */
  Optional<Segment> end() {
    return hasEnd() && open.isEmpty()
        ? last.map(each -> Segment.newBuilder(each).setEnded(true).build())
        : Optional.empty();
  }

  /** A record says this of the last rows. */
  void sealed(Segment segment) {
    last = Optional.of(segment);
    first = next();
    open.clear();
    bytes = 0;
  }
}
