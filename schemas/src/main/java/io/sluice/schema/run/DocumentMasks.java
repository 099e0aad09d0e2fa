package io.sluice.schema.run;

import io.sluice.schema.DocumentMask;
import io.sluice.schema.Limits;
import io.sluice.schema.RunSpec;
import io.sluice.schema.set.DocumentHashes;
import io.sluice.schema.set.IdHash;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Which sets of documents clients mask in a run, and from which batches on: no label of their
 * documents is trained. What is masked once stays so.
 */
public final class DocumentMasks {
  /** Most masks of a run. */
  public static final int MOST = 1024;

  /** Most characters of what a mask says to people. */
  public static final int TEXT = 200;

  /** In a command: from the first batch that is not granted. */
  public static final long NEXT = 0;

  private static final Pattern NAME = Pattern.compile("[0-9a-f]{64}");

  private DocumentMasks() {}

  /** The names of the sets that are masked in a batch, from 1. */
  public static Set<String> at(RunSpec spec, long batch) {
    Set<String> sets = new HashSet<>();
    for (DocumentMask each : spec.getMasks()) {
      if (each.getFromBatch() <= batch) {
        sets.add(each.getSet());
      }
    }
    return sets;
  }

  /** The first batch of each set, by its name. */
  public static SortedMap<String, Long> bySet(RunSpec spec) {
    SortedMap<String, Long> masks = new TreeMap<>();
    spec.getMasks().forEach(each -> masks.put(each.getSet(), each.getFromBatch()));
    return masks;
  }

  /** The specification with the masks of another run beside its own, as that has them. */
  public static RunSpec with(RunSpec spec, List<DocumentMask> more) {
    Map<String, DocumentMask> masks = new LinkedHashMap<>();
    more.forEach(each -> masks.put(each.getSet(), each));
    spec.getMasks().forEach(each -> masks.putIfAbsent(each.getSet(), each));
    return sorted(spec, masks.values());
  }

  /**
   * What a command asks for, with each mask that has no batch from the first one on that is not
   * granted.
   *
   * @param granted last batch that is granted
   */
  public static RunSpec resolved(RunSpec spec, long granted) {
    return spec.getMasks().stream().allMatch(each -> each.getFromBatch() != NEXT)
        ? spec
        : sorted(
            spec,
            spec.getMasks().stream()
                .map(each -> each.getFromBatch() == NEXT ? from(granted + 1, each) : each)
                .toList());
  }

  /**
   * The specification of a batch that a run goes back to: what is masked now, in batches that are
   * granted or in the next one, is from there on, and other masks stay where they are.
   *
   * @param now masks that are in force
   * @param batch last one that stands
   * @param granted last one before the rewind
   */
  public static RunSpec rewound(RunSpec spec, List<DocumentMask> now, long batch, long granted) {
    return with(
        spec,
        now.stream()
            .map(
                each ->
                    each.getFromBatch() > batch && each.getFromBatch() <= granted + 1
                        ? from(batch + 1, each)
                        : each)
            .toList());
  }

  private static DocumentMask from(long batch, DocumentMask mask) {
    return DocumentMask.newBuilder(mask).setFromBatch(batch).build();
  }

  private static RunSpec sorted(RunSpec spec, Iterable<DocumentMask> masks) {
    List<DocumentMask> sorted = new ArrayList<>();
    masks.forEach(sorted::add);
    sorted.sort(Comparator.comparing(DocumentMask::getFromBatch));
    return RunSpec.newBuilder(spec).setMasks(sorted).build();
  }

  /**
   * Checks that masks name sets, each once, from ascending batches on, and that it is known what
   * they are matched with.
   *
   * @throws IllegalArgumentException naming what a mask must have, and what it has
   */
  public static void require(RunSpec spec) {
    List<DocumentMask> masks = spec.getMasks();
    requireThat(
        IdHash.DOCUMENT_IDS.contains(spec.getDocumentIds()),
        "document-ids must be " + String.join(" or ", IdHash.DOCUMENT_IDS),
        "'" + Limits.shown(spec.getDocumentIds()) + "'");
    requireThat(masks.size() <= MOST, "masks must be at most " + MOST, masks.size());
    long last = 1;
    Set<String> names = new HashSet<>();
    for (DocumentMask each : masks) {
      String name = each.getSet();
      requireThat(
          NAME.matcher(name).matches(),
          "a mask's set must be 64 hexadecimal digits",
          "'" + Limits.shown(name) + "'");
      requireThat(names.add(name), "a set must be masked once", name);
      requireThat(
          each.getFromBatch() >= last,
          "the mask of set " + name + " must begin at batch " + last + " at least",
          each.getFromBatch());
      last = each.getFromBatch();
      int documents = each.getDocuments();
      requireThat(
          documents >= 1 && documents <= DocumentHashes.MOST,
          "documents of set " + name + " must be in [1, " + DocumentHashes.MOST + "]",
          documents);
      Limits.requireText("what a mask says", each.getWhy(), 0, TEXT);
    }
  }

  private static void requireThat(boolean holds, String rule, Object actual) {
    if (!holds) {
      throw new IllegalArgumentException(rule + ": " + actual);
    }
  }
}
