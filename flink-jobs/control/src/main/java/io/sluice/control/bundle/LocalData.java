package io.sluice.control.bundle;

import io.sluice.control.audit.Auditor;
import io.sluice.control.digest.BatchRows;
import io.sluice.control.digest.StoreFiles;
import io.sluice.control.domain.PreparedDomains;
import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunHistory;
import io.sluice.control.masks.DocumentSets;
import io.sluice.control.purge.Purges;
import io.sluice.control.runs.NewRun;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.mixture.log.ControlEntry.Started;
import io.sluice.schema.BundledBatch;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.DocumentMask;
import io.sluice.schema.DocumentSet;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Supply;
import io.sluice.schema.set.DocumentHashes;
import io.sluice.schema.set.DocumentKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Holds the data of a deployment against what the run of a bundle was made of, before anything is
 * made: the dataset and its tokenizer, how much of each domain is prepared, what is forgotten, and
 * the rows of every batch.
 *
 * @param files by which stores are read
 */
record LocalData(KafkaAccess access, Bundle bundle, RunHistory history, StoreFiles files) {
  private static final String PREPARE =
      ": prepare the same documents in the same order, under the same dataset";

  /** Fields of a dataset that change no block, or say where files lie. */
  private static final Set<String> APART = Set.of("name", "sources", "store", "domains");

  /**
   * The dataset of a run.
   *
   * @throws BadInputException if there is none, or another of its name
   */
  static DatasetSpec dataset(KafkaAccess access, RunSpec run) {
    DatasetSpec found =
        new DatasetCatalog(access)
            .find(run.getDataset())
            .orElseThrow(
                () ->
                    new BadInputException(
                        "dataset '"
                            + run.getDataset()
                            + "' of the run must be here: 'sluice dataset apply' makes it"));
    if (found.getFingerprint() != run.getFingerprint()) {
      throw new BadInputException(
          String.format(
              "dataset '%s' has the fingerprint %016x here, the run's was %016x",
              run.getDataset(), found.getFingerprint(), run.getFingerprint()));
    }
    return found;
  }

  /**
   * Refuses data that would not give the batches of the bundle.
   *
   * @return how many batches were held against digests
   * @throws BadInputException naming the first difference
   */
  long require() {
    DatasetSpec here =
        new DatasetCatalog(access)
            .find(bundle.dataset().getName())
            .orElseThrow(
                () ->
                    new BadInputException(
                        "the bundle's dataset '"
                            + bundle.dataset().getName()
                            + "' is not here"
                            + PREPARE));
    requireSame(here);
    new Purges(access).requireDataset(here.getName());
    NewRun.requireDeliverable(history.spec(), here);
    requireSupply();
    requireNothingForgotten();
    return requireBatches();
  }

  private void requireSame(DatasetSpec here) {
    DatasetSpec there = bundle.dataset();
    List<String> differences = new ArrayList<>();
    for (Schema.Field field : DatasetSpec.getClassSchema().getFields()) {
      Object own = here.get(field.pos());
      Object other = there.get(field.pos());
      if (!APART.contains(field.name())
          && !field.name().equals("fingerprint")
          && !Objects.equals(own, other)) {
        differences.add(field.name() + " is " + own + " here, " + other + " there");
      }
    }
    if (here.getFingerprint() != there.getFingerprint()
        || here.getFingerprint() != history.spec().getFingerprint()) {
      differences.add(
          0,
          String.format(
              "its fingerprint is %016x here, %016x there",
              here.getFingerprint(), there.getFingerprint()));
    }
    Set<String> lacking = new HashSet<>(history.spec().getDomains());
    here.getDomains().forEach(lacking::remove);
    if (!lacking.isEmpty()) {
      differences.add("it has no domains " + lacking + " here");
    }
    if (!differences.isEmpty()) {
      throw new BadInputException(
          "dataset '"
              + here.getName()
              + "' is not the bundle's: "
              + String.join("; ", differences)
              + PREPARE);
    }
  }

  private void requireSupply() {
    Map<String, Supply> there = new HashMap<>();
    bundle.supply().forEach(said -> there.put(said.getDomain() + "/" + said.getLane(), said));
    Map<String, Supply> here = new HashMap<>();
    PreparedDomains.lanes(access, bundle.dataset().getName())
        .forEach(said -> here.put(said.getDomain() + "/" + said.getLane(), said));
    UsedBlocks used = UsedBlocks.of(history);
    used.ordinals()
        .forEach(
            (domain, lanes) ->
                lanes.forEach(
                    (lane, next) -> {
                      String key = domain + "/" + lane;
                      requireSupply(domain, lane, next, there.get(key), here.get(key));
                    }));
  }

  private static void requireSupply(
      String domain, int lane, long used, @Nullable Supply there, @Nullable Supply here) {
    boolean ended = there != null && there.getEnded();
    long wanted = there != null && there.getEnded() ? there.getBlocks() : used;
    long found = here == null ? 0 : here.getBlocks();
    boolean same = ended ? here != null && here.getEnded() && found == wanted : found >= wanted;
    if (!same) {
      throw new BadInputException(
          String.format(
              Locale.ROOT,
              "domain '%s', lane %d, has %d blocks here%s, the bundle's run had %s%d%s",
              domain,
              lane,
              found,
              here != null && here.getEnded() ? " and has ended" : " so far",
              ended ? "" : "at least ",
              wanted,
              (ended ? " and it had ended" : "") + PREPARE));
    }
  }

  /** What is forgotten here must be masked from the run's first batch on. */
  private void requireNothingForgotten() {
    SortedMap<String, SortedSet<DocumentKey>> forgotten =
        new DocumentSets(access).forgotten(Set.copyOf(history.spec().getDomains()));
    if (forgotten.isEmpty()) {
      return;
    }
    long first = ((Started) history.entries().get(0).body()).snapshot().batch() + 1;
    Set<String> masked = new HashSet<>();
    for (DocumentMask mask : history.specAt(0).getMasks()) {
      if (mask.getFromBatch() <= first) {
        masked.add(mask.getSet());
      }
    }
    for (DocumentSet record : bundle.sets()) {
      DocumentHashes set = DocumentHashes.of(record);
      if (masked.contains(set.name())) {
        set.removeFrom(forgotten);
      }
    }
    long left = forgotten.values().stream().mapToLong(Set::size).sum();
    if (left > 0) {
      throw new BadInputException(
          left
              + " documents of domains "
              + forgotten.keySet()
              + " are forgotten here, and the bundle's run has trained on them: apply what 'sluice"
              + " run export' without --bundle writes, which masks them");
    }
  }

  private long requireBatches() {
    Map<Long, BundledBatch> there = new HashMap<>();
    bundle.batches().forEach(batch -> there.put(batch.getBatch(), batch));
    long[] checked = {0};
    Auditor.batches(
        access,
        history,
        files,
        rows -> {
          BundledBatch said = there.get(rows.batch());
          if (said != null) {
            requireSame(said, rows);
            checked[0]++;
          }
        });
    return checked[0];
  }

  private void requireSame(BundledBatch there, BatchRows rows) {
    rows.lacking()
        .ifPresent(
            domain -> {
              throw new BadInputException(
                  "batch %d, domain '%s': a block that it has is not here%s"
                      .formatted(rows.batch(), domain, PREPARE));
            });
    BundledBatch here = BundleExport.batch(history, rows);
    if (here.equals(there)) {
      return;
    }
    List<String> domains = history.spec().getDomains();
    for (int i = 0; i < here.getDomains().size(); i++) {
      int domain = here.getDomains().get(i);
      int at = there.getDomains().indexOf(domain);
      Long said = at < 0 || at >= there.getDigests().size() ? null : there.getDigests().get(at);
      if (!here.getDigests().get(i).equals(said)) {
        throw new BadInputException(
            String.format(
                Locale.ROOT,
                "batch %d, domain '%s': its sequences have the digest %016x here, the bundle says"
                    + " %s%s",
                rows.batch(),
                domains.get(domain),
                here.getDigests().get(i),
                said == null ? "none" : String.format("%016x", said),
                PREPARE));
      }
    }
    throw new BadInputException(
        "batch %d: the bundle's digests are of timeline %d and domains %s, its log gives timeline %d"
                .formatted(
                    rows.batch(), there.getTimeline(), there.getDomains(), here.getTimeline())
            + " and domains "
            + here.getDomains());
  }
}
