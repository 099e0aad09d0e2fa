package io.sluice.control.digest;

import io.sluice.schema.Limits;
import io.sluice.schema.ReadBatches;
import io.sluice.schema.TrainerAttached;
import io.sluice.schema.TrainerProgress;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import io.sluice.schema.segment.BatchDigest;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * What the feedback of a run says of batches: of each timeline, world size, rank and batch the
 * first word. A later one that differs is named. Takes as much memory as it is given: what does not
 * fit is of later batches, and {@link #next} takes it from the same records.
 */
public final class SaidDigests {
  /** Digests that an audit has in memory, 8 bytes each. */
  public static final int MOST = 1 << 23;

  private static final int MOST_PROCESSES = 1 << 17;

  private final String runId;
  private final SortedMap<Integer, Long> openings;
  private final long most;
  private final Consumer<String> differences;
  private final Stretches stretches;
  private final Map<Teller, String> processes = new HashMap<>();
  private long reached;
  private long refused;

  /**
   * Nothing is said of any batch.
   *
   * @param openings of each timeline the batch that it was opened behind
   * @param most digests that it may have in memory
   * @param differences takes a sentence for each word that takes another back
   */
  public SaidDigests(
      String runId, SortedMap<Integer, Long> openings, long most, Consumer<String> differences) {
    this(runId, openings, most, differences, new Place(0, 0));
  }

  private SaidDigests(
      String runId,
      SortedMap<Integer, Long> openings,
      long most,
      Consumer<String> differences,
      Place from) {
    this.runId = runId;
    this.openings = new TreeMap<>(openings);
    this.most = most;
    this.differences = differences;
    this.stretches = new Stretches(from, most);
  }

  /** Nothing is said of the batches that did not fit into this. */
  SaidDigests next() {
    return new SaidDigests(runId, openings, most, differences, stretches.limit());
  }

  /** Takes the next record of the feedback; what is no report of this run says nothing. */
  public void take(byte[] value) {
    try {
      SpecificRecordBase message = WireCodec.decode(value);
      if (message instanceof TrainerProgress progress && progress.getRunId().equals(runId)) {
        take(progress);
      } else if (message instanceof TrainerAttached attached
          && attached.getRunId().equals(runId)
          && attached.getReplica() == 0
          && attached.getHost().length() <= Limits.HOST) {
        Teller rank = new Teller(0, attached.getWorldSize(), attached.getRank());
        if (processes.size() < MOST_PROCESSES || processes.containsKey(rank)) {
          processes.put(rank, attached.getHost() + ", pid " + attached.getPid());
        }
      }
    } catch (WireFormatException e) {
      refused++;
    }
  }

  private void take(TrainerProgress progress) {
    Teller rank = new Teller(0, progress.getWorldSize(), progress.getRank());
    int timeline = progress.getTimeline();
    ReadBatches read = progress.getRead();
    if (!openings.containsKey(timeline) || !rank.isPossible()) {
      refused += read == null ? 0 : 1;
      return;
    }
    if (owner(timeline, progress.getBatch()) == owner(openings.lastKey(), progress.getBatch())) {
      reached = Math.max(reached, progress.getBatch());
    }
    if (read == null) {
      return;
    }
    try {
      BatchDigest.requirePossible(read, progress.getBatch());
    } catch (IllegalArgumentException e) {
      refused++;
      return;
    }
    long batch = read.getFirst();
    for (long digest : read.getDigests()) {
      put(rank.of(owner(timeline, batch)), batch++, digest);
    }
  }

  /** The timeline that owns a batch to whoever knows none that is newer than this. */
  private int owner(int known, long batch) {
    int owner = openings.firstKey();
    for (Map.Entry<Integer, Long> opening : openings.headMap(known + 1).entrySet()) {
      owner = opening.getValue() < batch ? opening.getKey() : owner;
    }
    return owner;
  }

  private void put(Teller teller, long batch, long digest) {
    stretches.fit();
    if (!stretches.isFor(new Place(teller.timeline(), batch))) {
      return;
    }
    if (stretches.isFull()) {
      refused++; // more ranks of one batch than any run has
      return;
    }
    String process = processes.getOrDefault(teller.of(0), "");
    Stretch stretch = stretches.put(teller, process, batch, digest);
    if (stretch.digest(batch) != digest) {
      differences.accept(
          String.format(
              Locale.ROOT,
              "batch %d of timeline %d: %s said that its rows have the digest %016x, and %s later"
                  + " %016x",
              batch,
              teller.timeline(),
              stretch,
              stretch.digest(batch),
              process.isEmpty() ? "somebody" : process,
              digest));
    }
  }

  /** The last batch that progress of the run's present lineage names. */
  long reached() {
    return reached;
  }

  /** Reports that say what nobody can have read. */
  long refused() {
    return refused;
  }

  /** Whether it has all that is said of a batch. */
  boolean has(int timeline, long batch) {
    return stretches.limit().compareTo(new Place(timeline, batch)) > 0;
  }

  /** Whether it has all that is said of a timeline. */
  boolean hasAllOf(int timeline) {
    return stretches.limit().timeline() > timeline;
  }

  /** What is said of batches of a timeline, in the order of the first ones. */
  List<Stretch> of(int timeline) {
    return stretches.of(timeline);
  }
}
