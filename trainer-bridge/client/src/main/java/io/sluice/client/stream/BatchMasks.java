package io.sluice.client.stream;

import io.sluice.client.block.MaskedDocuments;
import io.sluice.client.error.StreamCorruptException;
import io.sluice.client.run.SetSource;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.RunSpec;
import io.sluice.schema.run.DocumentMasks;
import io.sluice.schema.set.DocumentHashes;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/**
 * The documents that a run masks, read once a batch needs them. No batch is handed out before its
 * sets are there: one that stays away ends the reading, since nobody could say what is trained on.
 * Not thread-safe.
 */
final class BatchMasks {
  private final SetSource source;
  private final Duration interval;
  private final Duration limit;
  private final LongSupplier nanoTime;
  private final Map<String, DocumentHashes> known = new HashMap<>();
  private Set<String> lacking = Set.of();
  private long since;
  private long looked;
  private String waits = "";

  /**
   * Masks of which nothing is known yet.
   *
   * @param interval between two looks for a set that is not there
   * @param limit how long a set is looked for
   */
  BatchMasks(SetSource source, Duration interval, Duration limit, LongSupplier nanoTime) {
    this.source = source;
    this.interval = interval;
    this.limit = limit;
    this.nanoTime = nanoTime;
  }

  /**
   * Whether all sets that are masked in a batch are known; looks for those that are not.
   *
   * @param spec that governs the batch
   * @throws StreamCorruptException if one stays away
   */
  boolean know(RunSpec spec, long batch) {
    Set<String> wanted = DocumentMasks.at(spec, batch);
    known.keySet().retainAll(wanted);
    Set<String> missing = new TreeSet<>(wanted);
    missing.removeAll(known.keySet());
    long now = nanoTime.getAsLong();
    if (missing.isEmpty()) {
      lacking = Set.of();
      waits = "";
      return true;
    }
    boolean first = !missing.equals(lacking);
    if (first || now - looked >= interval.toNanos()) {
      since = first ? now : since;
      lacking = Set.copyOf(missing);
      look(missing, spec, batch);
      looked = nanoTime.getAsLong();
    }
    return missing.isEmpty();
  }

  private void look(Set<String> missing, RunSpec spec, long batch) {
    try {
      known.putAll(source.read(Set.copyOf(missing)));
    } catch (KafkaUnreachableException e) {
      since = nanoTime.getAsLong();
      waits = "; its masks are not read: " + e.getMessage();
      return;
    }
    missing.removeAll(known.keySet());
    if (missing.isEmpty()) {
      waits = "";
      return;
    }
    String reason =
        "batch "
            + batch
            + " waits for the documents that run "
            + spec.getRun()
            + " masks in it: "
            + source.place()
            + " has no set whose content has the digest "
            + missing.iterator().next();
    if (nanoTime.getAsLong() - since >= limit.toNanos()) {
      throw new StreamCorruptException(reason + ", for " + limit.toSeconds() + " s");
    }
    waits = "; " + reason;
  }

  /** What the next batch waits for; '' if that is no set. */
  String note() {
    return waits;
  }

  /** The documents that are masked in a batch whose sets are known. */
  MaskedDocuments of(RunSpec spec, long batch) {
    return MaskedDocuments.of(
        DocumentMasks.at(spec, batch).stream().map(known::get).toList(), spec);
  }
}
