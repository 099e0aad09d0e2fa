package io.sluice.schema.segment;

import io.sluice.schema.Segment;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * How many blocks of each lane are sealed: what the records of a dataset's segments say together.
 * They may come in any order; of those with one key the last counts. Not thread-safe.
 */
public final class SealedLanes {
  private final long fingerprint;
  private final Map<String, Map<Integer, Lane>> domains = new TreeMap<>();

  private static final class Lane {
    private final NavigableMap<Long, Segment> segments = new TreeMap<>();
    private final SealedLane sealed = new SealedLane();

    private void put(Segment segment) {
      segments.put(segment.getFirst(), segment);
      sealed.take(segment.getFirst(), segment.getRows(), segment.getEnded());
    }

    /** The segment that has a block; they may overlap, so it is not always the last to begin. */
    private Optional<Segment> at(long block) {
      return segments.headMap(block, true).descendingMap().values().stream()
          .filter(segment -> block < segment.getFirst() + segment.getRows())
          .findFirst();
    }
  }

  /** Nothing is sealed of a dataset with this fingerprint. */
  public SealedLanes(long fingerprint) {
    this.fingerprint = fingerprint;
  }

  /** The key of a segment's record. */
  public static String key(Segment segment) {
    return segment.getDomain() + "/" + segment.getLane() + "/" + segment.getFirst();
  }

  /** Takes a record; one of another fingerprint, or without a row, says nothing. */
  public void take(Segment segment) {
    if (segment.getFingerprint() == fingerprint
        && segment.getFirst() >= 0
        && segment.getRows() > 0) {
      domains
          .computeIfAbsent(segment.getDomain(), domain -> new TreeMap<>())
          .computeIfAbsent(segment.getLane(), lane -> new Lane())
          .put(segment);
    }
  }

  /** Blocks of a lane that are sealed: all with ordinals below this. */
  public long rows(String domain, int lane) {
    return lane(domain, lane).map(found -> found.sealed.rows()).orElse(0L);
  }

  /** The segment that has a block of a lane, if it is below {@link #rows}. */
  public Optional<Segment> at(String domain, int lane, long block) {
    return lane(domain, lane)
        .filter(found -> block >= 0 && block < found.sealed.rows())
        .flatMap(found -> found.at(block));
  }

  /** Blocks of a lane that has ended, all of which are sealed; empty while it may still grow. */
  public OptionalLong ended(String domain, int lane) {
    return lane(domain, lane)
        .filter(found -> found.sealed.ended())
        .map(found -> OptionalLong.of(found.sealed.rows()))
        .orElse(OptionalLong.empty());
  }

  /** The last segment of a lane, if any is sealed. */
  public Optional<Segment> last(String domain, int lane) {
    return lane(domain, lane).map(found -> found.segments.lastEntry().getValue());
  }

  private Optional<Lane> lane(String domain, int lane) {
    return Optional.ofNullable(domains.getOrDefault(domain, Map.of()).get(lane));
  }

  /**
   * Whether the rows of a lane are in place: in files in whose order nobody shuffled anything, so
   * that the first epoch has an order, too.
   */
  public boolean isInPlace(String domain, int lane) {
    return last(domain, lane).filter(segment -> segment.getFile() != null).isPresent();
  }

  /** Names of all objects that records have, and files with rows in place. */
  public Set<String> objects() {
    Set<String> objects = new HashSet<>();
    segments()
        .forEach(
            segment -> {
              objects.add(segment.getData().getObject());
              objects.add(segment.getSide().getObject());
            });
    return objects;
  }

  /** All segments, those of a lane in the order of their first blocks. */
  public Stream<Segment> segments() {
    return domains.values().stream()
        .flatMap(lanes -> lanes.values().stream())
        .flatMap(lane -> lane.segments.values().stream());
  }
}
