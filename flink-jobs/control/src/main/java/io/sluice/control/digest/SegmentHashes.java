package io.sluice.control.digest;

import io.sluice.control.domain.SealedDomains;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Segment;
import io.sluice.schema.segment.RowFormat;
import io.sluice.schema.segment.SealedLanes;
import io.sluice.schema.segment.SegmentSide;
import io.sluice.schema.segment.SegmentStore;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The hashes that the segments of a run's dataset have of their rows: 8 bytes for each in memory.
 */
public final class SegmentHashes implements RowHashes {
  private final Optional<SealedLanes> sealed;
  private final Map<Part, Hashes> parts = new HashMap<>();

  /** A lane's part of a domain. */
  private record Part(String domain, int lane) {}

  /** Of a part, from ordinal 0 on, as far as there is no gap. */
  private static final class Hashes {
    private long[] values = new long[64];
    private int size;

    /** The place of the first that is another, or −1. */
    private int add(long first, SegmentSide side) {
      for (int row = 0; row < side.rows(); row++) {
        long at = first + row;
        if (at < size && values[(int) at] != side.hash(row)) {
          return row;
        }
        if (at == size) {
          values = size == values.length ? Arrays.copyOf(values, 2 * size) : values;
          values[size++] = side.hash(row);
        }
      }
      return -1;
    }
  }

  private SegmentHashes(Optional<SealedLanes> sealed) {
    this.sealed = sealed;
  }

  /**
   * Reads the sides of all segments of a run's domains.
   *
   * @param domains all that it had
   * @param files by which its store is read
   * @param deep whether every row is read, too, and held against its hash
   * @param differences takes a sentence for whatever is not what records or sides say
   * @param missing takes what cannot be read from here, and why
   */
  public static SegmentHashes read(
      KafkaAccess access,
      RunSpec run,
      Collection<String> domains,
      StoreFiles files,
      boolean deep,
      Consumer<String> differences,
      BiConsumer<String, String> missing) {
    Optional<DatasetSpec> dataset =
        new DatasetCatalog(access)
            .find(run.getDataset())
            .filter(spec -> spec.getFingerprint() == run.getFingerprint());
    if (dataset.isEmpty()) {
      missing.accept(
          "what ranks read", "dataset " + run.getDataset() + " is not the run's any more");
      return new SegmentHashes(Optional.empty());
    }
    SealedLanes sealed = SealedDomains.read(access, dataset.get());
    SegmentHashes hashes = new SegmentHashes(Optional.of(sealed));
    String store = dataset.get().getStore();
    if (store.isEmpty() || !files.reads(SegmentStore.of(store))) {
      missing.accept("what ranks read", "store '" + store + "' is not read from here");
      return hashes;
    }
    SegmentFiles segments =
        new SegmentFiles(SegmentStore.of(store), files, RowFormat.of(dataset.get()));
    sealed
        .segments()
        .filter(segment -> domains.contains(segment.getDomain()))
        .forEach(segment -> hashes.add(segment, segments, deep, differences, missing));
    return hashes;
  }

  private void add(
      Segment segment,
      SegmentFiles files,
      boolean deep,
      Consumer<String> differences,
      BiConsumer<String, String> missing) {
    String what = "segment " + SealedLanes.key(segment);
    try {
      SegmentSide side = files.side(segment);
      int other = of(segment.getDomain(), segment.getLane()).add(segment.getFirst(), side);
      if (other >= 0) {
        differences.accept(what + ": row " + other + " has two hashes");
      }
      if (deep) {
        files.check(segment, side);
      }
    } catch (IOException e) {
      missing.accept(what, e.toString());
    } catch (IllegalArgumentException e) {
      differences.accept(what + ": " + e.getMessage());
    }
  }

  private Hashes of(String domain, int lane) {
    return parts.computeIfAbsent(new Part(domain, lane), unknown -> new Hashes());
  }

  /** Blocks of a lane's part of a domain; empty while more may be sealed. */
  public OptionalLong size(String domain, int lane) {
    return sealed.map(lanes -> lanes.ended(domain, lane)).orElse(OptionalLong.empty());
  }

  /** Whether the part's rows lie in files as others wrote them. */
  public boolean isInPlace(String domain, int lane) {
    return sealed.map(lanes -> lanes.isInPlace(domain, lane)).orElse(false);
  }

  @Override
  public boolean isNamed(String domain, int lane, long block) {
    return sealed.map(lanes -> block < lanes.rows(domain, lane)).orElse(true);
  }

  @Override
  public boolean has(String domain, int lane, long block) {
    return block < of(domain, lane).size;
  }

  @Override
  public long hash(String domain, int lane, long block) {
    return of(domain, lane).values[(int) block];
  }

  @Override
  public boolean isPurged(String domain, int lane, long block) {
    return false; // hashes stay when rows are deleted
  }
}
