package io.sluice.client.segment;

import io.sluice.client.block.EncodedBlock;
import io.sluice.client.block.Sequence;
import io.sluice.client.cache.CacheFullException;
import io.sluice.client.cache.ObjectAwaitedException;
import io.sluice.client.derive.DerivedBatch;
import io.sluice.client.error.StreamCorruptException;
import io.sluice.client.error.StreamMissingException;
import io.sluice.client.run.RunInfo;
import io.sluice.schema.Segment;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.segment.BatchDigest;
import io.sluice.schema.segment.RowFormat;
import io.sluice.schema.segment.RowHash;
import io.sluice.schema.segment.SealedLanes;
import io.sluice.schema.segment.SideRow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the rows of batches where segments have them. Each is copied out of its file and then
 * checked, so that what is handed on is what was checked, whatever becomes of the file. Not
 * thread-safe, except where it says so.
 */
public final class SegmentReader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentReader.class);

  /** Segments that stay open; a process has 65,530 mappings, and each has two. */
  private static final int MOST_OPEN = 16_384;

  /** Bytes of rows that are kept together: few enough for a collector to move them cheaply. */
  private static final int SLAB = 256 << 10;

  private final RunInfo run;
  private final SegmentTable table;
  private final DatasetFiles files;
  private final RowFormat format;
  private final RowHash hash;
  private final LongAdder undecodable = new LongAdder();
  private final Map<String, OpenSegment> open =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, OpenSegment> eldest) {
          return size() > MOST_OPEN;
        }
      };
  private final Map<String, @Nullable OpenSegment[]> current = new HashMap<>();
  private long version = -1;
  private int generation;

  /** A reader of a run's rows. */
  public SegmentReader(RunInfo run, SegmentTable table, DatasetFiles files) {
    this.run = run;
    this.table = table;
    this.files = files;
    this.format = new RowFormat(run.spec().getSequenceLength() + 1, run.tokenWidth());
    this.hash = new RowHash(format);
  }

  /** Rows that stand in the places of blocks that cannot be used; any thread may ask. */
  public long undecodable() {
    return undecodable.sum();
  }

  /**
   * What of a batch is not known to be sealed: the first such block; empty if all are.
   *
   * @throws ObjectAwaitedException if one of its objects is not there yet
   * @throws StreamMissingException if one is not there
   * @throws StreamCorruptException if one is not what its record says
   */
  public Optional<String> lacks(DerivedBatch batch) {
    if (generation != files.generation()) {
      forget();
      generation = files.generation();
    }
    for (int row = 0; row < batch.rows(); row++) {
      String domain = batch.domainOf(row);
      int lane = batch.lane()[row];
      try {
        if (segment(domain, lane, batch.block()[row]) == null) {
          return Optional.of(
              "block %d of domain %s, lane %d, is not sealed: %d of the lane's are"
                  .formatted(batch.block()[row], domain, lane, table.sealed(domain, lane)));
        }
      } catch (ObjectAwaitedException e) {
        announce(batch, row + 1);
        throw e;
      } catch (CacheFullException e) {
        forget();
        files.release();
        throw new StreamMissingException(String.valueOf(e.getMessage()));
      }
    }
    return Optional.empty();
  }

  /** Says which objects of a batch will be needed beside the one that is awaited. */
  private void announce(DerivedBatch batch, int from) {
    Set<String> said = new HashSet<>();
    for (int row = from; row < batch.rows(); row++) {
      table
          .find(batch.domainOf(row), batch.lane()[row], batch.block()[row])
          .filter(record -> said.add(record.getData().getObject()))
          .ifPresent(files::ahead);
    }
  }

  /** Looks whether what a cache gave is still there, and lets go of what is mapped if not. */
  public void letGoOfEvicted() {
    if (generation > 0 && open.values().stream().anyMatch(OpenSegment::isGone)) {
      forget();
    }
  }

  private void forget() {
    open.clear();
    current.clear();
  }

  /**
   * Rows of a batch.
   *
   * @param digest of them: see {@link BatchDigest}
   */
  public record Rows(long digest, List<Sequence> sequences) {}

  /**
   * The rows of a batch, all of which are sealed.
   *
   * @throws StreamMissingException if a file is not there
   * @throws StreamCorruptException if a row is not what its segment says
   */
  public Rows read(DerivedBatch batch) {
    try {
      Rows rows = rows(batch);
      // At a call of the system the virtual machine has told of a file that was cut.
      segmentOf(batch, batch.rows() - 1).requireWhole();
      return rows;
    } catch (InternalError | IndexOutOfBoundsException e) {
      Set<String> files = new TreeSet<>();
      for (int row = 0; row < batch.rows(); row++) {
        OpenSegment segment = segmentOf(batch, row);
        segment.requireWhole();
        files.addAll(segment.files());
      }
      throw new StreamCorruptException(
          "batch %d cannot be read where its segments are mapped: %s, in one of %s"
              .formatted(batch.batch(), e, files));
    }
  }

  private Rows rows(DerivedBatch batch) {
    List<Sequence> sequences = new ArrayList<>(batch.rows());
    long digest = 0;
    int perSlab = Math.max(1, SLAB / format.stride());
    byte[] slab = new byte[0];
    for (int row = 0; row < batch.rows(); row++) {
      int place = row % perSlab;
      if (place == 0) {
        slab = new byte[Math.min(perSlab, batch.rows() - row) * format.stride()];
      }
      int at = place * format.stride();
      SideRow side = copied(batch, row, slab, at);
      EncodedBlock content = content(batch, row, side, tokens(slab, at));
      sequences.add(
          new Sequence(
              header(batch, row),
              content,
              new RowBlock(content, side, run.spec().getFingerprint())));
      digest += BatchDigest.of(batch.index(row), side.hash());
    }
    return new Rows(digest, sequences);
  }

  private ByteBuffer tokens(byte[] slab, int at) {
    return ByteBuffer.wrap(slab, at, format.tokens() * format.width()).slice();
  }

  /** Copies a row, which is what its segment says. */
  private SideRow copied(DerivedBatch batch, int row, byte[] slab, int at) {
    long block = batch.block()[row];
    OpenSegment segment = segmentOf(batch, row);
    segment.copy(block, slab, at, format.tokens() * format.width());
    SideRow side = segment.side(block);
    if (hash.of(slab, at) != side.hash()
        || Arrays.stream(side.lengths()).sum() != format.tokens()) {
      throw wrong(batch, row, segment);
    }
    return side;
  }

  private EncodedBlock content(DerivedBatch batch, int row, SideRow side, ByteBuffer tokens) {
    boolean unusable = RowBlock.isUnusable(side);
    if (unusable) {
      undecodable.increment();
      LOG.warn(
          "block {} of domain {} cannot be used and is handed on masked",
          batch.block()[row],
          batch.domainOf(row));
    }
    return new EncodedBlock(
        unusable ? "" : batch.domainOf(row),
        0,
        unusable ? 0 : batch.lane()[row],
        unusable ? -1 : batch.block()[row],
        format.width(),
        tokens,
        side.lengths(),
        new RowBlock.Documents(side),
        side.runs(),
        side.producedAtMillis());
  }

  private static StreamHeader header(DerivedBatch batch, int row) {
    return new StreamHeader(
        batch.timeline(),
        batch.batch(),
        batch.firstIndex(),
        batch.size(),
        batch.index(row),
        batch.weightsVersion(),
        batch.ordinal()[row],
        0);
  }

  private StreamCorruptException wrong(DerivedBatch batch, int row, OpenSegment segment) {
    forget(); // who asks again is to find the file that then has the name
    segment.requireWhole();
    segment.check(files);
    return new StreamCorruptException(
        "batch %d: block %d of domain %s, lane %d, is not what its %s says: %s"
            .formatted(
                batch.batch(),
                batch.block()[row],
                batch.domainOf(row),
                batch.lane()[row],
                segment,
                segment.place(batch.block()[row])));
  }

  private OpenSegment segmentOf(DerivedBatch batch, int row) {
    OpenSegment found = segment(batch.domainOf(row), batch.lane()[row], batch.block()[row]);
    if (found == null) {
      throw new IllegalStateException("block " + batch.block()[row] + " is not sealed");
    }
    return found;
  }

  /**
   * The segment that has a block, if it is sealed: of each lane the last one is looked at first.
   */
  private @Nullable OpenSegment segment(String domain, int lane, long block) {
    if (version != table.version()) {
      current.clear(); // another record may have taken the place of one of these
      version = table.version();
    }
    @Nullable OpenSegment[] lanes =
        current.computeIfAbsent(domain, name -> new OpenSegment[run.spec().getLanes()]);
    OpenSegment known = lanes[lane];
    if (known == null || !known.has(block)) {
      Optional<Segment> record = table.find(domain, lane, block);
      if (record.isEmpty()) {
        return null;
      }
      known = opened(record.get());
      lanes[lane] = known;
      announceNext(record.get());
    }
    return known;
  }

  private OpenSegment opened(Segment record) {
    String key = SealedLanes.key(record);
    OpenSegment known = open.get(key);
    if (known == null || !known.isOf(record)) {
      known = OpenSegment.open(record, files, format);
      open.put(key, known);
    }
    return known;
  }

  private void announceNext(Segment record) {
    String object = record.getData().getObject();
    table
        .find(record.getDomain(), record.getLane(), record.getFirst() + record.getRows())
        .filter(next -> !next.getData().getObject().equals(object))
        .ifPresent(files::ahead);
  }

  @Override
  public void close() {
    files.close();
  }
}
