package io.sluice.cli.dataset;

import io.sluice.control.domain.SealedDomains;
import io.sluice.control.history.RunStatuses;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Supply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How much of a dataset is in its store, as reports show it.
 *
 * @param blocks of each domain that are sealed
 * @param prepared of each domain; those without a document are absent
 * @param waits why no more are; '' for nothing
 */
record SealedView(Map<String, Long> blocks, Map<String, Supply> prepared, String waits) {
  /** What is sealed of a dataset; empty if it has no store. */
  static Optional<SealedView> of(
      KafkaAccess access, DatasetSpec spec, Map<String, Supply> prepared) {
    return spec.getStore().isEmpty()
        ? Optional.empty()
        : Optional.of(
            new SealedView(
                SealedDomains.rows(SealedDomains.read(access, spec), spec),
                prepared,
                RunStatuses.read(access).sealing().getOrDefault(spec.getName(), "")));
  }

  /** For people, as YAML. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("sealed: # blocks that are in the store");
    if (!waits.isEmpty()) {
      lines.add("  # no more are put there: " + waits);
    }
    blocks.forEach(
        (domain, rows) -> {
          Supply supply = prepared.get(domain);
          long there = supply == null ? 0 : supply.getBlocks();
          lines.add("  " + domain + ": " + rows + " # of " + there);
        });
    return lines;
  }
}
