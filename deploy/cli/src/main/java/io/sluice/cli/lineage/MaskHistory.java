package io.sluice.cli.lineage;

import io.sluice.control.history.RunHistory;
import io.sluice.control.masks.DocumentSets;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.mixture.log.ControlEntry.Started;
import io.sluice.schema.DocumentMask;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.schema.run.DocumentMasks;
import io.sluice.schema.set.DocumentHashes;
import io.sluice.schema.set.IdHash;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Which documents a run masked in which batches of its timelines, and which it masks now. */
final class MaskHistory {
  private final Map<String, DocumentHashes> sets = new HashMap<>();
  private final Map<Integer, NavigableMap<Long, RunSpec>> governing = new HashMap<>();
  private final Map<String, Set<String>> known = new HashMap<>();
  private final RunSpec now;
  private final boolean hashed;

  private MaskHistory(RunHistory run) {
    this.now = run.spec();
    this.hashed = IdHash.in(now.getDocumentIds());
    for (ControlEntry entry : run.entries()) {
      if (entry.body() instanceof Started started) {
        govern(entry, started.snapshot().batch(), run);
      } else if (entry.body() instanceof Revised revised) {
        govern(entry, revised.snapshot().batch(), run);
      }
    }
  }

  private void govern(ControlEntry entry, long after, RunHistory run) {
    governing
        .computeIfAbsent(entry.timeline(), of -> new TreeMap<>())
        .put(after, run.specAt(entry.serial()));
  }

  /** The masks of a run, whose sets are read. */
  static MaskHistory read(KafkaAccess access, RunHistory run) {
    MaskHistory masks = new MaskHistory(run);
    Set<String> named =
        masks.governing.values().stream()
            .flatMap(specs -> specs.values().stream())
            .flatMap(spec -> spec.getMasks().stream())
            .map(DocumentMask::getSet)
            .collect(Collectors.toSet());
    if (!named.isEmpty()) {
      new DocumentSets(access)
          .forEach(
              (set, record) -> {
                if (named.contains(set.name())) {
                  masks.sets.put(set.name(), set);
                }
              });
    }
    return masks;
  }

  /**
   * What the run's blocks have of a document, by which clients mask it.
   *
   * @param named whether what is given is its id, and not the hash of it
   */
  String inBlock(String domain, String document, boolean named) {
    return hashed && named ? IdHash.of(domain, document) : document;
  }

  /** Whether a document was masked in a batch that a timeline granted. */
  boolean masks(int timeline, long batch, String domain, String inBlock) {
    Map.Entry<Long, RunSpec> spec =
        governing.getOrDefault(timeline, new TreeMap<>()).lowerEntry(batch);
    return spec != null
        && DocumentMasks.at(spec.getValue(), batch).stream()
            .anyMatch(setsOf(domain, inBlock)::contains);
  }

  /** The first batch in which the run masks a document as things are; 0 if in none. */
  long from(String domain, String inBlock) {
    Set<String> of = setsOf(domain, inBlock);
    return now.getMasks().stream()
        .filter(mask -> of.contains(mask.getSet()))
        .mapToLong(DocumentMask::getFromBatch)
        .min()
        .orElse(0);
  }

  private Set<String> setsOf(String domain, String inBlock) {
    return known.computeIfAbsent(
        domain + "/" + inBlock,
        of ->
            sets.values().stream()
                .filter(set -> has(set, domain, inBlock.getBytes(StandardCharsets.UTF_8)))
                .map(DocumentHashes::name)
                .collect(Collectors.toSet()));
  }

  private boolean has(DocumentHashes set, String domain, byte[] inBlock) {
    return hashed ? set.containsHash(domain, inBlock) : set.contains(domain, inBlock);
  }
}
