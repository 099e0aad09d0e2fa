package io.sluice.control.controller;

import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.round.Report;
import io.sluice.schema.ExposedWait;
import io.sluice.schema.Limits;
import io.sluice.schema.TrainerAttached;
import io.sluice.schema.TrainerProgress;
import io.sluice.schema.WireCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which processes train the run, and what they keep. The processes are of the world of the newest
 * word from any rank: when the number of ranks changes, those from before count no more.
 */
final class TrainerRegistry {
  /** Most holders that are kept, so that wrong records cannot pile up. */
  static final int MAX_HOLDERS = 4096;

  private static final int MAX_SHOWN = 64;
  private static final long MOST_MILLIS = Duration.ofDays(36_500).toMillis();
  private static final String HOLDER = "holder/";
  private static final ExposedWait NOT_TOLD = new ExposedWait(0L, 0L, 0L, 0L, 0L, 0L, 0L);

  private final RunStore store;
  private final TreeMap<Place, TrainerAttached> holders = new TreeMap<>();
  private final CheckpointWorlds checkpoints;
  private final Map<Integer, Long> heard = new HashMap<>();
  private final Map<Integer, ExposedWait> exposed = new HashMap<>();

  /** Which peer of which rank. */
  private record Place(int rank, int replica) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      return rank == other.rank
          ? Integer.compare(replica, other.replica)
          : Integer.compare(rank, other.rank);
    }

    String part() {
      return HOLDER + rank + "/" + replica;
    }
  }

  /**
   * What was kept.
   *
   * @param parts everything in the store
   */
  TrainerRegistry(RunStore store, Map<String, byte[]> parts) {
    this.store = store;
    this.checkpoints = new CheckpointWorlds(store, parts);
    parts.forEach(
        (part, bytes) -> {
          if (part.startsWith(HOLDER)) {
            TrainerAttached attached = WireCodec.decode(TrainerAttached.class, bytes);
            holders.put(place(attached), attached);
          }
        });
  }

  private static Place place(TrainerAttached attached) {
    return new Place(attached.getRank(), attached.getReplica());
  }

  /**
   * A process has taken a rank.
   *
   * @throws IllegalArgumentException if it cannot have it
   */
  void attach(TrainerAttached attached, long now) {
    require(attached.getWorldSize(), attached.getRank());
    if (attached.getReplica() < 0) {
      throw new IllegalArgumentException("replica must be at least 0: " + attached.getReplica());
    }
    Limits.requireText("holder", attached.getHolder(), 0, Limits.NONCE);
    Limits.requireText("host", attached.getHost(), 0, Limits.HOST);
    if (attached.getMetrics().size() > Limits.METRICS) {
      throw new IllegalArgumentException(
          "at most " + Limits.METRICS + " metrics may be named: " + attached.getMetrics().size());
    }
    attached.getMetrics().forEach(Metrics::requireName);
    forgetOtherWorlds(attached.getWorldSize());
    if (holders.size() >= MAX_HOLDERS && !holders.containsKey(place(attached))) {
      throw new IllegalArgumentException(
          "at most " + MAX_HOLDERS + " processes of a run are remembered");
    }
    holders.put(place(attached), attached);
    exposed.remove(attached.getRank());
    heard(attached.getRank(), now);
    store.put(place(attached).part(), WireCodec.encode(attached));
  }

  /**
   * A rank has come somewhere, and says what it keeps. What processes of another world size than
   * the attached ones keep is nobody's to rely on.
   *
   * @throws IllegalArgumentException if there is no such rank
   */
  void report(TrainerProgress progress) {
    require(progress.getWorldSize(), progress.getRank());
    long oldest = progress.getOldestCheckpoint();
    if (oldest < -1 || oldest > progress.getBatch()) {
      throw new IllegalArgumentException(
          "oldest checkpoint must be in [-1, " + progress.getBatch() + "]: " + oldest);
    }
    Optional.ofNullable(progress.getExposed()).ifPresent(TrainerRegistry::requirePossible);
    if (!holders.isEmpty()
        && holders.firstEntry().getValue().getWorldSize() != progress.getWorldSize()) {
      return;
    }
    forgetOtherWorlds(progress.getWorldSize());
    Optional.ofNullable(progress.getExposed())
        .filter(waited -> progress.getRank() < MAX_HOLDERS)
        .ifPresent(waited -> exposed.put(progress.getRank(), waited));
    checkpoints.report(progress);
  }

  /** Times that no loop can have waited are nobody's. */
  private static void requirePossible(ExposedWait waited) {
    List<Long> waits =
        List.of(
            waited.getGrantMillis(),
            waited.getSupplyMillis(),
            waited.getEmissionMillis(),
            waited.getBrokerMillis(),
            waited.getNetworkMillis(),
            waited.getDecodeMillis());
    long steps = waited.getStepMillis();
    if (steps < 0 || steps > MOST_MILLIS || !fit(waits, steps)) {
      throw new IllegalArgumentException(
          "exposed waits must be in [0, stepMillis], with their sum, and that in [0, "
              + MOST_MILLIS
              + "]: "
              + waited);
    }
  }

  private static boolean fit(List<Long> waits, long steps) {
    return waits.stream().allMatch(wait -> wait >= 0 && wait <= steps)
        && waits.stream().mapToLong(Long::longValue).sum() <= steps;
  }

  private static void require(int worldSize, int rank) {
    if (worldSize < 1 || worldSize > Report.MAX_WORLD || rank < 0 || rank >= worldSize) {
      throw new IllegalArgumentException(
          "rank must be in [0, world size): " + rank + " of " + worldSize);
    }
  }

  private void forgetOtherWorlds(int worldSize) {
    for (TrainerAttached old : List.copyOf(holders.values())) {
      if (old.getWorldSize() != worldSize) {
        holders.remove(place(old));
        store.remove(place(old).part());
      }
    }
  }

  /** A rank has said something. */
  void heard(int rank, long now) {
    if (rank >= 0 && rank < MAX_HOLDERS) {
      heard.put(rank, now);
    }
  }

  /** When each process that {@link #lines} shows was heard last; 0 if not since the job began. */
  List<Long> heard() {
    return holders.values().stream()
        .limit(MAX_SHOWN)
        .map(holder -> heard.getOrDefault(holder.getRank(), 0L))
        .toList();
  }

  /** What each process that {@link #lines} shows waited for, as it said last; 0 if it has not. */
  List<ExposedWait> exposed() {
    return holders.values().stream()
        .limit(MAX_SHOWN)
        .map(holder -> exposed.getOrDefault(holder.getRank(), NOT_TOLD))
        .toList();
  }

  /** What was kept beyond a rewind's batch is gone: nobody has a checkpoint until they say so. */
  void forgetCheckpoints() {
    checkpoints.clear();
  }

  /** Batch of the oldest checkpoint that any rank keeps; −1 unless every rank has named one. */
  long oldestCheckpoint() {
    return checkpoints.oldest();
  }

  /**
   * Who does not measure what the policy needs, for people; '' if all do, or nobody is attached.
   */
  String lacking(List<String> metrics) {
    return lacking(metrics, holders.values());
  }

  /** The same of those processes that say what they measure. */
  String declaredWithout(List<String> metrics) {
    return lacking(
        metrics, holders.values().stream().filter(h -> !h.getMetrics().isEmpty()).toList());
  }

  /** The first process that does not say what it measures, and of how many; '' if all do. */
  String silent() {
    List<TrainerAttached> silent =
        holders.values().stream()
            .filter(holder -> holder.getReplica() == 0 && holder.getMetrics().isEmpty())
            .toList();
    if (silent.isEmpty()) {
      return "";
    }
    String others = silent.size() == 1 ? "" : ", nor have " + (silent.size() - 1) + " other ranks";
    return name(silent.get(0)) + " has not said what it measures" + others;
  }

  /** Whether one of them says that it measures this. */
  boolean measure(String metric) {
    return holders.values().stream().anyMatch(holder -> holder.getMetrics().contains(metric));
  }

  private static String lacking(List<String> metrics, Collection<TrainerAttached> among) {
    String first = "";
    int others = -1;
    for (TrainerAttached holder : among) {
      TreeSet<String> missing = new TreeSet<>(metrics);
      missing.removeAll(holder.getMetrics());
      if (holder.getReplica() == 0 && !missing.isEmpty()) {
        others++;
        first = first.isEmpty() ? name(holder) + " does not measure " + missing : first;
      }
    }
    return others > 0 ? first + ", nor do " + others + " other ranks" : first;
  }

  /** A line for each process. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (TrainerAttached holder : holders.values()) {
      if (lines.size() == MAX_SHOWN) {
        lines.add("and " + (holders.size() - MAX_SHOWN) + " more");
        return lines;
      }
      lines.add(
          name(holder) + ", from batch " + holder.getBatch() + ", measures " + holder.getMetrics());
    }
    return lines;
  }

  private static String name(TrainerAttached holder) {
    return "rank "
        + holder.getRank()
        + " of "
        + holder.getWorldSize()
        + (holder.getReplica() == 0 ? "" : " (replica " + holder.getReplica() + ")")
        + " on "
        + holder.getHost()
        + ", pid "
        + holder.getPid();
  }
}
