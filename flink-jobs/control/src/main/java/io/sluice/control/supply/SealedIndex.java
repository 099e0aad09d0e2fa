package io.sluice.control.supply;

import io.sluice.mixture.decide.DomainSupply;
import io.sluice.mixture.state.VersionedBytes;
import io.sluice.schema.Segment;
import io.sluice.schema.Topics;
import io.sluice.schema.segment.SealedLane;
import java.util.HashMap;
import java.util.Map;

/**
 * What is known of the segments of every dataset: of each lane of a domain, which blocks are
 * sealed. Whatever is read again or late, that only grows.
 */
public final class SealedIndex {
  private static final int VERSION = 1;
  private static final String WHAT = "what is sealed of a lane";

  private final Map<Dataset, Map<LanePart, SealedLane>> datasets = new HashMap<>();

  /** Nothing is sealed. */
  public SealedIndex() {}

  /**
   * Takes a segment.
   *
   * @return whether it says anything new
   * @throws IllegalArgumentException if it cannot be a segment
   */
  public boolean offer(Segment segment) {
    Topics.requireName("dataset", segment.getDataset());
    Topics.requireName("domain", segment.getDomain());
    LanePart part = LanePart.of("segment", segment.getDomain(), segment.getLane());
    if (segment.getRows() < 1
        || segment.getFirst() < 0
        || segment.getFirst() > Long.MAX_VALUE - segment.getRows()) {
      throw new IllegalArgumentException(
          "segment must have at least 1 row, the first of them at least 0: "
              + segment.getRows()
              + " from "
              + segment.getFirst()
              + " of "
              + segment.getDomain());
    }
    return lane(new Dataset(segment.getDataset(), segment.getFingerprint()), part)
        .take(segment.getFirst(), segment.getRows(), segment.getEnded());
  }

  private SealedLane lane(Dataset dataset, LanePart part) {
    return datasets
        .computeIfAbsent(dataset, unknown -> new HashMap<>())
        .computeIfAbsent(part, unknown -> new SealedLane());
  }

  /** What a run that reads segments can use of what there is. */
  DomainSupply sealed(Dataset dataset, LanePart part, DomainSupply there) {
    SealedLane lane = datasets.getOrDefault(dataset, Map.of()).get(part);
    return lane == null ? there.sealed(0, false) : there.sealed(lane.rows(), lane.ended());
  }

  /** What is known of a segment's lane, to be kept under its {@link #key}. */
  public byte[] kept(Segment segment) {
    Dataset dataset = new Dataset(segment.getDataset(), segment.getFingerprint());
    LanePart part = new LanePart(segment.getDomain(), segment.getLane());
    return VersionedBytes.write(
        VERSION,
        out -> {
          out.writeUTF(dataset.name());
          out.writeLong(dataset.fingerprint());
          out.writeUTF(part.domain());
          out.writeInt(part.lane());
          for (SealedLane.Span span : lane(dataset, part).spans()) {
            out.writeBoolean(true);
            out.writeLong(span.first());
            out.writeLong(span.count());
            out.writeBoolean(span.ended());
          }
          out.writeBoolean(false);
        });
  }

  /** Takes up what was kept. */
  public void restore(byte[] kept) {
    VersionedBytes.read(
        WHAT,
        VERSION,
        kept,
        in -> {
          Dataset dataset = new Dataset(in.readUTF(), in.readLong());
          SealedLane lane = lane(dataset, new LanePart(in.readUTF(), in.readInt()));
          while (in.readBoolean()) {
            lane.take(in.readLong(), in.readLong(), in.readBoolean());
          }
          return lane;
        });
  }

  /** Where a lane is kept. */
  public static String key(Segment segment) {
    return new Dataset(segment.getDataset(), segment.getFingerprint())
        .key(new LanePart(segment.getDomain(), segment.getLane()));
  }
}
