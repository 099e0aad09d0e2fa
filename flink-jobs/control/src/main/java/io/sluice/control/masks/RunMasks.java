package io.sluice.control.masks;

import io.sluice.control.error.BadInputException;
import io.sluice.schema.DocumentMask;
import io.sluice.schema.Limits;
import io.sluice.schema.RunSpec;
import io.sluice.schema.run.DocumentMasks;
import io.sluice.schema.set.DocumentHashes;
import io.sluice.schema.set.DocumentKey;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;

/** Which sets a run has to mask beside those that it does. */
public record RunMasks(DocumentSets sets) {
  /**
   * The masks of all documents of the run's domains that are to be forgotten, and are in none of
   * its masks. Their sets are in the topic then.
   *
   * @param from first batch of new masks; {@link DocumentMasks#NEXT} for the first that is not
   *     granted
   * @param why for people
   */
  public List<DocumentMask> lacking(RunSpec spec, long from, String why) {
    SortedMap<String, SortedSet<DocumentKey>> forgotten =
        sets.forgotten(Set.copyOf(spec.getDomains()));
    Set<String> masked = DocumentMasks.bySet(spec).keySet();
    if (!forgotten.isEmpty() && !masked.isEmpty()) {
      sets.forEach(
          (set, record) -> {
            if (masked.contains(set.name())) {
              set.removeFrom(forgotten);
            }
          });
    }
    List<DocumentHashes> lacking = DocumentHashes.of(forgotten);
    if (!lacking.isEmpty()) {
      sets.add(lacking, true, why);
    }
    return masks(lacking, from, why);
  }

  /** What a run is told to mask, for people. */
  public static String line(String run, DocumentMask mask) {
    return "run %s: %d documents are masked from batch %d on (set %s)"
        .formatted(run, mask.getDocuments(), mask.getFromBatch(), mask.getSet());
  }

  /** Masks of these sets. */
  public static List<DocumentMask> masks(List<DocumentHashes> sets, long from, String why) {
    return sets.stream()
        .map(
            set ->
                new DocumentMask(
                    from, set.name(), set.size(), Limits.shortened(why, DocumentMasks.TEXT)))
        .toList();
  }

  /**
   * The specification with what is to be forgotten masked from its first batch on.
   *
   * @param first from 1
   */
  public RunSpec masked(RunSpec spec, long first) {
    return DocumentMasks.with(spec, lacking(spec, first, "forgotten before the run began"));
  }

  /**
   * Refuses more masks than a run has.
   *
   * @throws BadInputException naming how many there may be
   */
  public static void requireRoom(RunSpec spec, List<DocumentMask> more) {
    Set<String> all = new HashSet<>(DocumentMasks.bySet(spec).keySet());
    more.forEach(mask -> all.add(mask.getSet()));
    if (all.size() > DocumentMasks.MOST) {
      throw new BadInputException(
          "run "
              + spec.getRun()
              + " masks at most "
              + DocumentMasks.MOST
              + " sets, fork it: "
              + all.size());
    }
  }
}
