package io.sluice.service.seal;

import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Segment;
import io.sluice.schema.StoredPart;
import io.sluice.schema.segment.BlockRows;
import io.sluice.schema.segment.InPlace;
import io.sluice.schema.segment.SealedLanes;
import io.sluice.schema.segment.SegmentSide;
import io.sluice.schema.segment.SegmentStore;
import io.sluice.schema.segment.SideRow;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Seals the blocks of a dataset: collects rows of all of its lanes, and puts them into the store
 * together. Holds nothing that it does not find again in the topics; after a failure it is closed,
 * and another is opened.
 */
final class DatasetSealer implements AutoCloseable {
  /** How long a row may wait. */
  static final Duration WAIT = Duration.ofSeconds(10);

  private final DatasetSpec spec;
  private final StoreFolder folder;
  private final SegmentLog log;
  private final List<LaneBuffer> lanes;
  private final CommittedBlocks blocks;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private boolean sealed;

  private DatasetSealer(
      DatasetSpec spec,
      StoreFolder folder,
      SegmentLog log,
      List<LaneBuffer> lanes,
      CommittedBlocks blocks,
      InstantSource clock,
      LongSupplier nanos) {
    this.spec = spec;
    this.folder = folder;
    this.log = log;
    this.lanes = lanes;
    this.blocks = blocks;
    this.clock = clock;
    this.nanos = nanos;
  }

  /**
   * A sealer that goes on where the records end, after it has deleted what none of them names.
   *
   * @param log closed with it
   * @param owner of the store's folder: this deployment
   * @param clock of records and files
   * @param nanos a clock that only goes forward
   */
  static DatasetSealer open(
      KafkaAccess access,
      DatasetSpec spec,
      SegmentLog log,
      String owner,
      InstantSource clock,
      LongSupplier nanos)
      throws IOException {
    try {
      SealedLanes sealed = log.sealed();
      Set<String> named = sealed.objects();
      SegmentStore store = SegmentStore.of(spec.getStore());
      StoreFolder folder = StoreFolder.open(store, spec.getName(), owner, !named.isEmpty());
      try {
        folder.sweep(named, clock.instant());
        List<LaneBuffer> lanes = lanes(spec, sealed);
        CommittedBlocks blocks = new CommittedBlocks(access, spec, lanes, nanos);
        return new DatasetSealer(spec, folder, log, lanes, blocks, clock, nanos);
      } catch (IOException | RuntimeException e) {
        folder.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      log.close();
      throw e;
    }
  }

  private static List<LaneBuffer> lanes(DatasetSpec spec, SealedLanes sealed) {
    BlockRows rows = new BlockRows(spec);
    List<LaneBuffer> lanes = new ArrayList<>();
    for (String domain : InPlace.without(spec).getDomains().stream().sorted().toList()) {
      for (int lane = 0; lane < spec.getLanes(); lane++) {
        lanes.add(new LaneBuffer(domain, lane, rows, sealed));
      }
    }
    return lanes;
  }

  /** Whether it has sealed anything. */
  boolean hasSealed() {
    return sealed;
  }

  /** Bytes of the rows that wait. */
  long bytes() {
    return lanes.stream().mapToLong(LaneBuffer::bytes).sum();
  }

  /**
   * Reads what has come, and seals it if it is time to.
   *
   * @param wait for something to come
   */
  void work(Duration wait) throws IOException {
    boolean came = blocks.poll(wait);
    if (isDue(came)) {
      seal();
    }
  }

  /** Of domains that end one after the other many are read before they are sealed. */
  private boolean isDue(boolean came) {
    long now = nanos.getAsLong();
    return lanes.stream()
        .anyMatch(
            lane ->
                (lane.hasEnd() && !came)
                    || lane.oldest().filter(then -> now - then >= WAIT.toNanos()).isPresent());
  }

  /** Puts all rows that wait into the store, and then says so. */
  void seal() throws IOException {
    Map<LaneBuffer, Segment> said = new LinkedHashMap<>();
    lanes.forEach(lane -> lane.end().ifPresent(last -> said.put(lane, last)));
    List<LaneBuffer> full = lanes.stream().filter(lane -> !lane.rows().isEmpty()).toList();
    if (!full.isEmpty()) {
      store(full, said);
    }
    if (!said.isEmpty()) {
      log.write(List.copyOf(said.values()));
      said.forEach(LaneBuffer::sealed);
      sealed = true;
    }
  }

  private void store(List<LaneBuffer> full, Map<LaneBuffer, Segment> said) throws IOException {
    List<List<byte[]>> rows = new ArrayList<>();
    List<List<byte[]>> sides = new ArrayList<>();
    for (LaneBuffer lane : full) {
      rows.add(lane.rows().stream().map(BlockRows.Row::data).toList());
      List<SideRow> side = lane.rows().stream().map(BlockRows.Row::side).toList();
      sides.add(List.of(SegmentSide.encode(side, spec.getSequenceLength())));
    }
    List<StoredPart> data = folder.storeRows(rows);
    List<StoredPart> side = folder.storeSides(sides);
    for (int i = 0; i < full.size(); i++) {
      LaneBuffer lane = full.get(i);
      said.put(lane, lane.segment(spec, data.get(i), side.get(i), clock.millis()));
    }
  }

  @Override
  public void close() {
    blocks.close();
    folder.close();
    log.close();
  }
}
